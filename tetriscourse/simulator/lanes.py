"""Lanes: whole numbers side by side, on which a processor works with one instruction.

A `Lanes` value stands for 8 or 16 integers of 32 bits *in the program being compiled*. Python runs
these operators once, at compile time, and each of them writes one vector instruction (in LLVM's
language) into that program. So a formula below reads like arithmetic on a single number and computes
many. With AVX2, eight lanes are one register; on other processors LLVM splits them, and the program runs
more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.core.cgutils import get_or_insert_function

INT = ir.IntType(32)
WORD = ir.IntType(64)
REGISTER = 4  # lanes of the smallest register: fewer are not cheaper


def instruction(name: str) -> Callable[[Lanes, Lanes | int], Lanes]:
    """The operator that writes this instruction."""

    def write(self: Lanes, other: Lanes | int) -> Lanes:
        return self.new(getattr(self.builder, name)(self.value, self.same(other)))

    return write


class Lanes:
    """Integers side by side in the program being compiled.

    When they are rows of cells, `tall` tells that all 32 bits may be in use; otherwise the highest one is not.
    """

    def __init__(self, builder: ir.IRBuilder, value: Any, tall: bool = False):
        self.builder, self.value, self.tall = builder, value, tall
        self.count: int = value.type.count

    def new(self, value: Any) -> Lanes:
        """A result in the same program."""
        return Lanes(self.builder, value, self.tall)

    def constant(self, numbers: Sequence[int]) -> Any:
        """Known numbers, one for each lane."""
        return ir.Constant(vector(self.count), list(numbers))

    def same(self, other: Lanes | int) -> Any:
        """The other operand; a plain number is written into every lane."""
        return other.value if isinstance(other, Lanes) else self.constant([int(other)] * self.count)

    def number(self, value: int) -> Lanes:
        """A known number in each lane."""
        return self.new(self.same(value))

    __add__, __sub__, __mul__ = (instruction(name) for name in ("add", "sub", "mul"))
    __and__, __or__, __xor__ = (instruction(name) for name in ("and_", "or_", "xor"))
    __lshift__, __rshift__ = instruction("shl"), instruction("lshr")

    def __invert__(self) -> Lanes:
        return self ^ -1

    def halved(self) -> Lanes:
        """Half of even numbers, which may be negative."""
        return self.new(self.builder.ashr(self.value, self.same(1)))

    def compare(self, sign: str, other: Lanes | int) -> Lanes:
        """-1 (all bits) in the lanes where the comparison holds, 0 in the others."""
        holds = self.builder.icmp_signed(sign, self.value, self.same(other))
        return self.new(self.builder.sext(holds, vector(self.count)))

    def __gt__(self, other: Lanes | int) -> Lanes:
        return self.compare(">", other)

    def __le__(self, other: Lanes | int) -> Lanes:
        return self.compare("<=", other)

    def equals(self, other: Lanes | int) -> Lanes:
        """-1 where both are the same."""
        return self.compare("==", other)

    def differs(self, other: Lanes | int) -> Lanes:
        """-1 where they differ."""
        return self.compare("!=", other)

    def larger(self, other: Lanes | int) -> Lanes:
        """The larger one in each lane."""
        return self._pick(">", other)

    def smaller(self, other: Lanes | int) -> Lanes:
        """The smaller one in each lane."""
        return self._pick("<", other)

    def _pick(self, sign: str, other: Lanes | int) -> Lanes:
        chosen = self.builder.icmp_signed(sign, self.value, self.same(other))
        return self.new(self.builder.select(chosen, self.value, self.same(other)))

    def where(self, mask: Lanes, other: Lanes | int) -> Lanes:
        """This where the mask is set, the other elsewhere."""
        chosen = self.builder.icmp_signed("!=", mask.value, self.same(0))
        return self.new(self.builder.select(chosen, self.value, self.same(other)))

    def distance(self, other: Lanes) -> Lanes:
        """The absolute difference."""
        return self.larger(other) - self.smaller(other)

    def popcount(self) -> Lanes:
        """The number of bits that are set."""
        kind = vector(self.count)
        name = f"llvm.ctpop.v{self.count}i32"
        function = get_or_insert_function(self.builder.module, ir.FunctionType(kind, [kind]), name)
        return self.new(self.builder.call(function, [self.value]))

    def sum_of_places(self) -> Lanes:
        """1 for bit 0, 2 for bit 1 and so on, added up over the bits that are set: bit by bit of the place's number."""
        total = self.popcount()
        for k, places in enumerate((0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000)):
            total = total + ((self & (places - (1 << 32))).popcount() << k)
        return total

    def sign(self) -> Lanes:
        """-1 in negative lanes, whose highest bit is set; 0 in the others."""
        return self.compare("<", 0)

    def bit_length(self) -> Lanes:
        """The position after the highest set bit, 0 if there is none.

        Without a vector instruction for it: a floating-point number stores just that as its exponent.
        Clearing the bit after the highest one keeps the conversion from rounding up.
        """
        if counts_zeros():
            return self.number(32) - self.leading_zeros()
        if self.tall:  # a number with its highest bit set would be taken for a negative one
            return self.new((Lanes(self.builder, (self >> 1).value).bit_length() - self.differs(0)).value)
        builder = self.builder
        clear = (self & ~(self >> 1)).value
        as_float = builder.sitofp(clear, ir.VectorType(ir.FloatType(), self.count))
        exponent = self.new(builder.bitcast(as_float, vector(self.count))) >> 23
        return (exponent - 126).larger(0)

    def leading_zeros(self) -> Lanes:
        """The number of bits above the highest one that is set."""
        kind, bit = vector(self.count), ir.IntType(1)
        name = f"llvm.ctlz.v{self.count}i32"
        function = get_or_insert_function(self.builder.module, ir.FunctionType(kind, [kind, bit]), name)
        return self.new(self.builder.call(function, [self.value, ir.Constant(bit, 0)]))

    def bits_below(self) -> Lanes:
        """All bits below the positions in the lanes."""
        if self.tall:  # a shift by 32 would be undefined
            half = self >> 1
            return ~((self.number(-1) << half) << (self - half))
        return (self.number(1) << self) - 1

    def mask_bits(self) -> Any:
        """One bit a lane, as a single number: set where the lane is not 0."""
        builder = self.builder
        chosen = builder.icmp_signed("!=", self.value, self.same(0))
        return builder.zext(builder.bitcast(chosen, ir.IntType(self.count)), INT)

    def any(self) -> Any:
        """Whether any lane is not 0."""
        return self.builder.icmp_signed("!=", self.mask_bits(), ir.Constant(INT, 0))

    def swapped(self, step: int) -> Lanes:
        """Lanes exchanged with those `step` away."""
        order = ir.Constant(vector(self.count), [lane ^ step for lane in range(self.count)])
        return self.new(self.builder.shuffle_vector(self.value, self.value, order))

    def parts(self, count: int) -> list[Lanes]:
        """The lanes in groups of `count`."""
        return [self] if self.count == count else [part for half in self.halves() for part in half.parts(count)]

    def halves(self) -> tuple[Lanes, Lanes]:
        """The first and the second half of the lanes."""
        half = self.count // 2
        parts = [ir.Constant(vector(half), list(range(first, first + half))) for first in (0, half)]
        first, second = (self.new(self.builder.shuffle_vector(self.value, self.value, part)) for part in parts)
        return first, second

    def neighbour(self, step: int, wall: Lanes | int) -> Lanes:
        """The lane `step` to the right (-1 or 1), and at the end the wall."""
        order = [lane + step if 0 <= lane + step < self.count else self.count for lane in range(self.count)]
        return self.new(self.builder.shuffle_vector(self.value, self.same(wall), self.constant(order)))

    def moved(self, step: int, wall: Lanes | int, count: int) -> Lanes:
        """`count` lanes, from the one `step` to the right on; walls beyond both ends."""
        order = [lane + step if 0 <= lane + step < self.count else self.count for lane in range(count)]
        order_ = ir.Constant(vector(count), order)
        return self.new(self.builder.shuffle_vector(self.value, self.same(wall), order_))

    def running(self, join: Callable[[Lanes, Lanes], Lanes], step: int) -> Lanes:
        """Each lane joined with all those to the left (step -1) or to the right (1), by doubling the distance."""
        joined, distance = self, 1
        while distance < self.count:
            joined, distance = join(joined, joined.moved(step * distance, 0, self.count)), 2 * distance
        return joined

    def first(self) -> Any:
        """The number in the first lane."""
        return self.builder.extract_element(self.value, ir.Constant(INT, 0))

    def reduce(self, join: Callable[[Lanes, Lanes], Lanes]) -> Any:
        """All lanes joined into one number, by halves."""
        joined = self
        while joined.count > REGISTER:
            joined = join(*joined.halves())
        for step in (2, 1):
            joined = join(joined, joined.swapped(step))
        return joined.first()


