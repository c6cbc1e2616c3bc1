"""A numba value of eight doubles, because LLVM's own vectoriser gives up on several rows and accumulators at once.

Every operation is exactly the IEEE operation named. `fma` may or may not round between product and sum, as the
processor likes. On processors with shorter vectors LLVM splits the eight lanes; nothing here is for one of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import templates
from numba.extending import intrinsic as _intrinsic
from numba.extending import lower_builtin, models, register_model

P = ParamSpec("P")
LANES = 8
_struct_proxy: Any = cgutils.create_struct_proxy
_function: Any = cgutils.get_or_insert_function
_typing: Any = templates
_lower: Any = lower_builtin

_F64, _I64, _I32, _I1 = ir.DoubleType(), ir.IntType(64), ir.IntType(32), ir.IntType(1)
_VECTOR = ir.VectorType(_F64, LANES)
_WORDS = ir.VectorType(_I64, LANES)
_BITS = ir.VectorType(_I1, LANES)


class _Lanes(types.Type):
    """Eight doubles in a register."""


class _Mask(types.Type):
    """Eight truth values."""


_lanes: Any = _Lanes
_mask: Any = _Mask
lanes_type, mask_type = _lanes("candide.lanes"), _mask("candide.mask")


def _model(be_type: ir.Type) -> Any:
    """The data model of a value that is one LLVM vector."""

    class Model(models.PrimitiveModel):
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            parent: Any = super()
            parent.__init__(dmm, fe_type, be_type)

    return Model


register_model(_Lanes)(_model(_VECTOR))
register_model(_Mask)(_model(_BITS))


def intrinsic(function: Callable[Concatenate[Any, P], Any]) -> Callable[P, Any]:
    """numba's intrinsic, typed as its callers see it: without the typing context."""
    return cast(Callable[P, Any], _intrinsic(function))


def _operator(symbol: Any, instruction: str) -> None:
    """Let `symbol` of two lane values be one LLVM instruction."""

    class Typing(templates.AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return lanes_type(lanes_type, lanes_type) if tuple(args) == (lanes_type, lanes_type) else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)

    _typing.infer_global(symbol)(Typing)
    _lower(symbol, lanes_type, lanes_type)(lower)


for _symbols, _name in (
    ((operator.add, operator.iadd), "fadd"),
    ((operator.sub, operator.isub), "fsub"),
    ((operator.mul, operator.imul), "fmul"),
    ((operator.truediv, operator.itruediv), "fdiv"),
):
    for _symbol in _symbols:
        _operator(_symbol, _name)


def _element(array: Any) -> tuple[Any, int]:
    """LLVM type and alignment of one element."""
    width = array.dtype.bitwidth
    return {types.float64: _F64, types.float32: ir.FloatType()}.get(array.dtype) or ir.IntType(width), width // 8


def _pointer(context: Any, builder: Any, array: Any, value: Any, at: Any, count: int) -> Any:
    """The address of `count` elements from flat position `at`, as a vector pointer."""
    data = _struct_proxy(array)(context, builder, value=value).data
    element, _ = _element(array)
    return builder.bitcast(builder.gep(data, [at]), ir.VectorType(element, count).as_pointer())


def _as_doubles(builder: Any, value: Any, dtype: Any) -> Any:
    """Convert lanes of another type to doubles."""
    if dtype == types.float64:
        return value
    if dtype == types.float32:
        return builder.fpext(value, _VECTOR)
    return builder.sitofp(value, _VECTOR) if dtype.signed else builder.uitofp(value, _VECTOR)


def _call(builder: Any, name: str, result: Any, args: list[Any]) -> Any:
    """Call an LLVM intrinsic."""
    kind = ir.FunctionType(result, [a.type for a in args])
    return builder.call(_function(builder.module, kind, name), args)


def _splat(builder: Any, value: Any) -> Any:
    """All lanes equal."""
    vector = builder.insert_element(ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined), value, _I32(0))
    zeros = ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), zeros)


