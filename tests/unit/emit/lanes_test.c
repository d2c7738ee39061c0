/* Every row of emit/lanes.def against the folder's answer: a kernel of two indices, made in blocks, whose turns compute one of
 * a few rows each, chosen by a scalar, so that the others are under a mask that holds no lane. */
#include "build.h"
#include "samples.h"

enum { EACH = 10, MOST = 64 };

static const ilc__op rows[] = {
#define LANE(id, text) ILC__OP_##id,
#define LANE_TRAP(id, text, trap, width) ILC__OP_##id,
#include "emit/lanes.def"
#undef LANE
#undef LANE_TRAP
};
enum { ROWS = sizeof rows / sizeof *rows };

#define LANES_FLAGS "-O2 " ENGINE_FLAGS " "
static const struct {
    const char *name, *options, *needs;
} lane_compilers[] = {
    {"gcc", LANES_FLAGS "-frounding-math", ""},
#ifndef __SANITIZE_ADDRESS__
    {"gcc", LANES_FLAGS "-march=x86-64-v3 -frounding-math -fno-tree-slp-vectorize -fno-tree-loop-vectorize", "v3"},
    {"gcc", LANES_FLAGS "-march=x86-64-v4 -frounding-math -fno-tree-slp-vectorize -fno-tree-loop-vectorize", "v4"},
    {"clang", LANES_FLAGS, ""},
    {"clang", LANES_FLAGS "-march=x86-64-v3", "v3"},
    {"clang", LANES_FLAGS "-march=x86-64-v4", "v4"},
#endif
};
enum { LANE_COMPILERS = sizeof lane_compilers / sizeof *lane_compilers };

static bool runs_here(const char *level)
{
#ifdef __x86_64__
    if (strcmp(level, "v3") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(level, "v4") == 0) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return *level == 0;
}

/* Rows of one signature, from `first` on; how many. */
static uint32_t group_of(uint32_t first, ilc__op *group)
{
    const ilc__op_info *as = ilc__op_info_of(rows[first]);
    uint32_t            count = 0;
    for (uint32_t i = first; i < ROWS && count < EACH; i++) {
        const ilc__op_info *info = ilc__op_info_of(rows[i]);
        if (info->result != as->result || strcmp(info->operands, as->operands) != 0) break;
        group[count++] = rows[i];
    }
    return count;
}

/* For k = 0 To cols - 1: If op = 0 Then r = row0(a(i * cols + k), b(j * cols + k)) ... */
static ilc__unit *kernel_of(const ilc__op *group, uint32_t count)
{
    const ilc__op_info *info = ilc__op_info_of(group[0]);
    ilc__func          *f = func_new("Rows", storage_of(info->result));
    ilc__ir_type        a_type = letter_type(info->operands[0]), b_type = info->operands[1] ? letter_type(info->operands[1]) : a_type;
    ilc__var *a = ARRAY(f, "a", storage_of(a_type)), *b = ARRAY(f, "b", storage_of(b_type)), *op = PARAM(f, "op", ILC_I32), *cols = PARAM(f, "cols", ILC_I32);
    ilc__var *i = PARAM(f, "i", ILC_I32), *j = PARAM(f, "j", ILC_I32), *k = LOCAL(f, "k", ILC_I32), *r = LOCAL(f, "r", storage_of(info->result));
    ilc__stmt *loop = for_new(k, I(0), ILC__OP_LT_I32, V(cols), ILC__OP_ADD_I32, I(1));
    if (!info->operands[1]) { /* a tile reads lines and columns */
        ilc__var *unused = LOCAL(f, "unused", storage_of(a_type));
        append(&loop->body, assign(unused, LOAD(a, OP(ADD_I32, OP(MUL_I32, V(i), V(cols)), V(k)))));
    }
    for (uint32_t n = 0; n < count; n++) {
        ilc__expr *x = LOAD(a, OP(ADD_I32, OP(MUL_I32, V(i), V(cols)), V(k))), *y = LOAD(b, OP(ADD_I32, OP(MUL_I32, V(j), V(cols)), V(k)));
        ilc__expr *value = info->operands[1] ? op2(group[n], x, y) : op1(group[n], y);
        if (info->operands[1] && info->operands[2]) /* the first one again */
            value = op3(group[n], x, y, LOAD(a, OP(ADD_I32, OP(MUL_I32, V(i), V(cols)), V(k))));
        append(&loop->body, IF(OP(EQ_I32, V(op), I((int32_t)n)), assign(r, value)));
    }
    f->body = BLOCK(assign(r, constant(info->result, 0)), loop, ret(V(r)));
    return unit_of(f, NULL);
}

