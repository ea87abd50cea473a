"""Control flow in the program being compiled: loops, and parts that are computed only if something holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from tetriscourse.simulator.lanes import Lanes


def meet(builder: ir.IRBuilder, *ways: tuple[Sequence[Any], Any]) -> list[Any]:
    """Values where several ways through the program meet, each way given by its values and its last block."""
    phis = [builder.phi(value.type) for value in ways[0][0]]
    for values, block in ways:
        for phi, value in zip(phis, values, strict=True):
            phi.add_incoming(value, block)
    return phis


def repeat(
    builder: ir.IRBuilder, values: Sequence[Any], step: Callable[..., tuple[Sequence[Any], Any]], begin: Any = None
) -> Sequence[Any]:
    """Repeat values, again = step(*values) while `again` holds; at least once, unless there is a condition to begin."""
    entry = builder.block
    loop, done = builder.append_basic_block("repeat"), builder.append_basic_block("done")
    if begin is None:
        builder.branch(loop)
    else:
        builder.cbranch(begin, loop, done)
    builder.position_at_end(loop)
    phis = meet(builder, (values, entry))
    results, again = step(*phis)
    last = builder.block
    for phi, result in zip(phis, results, strict=True):
        phi.add_incoming(result, last)
    builder.cbranch(again, loop, done)
    builder.position_at_end(done)
    return results if begin is None else meet(builder, (values, entry), (results, last))


def repeat_while_any(
    pending: Lanes, total: Lanes, step: Callable[[Lanes, Lanes], tuple[Lanes, Lanes]], first: int
) -> Lanes:
    """Repeat (pending, total) = step(pending, total) while any lane is pending; the total.

    The first few times are done in any case: a wasted step is cheaper than a branch that goes another
    way than the processor expects.
    """
    for _ in range(first):
        pending, total = step(pending, total)

    def again(before: Any, sum_before: Any) -> tuple[Sequence[Any], Any]:
        left, summed = step(pending.new(before), total.new(sum_before))
        return (left.value, summed.value), left.any()

    return total.new(repeat(total.builder, (pending.value, total.value), again, begin=pending.any())[1])


def when(holds: Any, otherwise: tuple[Lanes, ...], compute: Callable[[], tuple[Lanes, ...]]) -> tuple[Lanes, ...]:
    """The results of `compute` if a number is not 0, and otherwise the values from before."""
    builder = otherwise[0].builder
    found = branch(builder, holds, [one.value for one in otherwise], lambda: [one.value for one in compute()])
    return tuple(one.new(value) for one, value in zip(otherwise, found, strict=True))


def when_number(builder: ir.IRBuilder, holds: Any, otherwise: Any, compute: Callable[[], Any]) -> Any:
    """`when` for a single number."""
    return branch(builder, holds, [otherwise], lambda: [compute()])[0]


def branch(builder: ir.IRBuilder, holds: Any, otherwise: list[Any], compute: Callable[[], list[Any]]) -> list[Any]:
    """The values that are computed only if a number is not 0, and otherwise those that there were before."""
    before, inside = builder.block, builder.append_basic_block("if")
    after = builder.append_basic_block("after")
    builder.cbranch(builder.icmp_signed("!=", holds, ir.Constant(holds.type, 0)), inside, after)
    builder.position_at_end(inside)
    computed = compute()
    inside = builder.block
    builder.branch(after)
    builder.position_at_end(after)
    return meet(builder, (otherwise, before), (computed, inside))