@intrinsic
def item(typingctx: Any, array: Any, at: Any) -> Any:
    """As `number`, as it is."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _item(context, builder, array, args)

    return array.dtype(array, types.int64), code


@intrinsic
def number(typingctx: Any, array: Any, at: Any) -> Any:
    """The element at flat position `at` of a C-contiguous array, as a double.

    Unlike a slice or a reshaped view this counts no references, which in numba are atomic operations.
    """

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, _item(context, builder, array, args), array.dtype, types.float64)

    return types.float64(array, types.int64), code


@intrinsic
def integer(typingctx: Any, array: Any, at: Any) -> Any:
    """As `number`, for whole numbers."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, _item(context, builder, array, args), array.dtype, types.int64)

    return types.int64(array, types.int64), code


@intrinsic
def put_number(typingctx: Any, array: Any, at: Any, value: Any) -> Any:
    """Write the element at flat position `at` of a C-contiguous float64 array."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = _struct_proxy(array)(context, builder, value=args[0]).data
        builder.store(args[2], builder.gep(data, [args[1]]))
        return context.get_dummy_value()

    return types.void(array, types.int64, types.float64), code


@intrinsic
def count_up(typingctx: Any, array: Any, at: Any) -> Any:
    """Add 1 to the element at flat position `at` of a C-contiguous int32 array."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.gep(_struct_proxy(array)(context, builder, value=args[0]).data, [args[1]])
        builder.store(builder.add(builder.load(place), _I32(1)), place)
        return context.get_dummy_value()

    return types.void(array, types.int64), code


def _item(context: Any, builder: Any, array: Any, args: Any) -> Any:
    """Load one element."""
    data = _struct_proxy(array)(context, builder, value=args[0]).data
    return builder.load(builder.gep(data, [args[1]]))


@intrinsic
def load(typingctx: Any, array: Any, at: Any) -> Any:
    """Eight elements from flat position `at` of a C-contiguous array, as doubles."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, array, args[0], args[1], LANES)
        return _as_doubles(builder, builder.load(pointer, align=_element(array)[1]), array.dtype)

    return lanes_type(array, types.int64), code


@intrinsic
def load_some(typingctx: Any, array: Any, at: Any, mask: Any) -> Any:
    """As `load`, but lanes outside the mask are not read and hold 0."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, array, args[0], args[1], LANES)
        element, align = _element(array)
        vector = ir.VectorType(element, LANES)
        kind = "f" if array.dtype in (types.float64, types.float32) else "i"
        name = f"llvm.masked.load.v{LANES}{kind}{8 * align}.p0"
        args = [pointer, _I32(align), args[2], ir.Constant(vector, None)]
        return _as_doubles(builder, _call(builder, name, vector, args), array.dtype)

    return lanes_type(array, types.int64, mask_type), code


@intrinsic
def store(typingctx: Any, array: Any, at: Any, value: Any) -> Any:
    """Write eight doubles from flat position `at` of a C-contiguous float64 array."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, array, args[0], args[1], LANES), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes_type), code


@intrinsic
def store_some(typingctx: Any, array: Any, at: Any, value: Any, mask: Any) -> Any:
    """As `store`, for the lanes of the mask only."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, array, args[0], args[1], LANES)
        _call(builder, f"llvm.masked.store.v{LANES}f64.p0", ir.VoidType(), [args[2], pointer, _I32(8), args[3]])
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes_type, mask_type), code


@intrinsic
def prefetch(typingctx: Any, array: Any, at: Any) -> Any:
    """Ask for the cache line of flat position `at`; any position is allowed."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = _struct_proxy(array)(context, builder, value=args[0]).data
        pointer = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        _call(builder, "llvm.prefetch.p0", ir.VoidType(), [pointer, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), code


@intrinsic
def first(typingctx: Any, count: Any) -> Any:
    """The mask of the first `count` lanes."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        steps = ir.Constant(_WORDS, list(range(LANES)))
        return builder.icmp_signed("<", steps, _splat(builder, args[0]))

    return mask_type(types.int64), code


@intrinsic
def spread(typingctx: Any, value: Any) -> Any:
    """All lanes equal to `value`."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _splat(builder, args[0])

    return lanes_type(types.float64), code


@intrinsic
def fma(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """a b + c, fused where that is quick."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _call(builder, f"llvm.fmuladd.v{LANES}f64", _VECTOR, list(args))

    return lanes_type(lanes_type, lanes_type, lanes_type), code