typedef struct rounds {
    long long round, piece;
    char     *shared, *own;
    long long shared_bytes, own_bytes, rounds, pieces;
} rounds;
typedef void rounds_function(const void *const *args, rounds *asked);

static char *room(long long bytes)
{
    size_t size = ((size_t)bytes + 127) / 64 * 64;
    char  *at = aligned_alloc(64, size);
    assert_non_null(at);
    return at;
}

static void run_tile(void *library, const ilc__kernel *kernel, launch *l)
{
    const void *args[32];
    uint64_t    values[32];
    rounds_function *run;
    *(void **)&run = dlsym(library, kernel->tile.entry.name);
    assert_non_null(run);
    pack_args(&kernel->tile.entry, l, values, args);
    rounds asked = {.round = -1};
    run(args, &asked);
    asked.shared = room(asked.shared_bytes);
    asked.own = room(asked.own_bytes);
    for (asked.round = 0; asked.round < asked.rounds; asked.round++) {
        asked.piece = -1;
        run(args, &asked);
        for (asked.piece = 0; asked.piece < asked.pieces; asked.piece++) run(args, &asked);
    }
    free(asked.shared);
    free(asked.own);
}

/* The samples, one after the other. */
static int64_t fill(ilc__ir_type type, void *to, const bool *left_out)
{
    int64_t count = 0;
    for (uint32_t k = 0; k < samples(type); k++) {
        uint64_t bits = sample(type, k);
        size_t   size = type == ILC__IR_I64 || type == ILC__IR_F64 ? 8 : 4;
        if (left_out && left_out[k]) continue;
        memcpy((char *)to + (size_t)count++ * size, &bits, size);
    }
    return count;
}

static uint64_t result_at(ilc__ir_type type, const void *out, int64_t at)
{
    uint64_t bits = 0;
    size_t   size = type == ILC__IR_I64 || type == ILC__IR_F64 ? 8 : 4;
    memcpy(&bits, (const char *)out + (size_t)at * size, size);
    return bits;
}

typedef struct pair_answer {
    uint64_t          bits;
    bool              fine;
    ilc__exception_id exception;
} pair_answer;

static pair_answer answer_of(ilc__op row, uint64_t a, uint64_t b)
{
    pair_answer answer = {.exception = ILC__EXC_COUNT};
    bool        two = ilc__op_info_of(row)->operands[1];
    answer.fine = ilc__op_eval3(row, two ? a : b, two ? b : 0, a, &answer.bits, &answer.exception);
    return answer;
}

static long compared;

/* One sample of a, all of b with which it does not raise. */
static int differences_of_values(void *library, const ilc__kernel *kernel, ilc__op row, int32_t number, uint32_t i)
{
    const ilc__op_info *info = ilc__op_info_of(row);
    ilc__ir_type        a = letter_type(info->operands[0]), b = info->operands[1] ? letter_type(info->operands[1]) : a;
    uint64_t            line[1] = {sample(a, i)}, columns[MOST], out[MOST] = {0};
    bool                raises[MOST];
    int                 differences = 0;
    for (uint32_t k = 0; k < samples(b); k++) raises[k] = !answer_of(row, sample(a, i), sample(b, k)).fine;
    int64_t count = fill(b, columns, raises), at = 0;
    launch  l = {.scalar = {0, 0, number, 1}, .array = {line, columns}, .length = {1, count}, .out = out, .extents = {1, count}};
    if (count == 0) return 0;
    run_tile(library, kernel, &l);
    for (uint32_t k = 0; k < samples(b); k++) {
        if (raises[k]) continue;
        uint64_t got = cut(info->result, result_at(info->result, out, at++)), expected = cut(info->result, answer_of(row, sample(a, i), sample(b, k)).bits);
        compared++;
        if (got == expected || (is_nan(info->result, got) && is_nan(info->result, expected))) continue;
        print_error("%s of %016llx, %016llx: %016llx, expected %016llx\n", info->text, (unsigned long long)sample(a, i),
                    (unsigned long long)sample(b, k), (unsigned long long)got, (unsigned long long)expected);
        differences++;
    }
    if (l.slot != UINT64_MAX) print_error("%s raised with %016llx\n", info->text, (unsigned long long)sample(a, i));
    return differences + (l.slot != UINT64_MAX);
}