@cache
def counts_zeros() -> bool:
    """Whether this processor counts leading zeros in vectors."""
    return bool(get_host_cpu_features().get("avx512cd"))


def vector(count: int) -> ir.VectorType:
    """The type of this many lanes."""
    return ir.VectorType(INT, count)


def splat(builder: ir.IRBuilder, number: Any, count: int) -> Lanes:
    """A number in every lane."""
    undefined = ir.Constant(vector(count), ir.Undefined)
    one = builder.insert_element(undefined, number, ir.Constant(INT, 0))
    return Lanes(builder, builder.shuffle_vector(one, undefined, ir.Constant(vector(count), [0] * count)))


def counting(builder: ir.IRBuilder, count: int) -> Lanes:
    """0 1 2 3 ..."""
    return Lanes(builder, ir.Constant(vector(count), list(range(count))))


def load(builder: ir.IRBuilder, address: Any, count: int, tall: bool = False) -> Lanes:
    """Numbers from memory, starting anywhere."""
    return Lanes(builder, builder.load(builder.bitcast(address, vector(count).as_pointer()), align=4), tall)


def store(builder: ir.IRBuilder, lanes: Lanes, address: Any) -> None:
    """Numbers into memory, starting anywhere."""
    builder.store(lanes.value, builder.bitcast(address, vector(lanes.count).as_pointer()), align=4)


def add_binary(a: Sequence[Lanes], b: Sequence[Lanes]) -> list[Lanes]:
    """The sum of numbers written in binary, their bits in one Lanes each, lowest first.

    Each of the 32 bit positions in a lane holds a number of its own, so that this counts in
    8 x 32 places at once: with one position for each row of the board, cells in all rows together.
    """
    digits, carry = [], a[0] ^ a[0]
    for x, y in zip_longest(a, b, fillvalue=carry):
        digits.append(x ^ y ^ carry)
        carry = (x & y) | (carry & (x ^ y))
    return [*digits, carry]
