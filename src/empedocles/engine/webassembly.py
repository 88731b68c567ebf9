"""The WebAssembly back-end: the kernels as a module for browsers, from the same source.

Numba types the kernels and makes LLVM's code of them as for this machine: numbers of 64 bits, and states as NumPy lays
them out. Three things differ: nothing is optimised before all functions are together, for the machine they are meant
for; what would raise an error stops the module; and Python's and Numba's own run-time functions are left out.

`take_over` turns a process into one that compiles for WebAssembly. It must come before the first kernel is decorated,
and none can be called afterwards: hence a process of its own for each module.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, codegen, cpu, registry, types
from numba.core.callconv import CPUCallConv
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys

from empedocles.errors import BadValue
from empedocles.extras import Extra

TRIPLE = "wasm32-unknown-unknown"
# What all browsers have had since the spring of 2023.
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
STACK = 2**18  # bytes, more than kernels need: they allocate nothing


class Entry(NamedTuple):
    """A function that a module offers."""

    name: str
    function: Any  # a kernel
    arguments: tuple[Any, ...]  # Numba's types: numbers, and pointers into the module's memory
    returns: Any = types.none


# ── Numba's target, changed ──────────────────────────────────────────────────────────────────────────────────────────


class Library(codegen.CPUCodeLibrary):  # type: ignore[misc]
    """Code that is put together as it was made, to be optimised as a whole later."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        return 0  # there is none in this process


class Codegen(codegen.CPUCodegen):  # type: ignore[misc]
    _library_class = Library

    def _init(self, llvm_module: Any) -> None:  # noqa: ARG002
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        self._tm = llvm.Target.from_triple(TRIPLE).create_target_machine(
            cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
        )
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> ir.Module:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = TRIPLE
        if self._data_layout:
            module.data_layout = self._data_layout
        return module

    def _add_module(self, module: Any) -> None:
        """There is no engine that could run it."""

    def magic_tuple(self) -> tuple[str, str]:
        return TRIPLE, FEATURES

    def set_env(self, env_name: str, env: object) -> None:
        """Nothing of Python is left at run time."""

    def optimised(self, module: Any) -> bytes:
        """The machine code of a module, as an object file."""
        tuning = llvm.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = tuning.slp_vectorization = True
        passes = llvm.create_pass_builder(self._tm, tuning)
        passes.getModulePassManager().run(module, passes)
        return bytes(self._tm.emit_object(module))


class Traps(CPUCallConv):  # type: ignore[misc]
    """Whatever raises an error in Python stops the module, and its caller hears of it."""

    def set_static_user_exc(self, builder: Any, *_: object, **__: object) -> None:
        pass

    def return_user_exc(self, builder: Any, *_: object, **__: object) -> None:
        trap(builder)

    def return_status_propagate(self, builder: Any, status: Any) -> None:  # noqa: ARG002
        trap(builder)


def trap(builder: Any) -> None:
    builder.call(builder.module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), ())), ())
    builder.unreachable()


class Context(cpu.CPUContext):  # type: ignore[misc]
    """What Numba knows of the machine it compiles for."""

    allow_dynamic_globals = False  # large arrays are part of the module, not at some address of this process

    def init(self) -> None:
        self.is32bit = False
        self._internal_codegen = Codegen("empedocles")

    @property
    def call_conv(self) -> CPUCallConv:
        return Traps(self)

    def load_additional_registries(self) -> None:
        rtsys._init = True  # the run-time functions, which are not wanted
        super().load_additional_registries()

    def post_lowering(self, mod: Any, library: Any) -> None:
        """Numba would link its run-time functions."""

    def declare_env_global(self, module: Any, envname: str) -> Any:
        found = super().declare_env_global(module, envname)
        found.linkage = "linkonce_odr"
        return found

    def add_dynamic_addr(self, builder: Any, intaddr: int, info: str) -> Any:  # noqa: ARG002
        """Of a Python object: functions are such, as values that are never used."""
        return ir.Constant(cgutils.voidptr_t, None)

    def create_cpython_wrapper(self, *_: object, **__: object) -> None:
        pass

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Callable[..., object]:  # noqa: ARG002
        return [].clear  # Numba insists on a function of C, one for each kernel; this one refuses all arguments


def take_over() -> None:
    """Compile everything for WebAssembly in this process from now on."""
    target = registry.cpu_target
    if "_toplevel_target_context" in vars(target):
        raise RuntimeError("compiling for WebAssembly has to begin before the first kernel is decorated")
    vars(target)["_toplevel_target_context"] = Context(target.typing_context, "cpu")


# ── Modules ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@global_compiler_lock  # type: ignore[untyped-decorator]
def module_of(entries: Sequence[Entry]) -> bytes:
    """A module that offers these functions."""
    context = registry.cpu_target.target_context
    library = context.codegen().create_library("module")
    for entry in entries:
        _export(context, library, entry)
    library.finalize()
    module = library._final_module
    names = [entry.name for entry in entries]
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name not in names:
            each.linkage = llvm.Linkage.internal
    return linked(context.codegen().optimised(module), names)


def _export(context: Any, library: Any, entry: Entry) -> None:
    """Compile a function, and give it a name that can be called from outside."""
    entry.function.compile(entry.arguments)
    compiled = entry.function.overloads[entry.arguments]
    library.add_linking_library(compiled.library)
    module = library.create_ir_module(entry.name)
    described, has_value = compiled.fndesc, entry.returns != types.none
    inner = ir.Function(
        module,
        context.call_conv.get_function_type(described.restype, described.argtypes),
        described.llvm_func_name,
    )
    taken = [context.get_value_type(each) for each in entry.arguments]
    given = context.get_value_type(entry.returns) if has_value else ir.VoidType()
    outer = ir.Function(module, ir.FunctionType(given, taken), entry.name)
    builder = ir.IRBuilder(outer.append_basic_block())
    status, found = context.call_conv.call_function(builder, inner, described.restype, described.argtypes, outer.args)
    with builder.if_then(status.is_error, likely=False):
        trap(builder)
    if has_value:
        builder.ret(context.cast(builder, found, described.restype, entry.returns))
    else:
        builder.ret_void()
    library.add_ir_module(module)


def linked(code: bytes, names: Sequence[str]) -> bytes:
    """Let the linker of the extra `wasm` make a module of an object file."""
    check_tools()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "module.o", Path(folder) / "module.wasm"
        source.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", str(source), "-o", str(target)]
        command += ["--no-entry", "--gc-sections", "--strip-all", "--stack-first", "-z", f"stack-size={STACK}"]
        command += ["--export=__heap_base", *(f"--export={name}" for name in names)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise BadValue(f"the linker refused the module:\n{done.stderr}")
        return target.read_bytes()


def check_tools() -> None:
    """Refuse early if there is no linker."""
    Extra("wasm").check("ziglang")