/* All pairs: the first that raises is the one that is reported, and where none does none is. */
static int differences_of_traps(void *library, const ilc__kernel *kernel, ilc__op row, int32_t number)
{
    const ilc__op_info *info = ilc__op_info_of(row);
    ilc__ir_type        a = letter_type(info->operands[0]), b = info->operands[1] ? letter_type(info->operands[1]) : a;
    static uint64_t     lines[MOST], columns[MOST], out[MOST * MOST];
    int64_t             rows_ = fill(a, lines, NULL), count = fill(b, columns, NULL), first = -1;
    launch              l = {.scalar = {0, 0, number, 1}, .array = {lines, columns}, .length = {rows_, count}, .out = out, .extents = {rows_, count}};
    run_tile(library, kernel, &l);
    for (int64_t at = 0; at < rows_ * count && first < 0; at++)
        if (!answer_of(row, sample(a, (uint32_t)(at / count)), sample(b, (uint32_t)(at % count))).fine) first = at;
    int64_t found = l.slot == UINT64_MAX ? -1 : (int64_t)(l.slot >> 16);
    if (found != first) print_error("%s: element %lld raised, expected %lld\n", info->text, (long long)found, (long long)first);
    return found != first;
}

static void *compile_lanes(int number, const char *source)
{
    compiler c = {lane_compilers[number].name, lane_compilers[number].options};
    return runs_here(lane_compilers[number].needs) ? compile_c(&c, source) : NULL;
}

static ilc__kernel tiled(const ilc__op *group, uint32_t count)
{
    trees_reset();
    ilc__unit        *unit = kernel_of(group, count);
    ilc__tile_plan    plan = {0};
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true, .tile = &plan};
    ilc__kernel_spec  spec = spec_2d(4, 5);
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit, &spec, &options, &kernel), ILC_OK);
    return kernel;
}

static void test_every_row_gives_the_folders_bits_and_traps(void **state)
{
    (void)state;
    int      differences = 0;
    ilc__op  group[EACH];
    uint32_t count;
    for (uint32_t first = 0; first < ROWS; first += count) {
        count = group_of(first, group);
        ilc__kernel         kernel = tiled(group, count);
        const ilc__op_info *info = ilc__op_info_of(rows[first]);
        if (!kernel.tile.entry.name) print_error("no tile from %s on\n", info->text);
        assert_non_null(kernel.tile.entry.name);
        for (int c = 0; c < LANE_COMPILERS; c++) {
            void *library = compile_lanes(c, kernel.source);
            for (uint32_t n = 0; library && n < count; n++) {
                int before = differences;
                for (uint32_t i = 0; i < (info->operands[1] ? samples(letter_type(info->operands[0])) : 1); i++)
                    differences += differences_of_values(library, &kernel, group[n], (int32_t)n, i);
                differences += differences_of_traps(library, &kernel, group[n], (int32_t)n);
                if (differences != before) print_error("%s %s\n", lane_compilers[c].name, lane_compilers[c].options);
            }
            if (library) dlclose(library);
        }
    }
    assert_int_equal(differences, 0);
    print_message("%d rows, %ld answers compared\n", ROWS, compared);
}

static void test_a_turn_without_a_vector_form_has_no_tile(void **state)
{
    (void)state;
    assert_null(tiled((const ilc__op[]){ILC__OP_DIV_I32}, 1).tile.entry.name);
    assert_null(tiled((const ilc__op[]){ILC__OP_ADD_F64, ILC__OP_POW_F64}, 2).tile.entry.name);
    assert_non_null(tiled((const ilc__op[]){ILC__OP_ADD_F64}, 1).tile.entry.name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_gives_the_folders_bits_and_traps),
        cmocka_unit_test(test_a_turn_without_a_vector_form_has_no_tile),
    };
    return cmocka_run_group_tests_name("operations over vectors", tests, NULL, NULL);
}
