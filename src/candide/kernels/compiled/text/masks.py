"""Sixty-four bytes at a time, told as one bit a byte, because LLVM finds none of this by itself."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from candide.kernels.compiled.lanes import intrinsic

BYTES = 64

_struct_proxy: Any = cgutils.create_struct_proxy
_I1, _I8, _I16, _I32, _I64, _I128 = (ir.IntType(width) for width in (1, 8, 16, 32, 64, 128))
_VECTOR, _PLACES = ir.VectorType(_I8, BYTES), ir.VectorType(_I32, BYTES)


def _all(value: int) -> Any:
    """All lanes equal."""
    return ir.Constant(_VECTOR, [value] * BYTES)


def _pointer(context: Any, builder: Any, array: Any, value: Any, at: Any, kind: Any) -> Any:
    """The address of byte `at`, as that of something wider."""
    data = _struct_proxy(array)(context, builder, value=value).data
    return builder.bitcast(builder.gep(data, [at]), kind.as_pointer())


def _load(context: Any, builder: Any, array: Any, args: Any, kind: Any = _VECTOR) -> Any:
    return builder.load(_pointer(context, builder, array, args[0], args[1], kind), align=1)


def _among(builder: Any, v: Any, low: int, count: int) -> Any:
    """Which bytes are among the `count` from `low` on."""
    return builder.icmp_unsigned("<", builder.sub(v, _all(low)), _all(count))


@intrinsic
def lowered(typingctx: Any, source: Any, at: Any, target: Any, to: Any, step: Any) -> Any:
    """Copy 64 bytes, `step` added to A..Z; which of them are ASCII letters, digits or the underscore."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        v = _load(context, builder, source, args)
        empty = ir.Constant(_VECTOR, ir.Undefined)
        first = builder.insert_element(empty, args[4], _I32(0))
        steps = builder.shuffle_vector(first, empty, ir.Constant(_PLACES, [0] * BYTES))
        low = builder.select(_among(builder, v, ord("A"), 26), builder.add(v, steps), v)
        builder.store(low, _pointer(context, builder, target, args[2], args[3], _VECTOR), align=1)
        letters = _among(builder, builder.or_(v, _all(32)), ord("a"), 26)
        other = builder.or_(_among(builder, v, ord("0"), 10), builder.icmp_unsigned("==", v, _all(ord("_"))))
        return builder.bitcast(builder.or_(letters, other), _I64)

    return types.uint64(source, types.int64, target, types.int64, types.uint8), code


@intrinsic
def cyrillic(typingctx: Any, source: Any, at: Any, target: Any, to: Any, lower: Any) -> Any:
    """Which of 64 bytes, the first of which begins a character, are of U+0400 to U+045F, all of them letters.

    These bytes are written to the target, in lower case if so told: U+0400 to U+040F lie 80 before theirs, U+0410 to
    U+042F 32 before.
    """

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        v = _load(context, builder, source, args)
        after = _load(context, builder, source, [args[0], builder.add(args[1], _I64(1))])
        before = builder.shuffle_vector(_all(0), v, ir.Constant(_PLACES, list(range(BYTES - 1, 2 * BYTES - 1))))

        def pair(one: Any, two: Any) -> tuple[Any, Any]:
            """Where a character of 0xD0, and of 0xD1, may be."""
            d0 = builder.and_(builder.icmp_unsigned("==", one, _all(0xD0)), _among(builder, two, 0x80, 0x40))
            d1 = builder.and_(builder.icmp_unsigned("==", one, _all(0xD1)), _among(builder, two, 0x80, 0x20))
            return d0, builder.or_(d0, d1)

        first, heads = pair(v, after)
        second, tails = pair(before, v)
        even = builder.icmp_unsigned("==", builder.and_(after, _all(0x10)), _all(0))
        next_page = builder.and_(first, builder.and_(even, builder.icmp_unsigned("<", after, _all(0xB0))))
        steps = _all(0)
        for end, step in ((0xB0, 0xE0), (0xA0, 0x20), (0x90, 0x10)):
            steps = builder.select(builder.icmp_unsigned("<", v, _all(end)), _all(step), steps)
        steps = builder.select(second, steps, builder.select(next_page, _all(1), _all(0)))
        steps = builder.select(args[4], steps, _all(0))
        place = _pointer(context, builder, target, args[2], args[3], _VECTOR)
        found = builder.or_(heads, tails)
        builder.store(builder.select(found, builder.add(v, steps), builder.load(place, align=1)), place, align=1)
        return builder.bitcast(found, _I64)

    return types.uint64(source, types.int64, target, types.int64, types.boolean), code


@intrinsic
def beyond_ascii(typingctx: Any, source: Any, at: Any) -> Any:
    """Which of 64 bytes are not ASCII."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        v = _load(context, builder, source, args)
        return builder.bitcast(builder.icmp_signed("<", v, _all(0)), _I64)

    return types.uint64(source, types.int64), code


@intrinsic
def leading(typingctx: Any, source: Any, at: Any) -> Any:
    """Which of 64 bytes begin a character of several bytes."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        v = _load(context, builder, source, args)
        return builder.bitcast(builder.icmp_unsigned(">=", v, _all(0xC0)), _I64)

    return types.uint64(source, types.int64), code


@intrinsic
def contextual(typingctx: Any, source: Any, at: Any) -> Any:
    """Where in 64 bytes, and one more, U+03A3 or U+0130 begins."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        v = _load(context, builder, source, args)
        after = _load(context, builder, source, [args[0], builder.add(args[1], _I64(1))])

        def both(one: int, two: int) -> Any:
            return builder.and_(
                builder.icmp_unsigned("==", v, _all(one)), builder.icmp_unsigned("==", after, _all(two))
            )

        return builder.bitcast(builder.or_(both(0xCE, 0xA3), both(0xC4, 0xB0)), _I64)

    return types.uint64(source, types.int64), code


@intrinsic
def eight(typingctx: Any, source: Any, at: Any) -> Any:
    """Eight bytes as one number, the first the lowest."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _load(context, builder, source, args, _I64)

    return types.uint64(source, types.int64), code


@intrinsic
def put_two(typingctx: Any, target: Any, at: Any, value: Any) -> Any:
    """Write two bytes, the lower first."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        low = builder.trunc(args[2], _I16)
        builder.store(low, _pointer(context, builder, target, args[0], args[1], _I16), align=1)
        return context.get_dummy_value()

    return types.void(target, types.int64, types.int64), code


@intrinsic
def put_eight(typingctx: Any, target: Any, at: Any, value: Any) -> Any:
    """Write eight bytes, the lowest first."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, target, args[0], args[1], _I64), align=1)
        return context.get_dummy_value()

    return types.void(target, types.int64, types.uint64), code


@intrinsic
def lowest(typingctx: Any, bits: Any) -> Any:
    """The place of the lowest bit set, 64 where none is."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], _I1(0))

    return types.int64(types.uint64), code


@intrinsic
def ones(typingctx: Any, bits: Any) -> Any:
    """How many bits are set."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


@intrinsic
def folded(typingctx: Any, a: Any, b: Any) -> Any:
    """The two halves of the product of 64-bit numbers, added without carry: every bit of it depends on all of them."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        product = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
        return builder.xor(builder.trunc(product, _I64), builder.trunc(builder.lshr(product, _I128(64)), _I64))

    return types.uint64(types.uint64, types.uint64), code