@intrinsic
def fms(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """a b - c, fused where that is quick."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _call(builder, f"llvm.fmuladd.v{LANES}f64", _VECTOR, [args[0], args[1], builder.fneg(args[2])])

    return lanes_type(lanes_type, lanes_type, lanes_type), code


@intrinsic
def larger(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane a if a > b else b."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return lanes_type(lanes_type, lanes_type), code


@intrinsic
def smaller(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane a if a < b else b."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered("<", *args), *args)

    return lanes_type(lanes_type, lanes_type), code


@intrinsic
def is_nan(typingctx: Any, a: Any) -> Any:
    """The mask of the NaN lanes."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fcmp_unordered("uno", args[0], args[0])

    return mask_type(lanes_type), code


@intrinsic
def choose(typingctx: Any, mask: Any, a: Any, b: Any) -> Any:
    """Lane by lane a where the mask holds, else b."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(*args)

    return lanes_type(mask_type, lanes_type, lanes_type), code


@intrinsic
def some(typingctx: Any, mask: Any) -> Any:
    """Whether any lane of the mask holds."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = builder.bitcast(args[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.IntType(LANES)(0))

    return types.boolean(mask_type), code


@intrinsic
def total(typingctx: Any, a: Any) -> Any:
    """The sum of the lanes, pairwise."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value, width = args[0], LANES
        while width > 1:
            width //= 2
            top, rest = ([*range(width)], [*range(width, 2 * width)])
            masks = [ir.Constant(ir.VectorType(_I32, width), at) for at in (top, rest)]
            halves = [builder.shuffle_vector(value, value, mask) for mask in masks]
            value = builder.fadd(*halves)
        return builder.extract_element(value, _I32(0))

    return types.float64(lanes_type), code


@intrinsic
def greater(typingctx: Any, a: Any, b: Any) -> Any:
    """The mask of a > b."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fcmp_ordered(">", *args)

    return mask_type(lanes_type, lanes_type), code


@intrinsic
def totals_of(typingctx: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """The sum of the lanes of each of eight values, as the lanes of one."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = list(args)
        for width in (1, 2, 4):
            # Lanes that differ in one bit are added; that bit then tells which of the two values the sum belongs to.
            low = [lane if not lane & width else LANES + lane - width for lane in range(LANES)]
            high = [lane + width if not lane & width else LANES + lane for lane in range(LANES)]
            masks = [ir.Constant(ir.VectorType(_I32, LANES), at) for at in (low, high)]
            values = [
                builder.fadd(*(builder.shuffle_vector(values[q], values[q + 1], mask) for mask in masks))
                for q in range(0, len(values), 2)
            ]
        return values[0]

    return lanes_type(*[lanes_type] * LANES), code


@intrinsic
def power_of_two(typingctx: Any, a: Any) -> Any:
    """2^a for whole a in [-1022, 1023]: a + 3·2^51 has a in its low bits, which move to the exponent."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        moved = builder.fadd(args[0], ir.Constant(_VECTOR, [float(3 << 51)] * LANES))
        bits = builder.shl(builder.bitcast(moved, _WORDS), ir.Constant(_WORDS, [52] * LANES))
        return builder.bitcast(builder.add(bits, ir.Constant(_WORDS, [1023 << 52] * LANES)), _VECTOR)

    return lanes_type(lanes_type), code


_ROOT_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)


@intrinsic
def mantissa(typingctx: Any, a: Any) -> Any:
    """a 2^-e within [sqrt ½, sqrt 2), for positive normal a."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits, steps = _exponent(builder, args[0])
        return builder.bitcast(builder.sub(bits, builder.shl(steps, ir.Constant(_WORDS, [52] * LANES))), _VECTOR)

    return lanes_type(lanes_type), code


@intrinsic
def exponent(typingctx: Any, a: Any) -> Any:
    """The e of `mantissa`."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        moved = builder.add(_exponent(builder, args[0])[1], ir.Constant(_WORDS, [0x4338000000000000] * LANES))
        return builder.fsub(builder.bitcast(moved, _VECTOR), ir.Constant(_VECTOR, [float(3 << 51)] * LANES))

    return lanes_type(lanes_type), code


def _exponent(builder: Any, value: Any) -> tuple[Any, Any]:
    """The bits of a value and the e of `mantissa`, as integers."""
    bits = builder.bitcast(value, _WORDS)
    above = builder.sub(bits, ir.Constant(_WORDS, [_ROOT_HALF] * LANES))
    return bits, builder.ashr(above, ir.Constant(_WORDS, [52] * LANES))
