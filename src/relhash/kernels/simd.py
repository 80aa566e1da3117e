"""Vector code for the path kernel: eight sequences in the lanes of one register, written as LLVM instructions.

Numba's loops over eight lanes are not turned into vector code reliably, so the inner steps are built here from ``<8 x float>``
values. LLVM maps these to whatever the CPU has. The steps:

``load_column``
    similarities of the eight tokens of a step to the positions of a reference;
``advance``
    one step of the recurrence, for all positions and all subsequence lengths;
``weigh``
    the weighted sum over subsequence lengths.

The recurrence of a cell (a token of the sequence against a position of the reference, ``v`` their similarity):
``q_1 = v``, ``q_{l+1} = v · D_l``, then ``D_l ← λ·D_l + r_l`` and ``r_l ← λ·r_l + q_l``. ``D_l`` is kept for each position and
``r_l`` runs along the positions, so that ``D_l`` is the decayed sum of ``q_l`` over all cells before this one in both
sequences. At step j and position i there are no subsequences longer than min(i, j) + 1: the first steps and positions have code
of their own that leaves the rest out. :mod:`relhash.kernels.subsequence` has the same in numpy.

The sum for one pair is made of the same operations in the same order whatever else is computed with it: lanes do not mix,
padding adds zeros, and threads work on whole batches. Imported only to compile or to load what was compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from relhash.compilation import compiled
from relhash.kernels.subsequence import LANES, NO_NEIGHBOUR

FLOAT, INT32, INT64 = ir.FloatType(), ir.IntType(32), ir.IntType(64)
VECTOR, HALF_VECTOR = ir.VectorType(FLOAT, LANES), ir.VectorType(FLOAT, LANES // 2)
FLOATS, INTS = ir.PointerType(FLOAT), ir.PointerType(INT32)
ZERO = ir.Constant(VECTOR, [0.0] * LANES)


@intrinsic
def load_column(  # type: ignore[no-untyped-def]
    typing_context, n_positions, table, table_start, table_width, tokens, tokens_start, column
):
    """``column[i * 8 + lane] = table[tokens[tokens_start + lane] * table_width + table_start + i]`` for ``i < n_positions``.

    All arrays are flat. Positions are read in blocks of eight, so rows of the table must be padded to a multiple of eight.
    """

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        n, _, start, width, _, first, _ = arguments
        data = _data_pointers(context, builder, signature, arguments)
        builder.call(
            _transposing_function(builder.module),
            [n, builder.gep(data[1], [start]), width, builder.gep(data[4], [first]), data[6]],
        )
        return context.get_dummy_value()

    index = types.int64
    return types.void(index, table, index, index, tokens, index, column), generate


@intrinsic(prefer_literal=True)
def advance(  # type: ignore[no-untyped-def]
    typing_context, max_length, step, is_last, n_positions, column, before, sums, decay
):
    """Add the tokens of step ``step``: updates ``before`` (``D``, not needed after the last step) and ``sums``.

    ``before`` is ``[position][level][lane]``, ``sums`` is ``[level][lane]``; ``max_length`` must be known to the compiler.
    """
    if not isinstance(max_length, types.IntegerLiteral):
        return None
    n_levels = max_length.literal_value

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        _, step, is_last, n_positions, _, _, _, decay = arguments
        data = _data_pointers(context, builder, signature, arguments)
        done = builder.function.append_basic_block("advanced")
        late = builder.function.append_basic_block("late_step")
        choice = builder.switch(step, late)
        for early_step in range(n_levels):
            if early_step == n_levels - 1:
                block = late
            else:
                block = builder.function.append_basic_block(f"step_{early_step}")
                choice.add_case(INT64(early_step), block)
            builder.position_at_end(block)
            for last, inside in _either(builder, is_last):
                with inside:
                    function = _column_function(builder.module, n_levels, early_step, last)
                    builder.call(function, [n_positions, data[4], data[5], data[6], decay])
            builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    index = types.int64
    return types.void(max_length, index, types.boolean, index, column, before, sums, types.float32), generate


@intrinsic(prefer_literal=True)
def weigh(typing_context, max_length, weights, sums, totals):  # type: ignore[no-untyped-def]
    """``totals[lane] = Σ_level weights[level] · sums[level][lane]``."""
    if not isinstance(max_length, types.IntegerLiteral):
        return None
    n_levels = max_length.literal_value

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        data = _data_pointers(context, builder, signature, arguments)
        total = ZERO
        for level in range(n_levels):
            weight = _in_all_lanes(builder, builder.load(builder.gep(data[1], [INT64(level)])))
            total = _multiply_add(builder, weight, _load(builder, data[2], INT64(level * LANES)), total)
        _store(builder, data[3], INT64(0), total)
        return context.get_dummy_value()

    return types.void(max_length, weights, sums, totals), generate


def _column_function(module: ir.Module, n_levels: int, step: int, is_last: bool) -> ir.Function:
    """``void f(n_positions, column, before, sums, decay)`` for step ``step``; ``n_levels - 1`` stands for all later ones."""
    name = f"relhash_column_{n_levels}_{step}_{'last' if is_last else 'inner'}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [INT64, FLOATS, FLOATS, FLOATS, FLOAT]), name)
    function.linkage = "internal"
    n_positions, column, before, sums, decay = function.args
    for array in (column, before, sums):
        array.add_attribute("noalias")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    decays = _in_all_lanes(builder, decay)
    running = [cgutils.alloca_once(builder, VECTOR) for _ in range(n_levels)]
    level_sums = [cgutils.alloca_once(builder, VECTOR) for _ in range(n_levels)]
    for level, place in enumerate(level_sums):
        builder.store(_load(builder, sums, INT64(level * LANES)), place)

    def cell(position: ir.Value, early_position: int) -> None:
        longest = min(early_position, step)  # the last level that can hold something here
        similarity = _load(builder, column, builder.mul(position, INT64(LANES)))
        builder.store(builder.fadd(builder.load(level_sums[0]), similarity), level_sums[0])
        states = builder.mul(position, INT64(LANES * (n_levels - 1)))
        found = similarity
        for level in range(1, min(longest + 2, n_levels)):
            state = builder.add(states, INT64(LANES * (level - 1)))
            found_longer = ZERO
            if level <= longest:
                earlier = _load(builder, before, state)
                found_longer = builder.fmul(similarity, earlier)
                builder.store(builder.fadd(builder.load(level_sums[level]), found_longer), level_sums[level])
            if not is_last:
                if level <= early_position:
                    along = builder.load(running[level])
                    _store(builder, before, state, _multiply_add(builder, decays, earlier, along) if level <= step else along)
                    builder.store(_multiply_add(builder, decays, along, found), running[level])
                else:
                    builder.store(found, running[level])
            found = found_longer

    done = function.append_basic_block("done")
    for early_position in range(n_levels - 1):
        exists = function.append_basic_block(f"position_{early_position}")
        builder.cbranch(builder.icmp_signed("<", INT64(early_position), n_positions), exists, done)
        builder.position_at_end(exists)
        cell(INT64(early_position), early_position)
    with cgutils.for_range_slice(builder, INT64(n_levels - 1), n_positions, INT64(1), INT64) as (position, _):
        cell(position, n_levels - 1)
    builder.branch(done)
    builder.position_at_end(done)
    for level, place in enumerate(level_sums):
        _store(builder, sums, INT64(level * LANES), builder.load(place))
    builder.ret_void()
    return function


def _transposing_function(module: ir.Module) -> ir.Function:
    """``void f(n_positions, table, width, tokens, column)``: eight rows of the table, transposed in registers."""
    name = "relhash_load_column"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [INT64, FLOATS, INT64, INTS, FLOATS]), name)
    function.linkage = "internal"
    n_positions, table, width, tokens, column = function.args
    column.add_attribute("noalias")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    token_ids = [builder.sext(builder.load(builder.gep(tokens, [INT64(lane)])), INT64) for lane in range(LANES)]
    rows = [builder.gep(table, [builder.mul(token, width)]) for token in token_ids]
    n_blocks = builder.sdiv(builder.add(n_positions, INT64(LANES - 1)), INT64(LANES))
    with cgutils.for_range_slice(builder, INT64(0), n_blocks, INT64(1), INT64) as (block, _):
        first = builder.mul(block, INT64(LANES))
        for half in (0, 4):
            start = builder.add(first, INT64(half))
            # register k holds four positions of sequence k and, in its upper half, of sequence k + 4
            pairs = [
                _shuffle(
                    builder,
                    _load(builder, rows[lane], start, HALF_VECTOR),
                    _load(builder, rows[lane + 4], start, HALF_VECTOR),
                    range(8),
                )
                for lane in range(4)
            ]
            for offset, transposed in enumerate(_transpose_halves(builder, pairs)):
                _store(builder, column, builder.mul(builder.add(start, INT64(offset)), INT64(LANES)), transposed)
    builder.ret_void()
    return function


def _transpose_halves(builder: ir.IRBuilder, pairs: list[ir.Value]) -> Iterator[ir.Value]:
    """Transpose the 4 × 4 block in the lower and the one in the upper halves of four registers."""
    low, high = (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)
    first, second = (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)
    for interleave in (low, high):
        even = _shuffle(builder, pairs[0], pairs[1], interleave)
        odd = _shuffle(builder, pairs[2], pairs[3], interleave)
        for choose in (first, second):
            yield _shuffle(builder, even, odd, choose)


def _data_pointers(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> list[ir.Value | None]:
    """Pointers to the data of the arguments that are arrays."""
    return [
        context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else None
        for kind, value in zip(signature.args, arguments, strict=True)
    ]


def _either(builder: ir.IRBuilder, condition: ir.Value) -> Iterator[tuple[bool, Any]]:
    """Both branches of a condition: ``(True, block)`` and ``(False, block)``, each block a context manager."""
    truth = builder.icmp_signed("!=", condition, condition.type(0))
    with builder.if_else(truth) as (then, otherwise):
        yield True, then
        yield False, otherwise


def _load(builder: ir.IRBuilder, array: ir.Value, index: ir.Value, kind: ir.Type = VECTOR) -> ir.Value:
    return builder.load(builder.bitcast(builder.gep(array, [index]), ir.PointerType(kind)), align=4)


def _store(builder: ir.IRBuilder, array: ir.Value, index: ir.Value, value: ir.Value) -> None:
    builder.store(value, builder.bitcast(builder.gep(array, [index]), ir.PointerType(value.type)), align=4)


def _multiply_add(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """``a · b + c``, fused where the CPU can."""
    kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{LANES}f32"), [a, b, c])


def _shuffle(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, lanes: Any) -> ir.Value:
    lanes = list(lanes)
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(INT32, len(lanes)), lanes))


def _in_all_lanes(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    undefined = ir.Constant(VECTOR, ir.Undefined)
    return _shuffle(builder, builder.insert_element(undefined, value, INT32(0)), undefined, [0] * LANES)


@cache
def kernel_loop(max_length: int) -> Any:
    """The loop over batches and references, compiled for one ``max_length``.

    Only numbers may be closed over: Numba's cache on disk tells variants apart by them, but not by functions.
    """
    lanes = LANES

    @compiled
    def loop(  # type: ignore[no-untyped-def]
        first,
        last,
        tokens,
        starts,
        steps,
        order,
        table,
        table_width,
        reference_starts,
        reference_lengths,
        longest,
        decay,
        weights,
        scales,
        kernel,
        winners,
    ):
        n_references = reference_lengths.size
        scratch = aligned_floats((longest * max_length + max_length + 2) * lanes)
        totals, scratch = scratch[:lanes], scratch[2 * lanes :]
        sums, scratch = scratch[: max_length * lanes], scratch[max_length * lanes :]
        column, before = scratch[: longest * lanes], scratch[longest * lanes :]
        best = np.empty(lanes, np.float64)
        winner = np.empty(lanes, np.uint8)
        for batch in range(first, last):
            best[:] = 0
            winner[:] = NO_NEIGHBOUR
            for reference in range(n_references):
                n_positions = reference_lengths[reference]
                sums[:] = 0
                for step in range(steps[batch]):
                    place = starts[batch] + step * lanes
                    is_last = step == steps[batch] - 1
                    load_column(n_positions, table, reference_starts[reference], table_width, tokens, place, column)  # type: ignore[call-arg]
                    advance(max_length, step, is_last, n_positions, column, before, sums, decay)
                weigh(max_length, weights, sums, totals)  # type: ignore[call-arg]
                if winners.size:
                    for lane in range(lanes):
                        scaled = totals[lane] * scales[reference]
                        if scaled > best[lane]:
                            best[lane] = scaled
                            winner[lane] = reference
                else:
                    for lane in range(lanes):
                        sequence = order[batch * lanes + lane]
                        if sequence >= 0:
                            kernel[sequence, reference] = totals[lane]
            if winners.size:
                for lane in range(lanes):
                    sequence = order[batch * lanes + lane]
                    if sequence >= 0:
                        winners[sequence] = winner[lane]

    return loop


@cache
def self_kernel_loop(max_length: int) -> Any:
    """The loop over batches in which each lane is compared with itself."""
    lanes = LANES

    @compiled
    def loop(  # type: ignore[no-untyped-def]
        first, last, first_step, after, order, steps, longest, lengths, within, decay, weights, scratch, result
    ):
        """Steps ``first_step`` to ``after``; ``scratch`` holds what goes on from one stripe of a batch to the next."""
        totals, scratch = scratch[:lanes], scratch[2 * lanes :]
        sums, scratch = scratch[: max_length * lanes], scratch[max_length * lanes :]
        column, before = scratch[: longest * lanes], scratch[longest * lanes :]
        lane_starts = np.zeros(lanes, np.int64)
        block_start = 0
        for batch in range(first, last):
            n_steps = steps[batch]
            for lane in range(lanes):
                lane_starts[lane] = block_start
                sequence = order[batch * lanes + lane]
                if sequence >= 0:
                    length = lengths[sequence]
                    block_start += max(0, min(after, length) - first_step) * length
            if first_step == 0:
                sums[:] = 0
            for step in range(first_step, min(after, n_steps)):
                for lane in range(lanes):
                    sequence = order[batch * lanes + lane]
                    length = lengths[sequence] if sequence >= 0 else 0
                    for position in range(n_steps):
                        inside = step < length and position < length
                        place = lane_starts[lane] + (step - first_step) * length + position
                        column[position * lanes + lane] = within[place] if inside else np.float32(0)
                is_last = step == n_steps - 1
                advance(max_length, step, is_last, n_steps, column, before, sums, decay)  # type: ignore[call-arg]
            if after < n_steps:
                continue
            weigh(max_length, weights, sums, totals)  # type: ignore[call-arg]
            for lane in range(lanes):
                sequence = order[batch * lanes + lane]
                if sequence >= 0:
                    result[sequence] = totals[lane]

    return loop


@compiled
def aligned_floats(size):  # type: ignore[no-untyped-def]
    """Uninitialised floats that begin on a cache line."""
    floats = np.empty(size + 16, np.float32)
    start = (64 - floats.ctypes.data % 64) % 64 // 4
    return floats[start : start + size]
