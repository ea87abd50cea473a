"""Machine code from programs in LLVM's language, kept in files between sessions."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numba
from llvmlite import ir

from tetriscourse.files import write_whole
from tetriscourse.simulator.compiling import cache_folder

lock = threading.RLock()


def host_features() -> str:
    """The abilities of this processor, as LLVM names them."""
    return str(numba.config.CPU_FEATURES or llvm.get_host_cpu_features().flatten())


def host_name() -> str:
    """The kind of this processor."""
    return str(numba.config.CPU_NAME or llvm.get_host_cpu_name())


def new_machine() -> Any:
    """The target that LLVM writes code for: this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=host_name(), features=host_features(), opt=3, codemodel="jitdefault", jit=True,
        reloc="static" if target.name.startswith("x86") else "default",
    )  # fmt: skip


@cache
def engine() -> Any:
    """Holds all machine code of this process."""
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), new_machine())


def object_code(module: ir.Module) -> bytes:
    """The machine code of a program, optimised."""
    machine = new_machine()
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    parsed = llvm.parse_assembly(str(module))
    # Vectors are written as such: nothing is left for the passes that look for them.
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(parsed, passes)
    return bytes(machine.emit_object(parsed))


def kept_in(name: str) -> Any:
    """The file that holds a program's machine code for this processor; None if nothing is kept."""
    folder = cache_folder()
    machine = hashlib.sha256(f"{host_name()} {host_features()}".encode()).hexdigest()[:8]
    return folder / f"{name}-{machine}.o" if folder else None


def is_kept(name: str) -> bool:
    """Whether a program is ready to be loaded."""
    path = kept_in(name)
    return path is not None and path.exists()


def compile_to_file(name: str, write: Callable[[], ir.Module]) -> bytes:
    """Compile a program and keep its machine code."""
    code, path = object_code(write()), kept_in(name)
    if path is not None:
        write_whole(path, code)
    return code


def loaded(name: str, write: Callable[[], ir.Module], functions: tuple[str, ...]) -> tuple[int, ...]:
    """The addresses of a program's functions, good as long as the process lives; compiled now unless it is kept."""
    with lock:
        code = kept_in(name).read_bytes() if is_kept(name) else compile_to_file(name, write)
        engine().add_object_file(llvm.ObjectFileRef.from_data(code))
        engine().finalize_object()
        return tuple(engine().get_function_address(function) for function in functions)
