/* tile_cuda.c - the kernel of a pairwise tile (tile.h): a block of threads keeps the part of the rows and columns that its
 * elements read in shared memory, `depth` turns at a time, while the next part is on its way; each thread runs the turns of
 * its elements in their order, so every element has the bits of the plain kernel. */
#include "emit/rows.h"

typedef struct writer {
    ilc__emitter          *em;
    const ilc__tile_shape *shape;
    const ilc__tile_parts *parts;
    const ilc__func_info  *root;
    const ilc__entry      *entry;
    const ilc__tile_size  *size;
} writer;

const char ilc__quad_prelude[] =
    "// Four values that are one access to memory.\n"
    "template <typename T> struct alignas(sizeof(T) < 4 ? sizeof(T) * 4 : 16) il_quad { T at[4]; };\n";
const char ilc__tile_prelude[] =
    "static __device__ inline long long il_least(long long a, long long b) { return a < b ? a : b; }\n"
    "// A block's part of an array: LINES lines, DEPTH elements of each, which its threads read together; the lines behind the\n"
    "// last are the last.\n"
    "template <typename T, int LINES, int DEPTH, int THREADS> struct il_part {\n"
    "    enum { ACROSS = DEPTH / 4, ALL = LINES * ACROSS, EACH = (ALL + THREADS - 1) / THREADS };\n"
    "    const T *from[EACH];\n"
    "    il_quad<T> next[EACH];\n"
    "    bool whole;\n"
    "    __device__ il_part(const T *array, long long stride, long long line0, long long lines) {\n"
    "        whole = stride % 4 == 0 && (unsigned long long)array % alignof(il_quad<T>) == 0;\n"
    "        #pragma unroll\n"
    "        for (int h = 0; h < EACH; h++) {\n"
    "            const int e = threadIdx.x + h * THREADS;\n"
    "            from[h] = array + il_least(line0 + e / ACROSS, lines - 1) * stride + e % ACROSS * 4;\n"
    "        }\n"
    "    }\n"
    "    __device__ void fetch(long long at, long long end) {\n"
    "        #pragma unroll\n"
    "        for (int h = 0; h < EACH; h++) {\n"
    "            const int e = threadIdx.x + h * THREADS;\n"
    "            const long long left = end - at - e % ACROSS * 4;\n"
    "            if (ALL % THREADS != 0 && e >= ALL) continue;\n"
    "            if (whole && left >= 4) next[h] = *(const il_quad<T> *)(from[h] + at);\n"
    "            else\n"
    "                #pragma unroll\n"
    "                for (int q = 0; q < 4; q++) next[h].at[q] = q < left ? from[h][at + q] : T(0);\n"
    "        }\n"
    "    }\n"
    "    __device__ void stash(T (*to)[LINES + 4]) {\n"
    "        #pragma unroll\n"
    "        for (int h = 0; h < EACH; h++) {\n"
    "            const int e = threadIdx.x + h * THREADS;\n"
    "            if (ALL % THREADS != 0 && e >= ALL) continue;\n"
    "            #pragma unroll\n"
    "            for (int q = 0; q < 4; q++) to[e % ACROSS * 4 + q][e / ACROSS] = next[h].at[q];\n"
    "        }\n"
    "    }\n"
    "};\n";

/* --- pieces of the kernel ----------------------------------------------------------------------------------------- */

static void print_head(writer *w)
{
    const ilc__tile_size *s = w->size;
    ilc__out(w->em, "extern \"C\" __global__ void __launch_bounds__(%u, %u) %s(", s->rows / s->row_cells * (s->cols / s->col_cells), s->blocks,
             w->entry->name);
    ilc__entry_params(w->em, w->entry);
    ilc__out(w->em, ") {\n    enum { ROWS = %u, COLS = %u, DEPTH = %u, ROW_CELLS = %u, COL_CELLS = %u };\n", s->rows, s->cols, s->depth, s->row_cells,
             s->col_cells);
    ilc__out(w->em, "    enum { ACROSS = COLS / COL_CELLS, DOWN = ROWS / ROW_CELLS, THREADS = ACROSS * DOWN };\n");
    ilc__out(w->em, "    const int il_x = threadIdx.x %% ACROSS, il_y = threadIdx.x / ACROSS;\n");
    ilc__out(w->em, "    const long long il_row0 = (long long)blockIdx.y * ROWS, il_col0 = (long long)blockIdx.x * COLS;\n");
    if (w->shape->symmetric)
        ilc__out(w->em, "    const bool il_half = %s; // (j, i) has the cell of (i, j)\n"
                        "    if (il_half && il_col0 + COLS <= il_row0) return;\n", ilc__tile_half_text(w->em, w->shape, w->root));
    ilc__out(w->em, "    const long long il_first = %s, il_turns = %s;\n", ilc__tile_poly_text(w->em, w->root, &w->shape->first), ilc__tile_poly_text(w->em, w->root, &w->shape->turns));
}

/* What each load's lines are: rows of its array by i or by j. */
static void print_parts(writer *w)
{
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        const ilc__tile_load *l = &w->shape->loads[i];
        const char           *lines = l->by_j ? "COLS" : "ROWS", *type = ilc__c_type(l->storage);
        ilc__out(w->em, "    __shared__ __align__(16) %s il_s%u[2][DEPTH][%s + 4];\n", type, i, lines);
        ilc__out(w->em, "    il_part<%s, %s, DEPTH, THREADS> il_p%u(%s + (%s) + il_first, %s, %s, %s);\n", type, lines, i,
                 w->root->var_names[l->array->index], ilc__tile_poly_text(w->em, w->root, &l->start), ilc__tile_poly_text(w->em, w->root, &l->stride), l->by_j ? "il_col0" : "il_row0",
                 l->by_j ? "il_nCols" : "il_nRows");
    }
}

static const char *of_each(writer *w, const char *format, const char *between)
{
    ilc__text text = {.arena = w->em->arena};
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        if (i) ilc__text_puts(&text, between);
        for (const char *at = format; *at; at++)
            if (*at == '#') ilc__text_printf(&text, "%u", i);
            else ilc__text_putc(&text, *at);
    }
    return ilc__text_string(&text);
}

/* Of the thread's cell at [a][b]: its row or column. Cells come in groups of 4, so that four values are one access. */
static const char row_text[] = "il_row0 + (a / 4) * (DOWN * 4) + il_y * 4 + a % 4";
static const char col_text[] = "il_col0 + (b / 4) * (ACROSS * 4) + il_x * 4 + b % 4";

static void each_cell(writer *w, int width)
{
    ilc__out(w->em, "%*s#pragma unroll\n%*sfor (int a = 0; a < ROW_CELLS; a++) {\n", width, "", width, "");
    ilc__out(w->em, "%*s#pragma unroll\n%*sfor (int b = 0; b < COL_CELLS; b++) {\n", width + 4, "", width + 4, "");
}

static const char *const rows_and_cols[] = {"il_i", "il_j"};

/* Elements behind the last row or column do what the last one does, for nothing. */
static void print_begin(writer *w)
{
    ilc__out(w->em, "    %s il_cells[ROW_CELLS][COL_CELLS] = {};\n    bool il_failed = false;\n", w->parts->cell);
    each_cell(w, 4);
    ilc__out(w->em, "            const long long il_i = il_least(%s, il_nRows - 1), il_j = il_least(%s, il_nCols - 1);\n", row_text, col_text);
    ilc__out(w->em, "            %s &il_cell = il_cells[a][b];\n            %s;\n        }\n    }\n", w->parts->cell,
             ilc__entry_call(w->em, w->entry, &w->parts->begin, rows_and_cols));
}

/* The scalars of the launch, the indices and the counter as the body reads them; then what it loads. */
static const char *step_params(writer *w)
{
    ilc__text text = {.arena = w->em->arena};
    ilc__text_printf(&text, "%s &il_cell, bool &il_failed", w->parts->cell);
    for (uint32_t i = 0; i < w->shape->func->vars.count; i++)
        if (w->parts->step_reads[i])
            ilc__text_printf(&text, ", %s %s", ilc__c_type(w->shape->func->vars.items[i]->storage), w->parts->step.var_names[i]);
    for (uint32_t i = 0; i < w->shape->load_count; i++)
        ilc__text_printf(&text, ", %s %s", ilc__c_type(w->shape->loads[i].storage), w->shape->loads[i].name);
    return ilc__text_string(&text);
}

/* The values that the step takes: "il_cells[a][b], p_k, il_v0[a], il_v1[b]". */
static const char *step_call(writer *w)
{
    const ilc__func *func = w->shape->func;
    ilc__text        text = {.arena = w->em->arena};
    ilc__text_printf(&text, "%s(il_cells[a][b], il_failed", w->parts->step.name);
    for (uint32_t i = 0; i < func->vars.count; i++) {
        if (!w->parts->step_reads[i]) continue;
        const char *value = w->root->var_names[i];
        if (i == w->em->spec->index_params[0]) value = ilc__arena_printf(w->em->arena, "(%s)il_least(%s, il_nRows - 1)", ilc__c_type(func->vars.items[i]->storage), row_text);
        if (i == w->em->spec->index_params[1]) value = ilc__arena_printf(w->em->arena, "(%s)il_least(%s, il_nCols - 1)", ilc__c_type(func->vars.items[i]->storage), col_text);
        if (i == w->shape->loop->var->index) value = ilc__arena_printf(w->em->arena, "(%s)(il_first + il_k0 + k)", ilc__c_type(func->vars.items[i]->storage));
        ilc__text_printf(&text, ", %s", value);
    }
    for (uint32_t i = 0; i < w->shape->load_count; i++) ilc__text_printf(&text, ", il_v%u[%c]", i, w->shape->loads[i].by_j ? 'b' : 'a');
    ilc__text_putc(&text, ')');
    return ilc__text_string(&text);
}

/* One turn of every cell; k of the part at hand. */
static void print_turn(writer *w, int width)
{
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        const ilc__tile_load *l = &w->shape->loads[i];
        const char           *cells = l->by_j ? "COL_CELLS" : "ROW_CELLS", *across = l->by_j ? "ACROSS" : "DOWN", *at = l->by_j ? "il_x" : "il_y";
        ilc__out(w->em, "%*salignas(16) %s il_v%u[%s];\n", width, "", ilc__c_type(l->storage), i, cells);
        ilc__out(w->em, "%*s#pragma unroll\n%*sfor (int h = 0; h < %s / 4; h++)\n", width, "", width, "", cells);
        ilc__out(w->em, "%*s    *(il_quad<%s> *)&il_v%u[h * 4] = *(const il_quad<%s> *)&il_s%u[il_buffer][k][h * (%s * 4) + %s * 4];\n", width, "",
                 ilc__c_type(l->storage), i, ilc__c_type(l->storage), i, across, at);
    }
    each_cell(w, width);
    ilc__out(w->em, "%*s%s;\n%*s}\n%*s}\n", width + 8, "", step_call(w), width + 4, "", width, "");
}

static void print_turns(writer *w)
{
    ilc__out(w->em, "    int il_buffer = 0;\n");
    ilc__out(w->em, "    if (il_turns > 0) { %s }\n", of_each(w, "il_p#.fetch(0, il_turns);", " "));
    ilc__out(w->em, "    %s\n    __syncthreads();\n", of_each(w, "il_p#.stash(il_s#[0]);", " "));
    ilc__out(w->em, "    long long il_k0 = 0;\n    for (; il_k0 + DEPTH <= il_turns; il_k0 += DEPTH) {\n");
    ilc__out(w->em, "        const bool il_more = il_k0 + DEPTH < il_turns;\n");
    ilc__out(w->em, "        if (il_more) { %s }\n", of_each(w, "il_p#.fetch(il_k0 + DEPTH, il_turns);", " "));
    ilc__out(w->em, "        #pragma unroll\n        for (int k = 0; k < DEPTH; k++) {\n");
    print_turn(w, 12);
    ilc__out(w->em, "        }\n        if (il_more) {\n            il_buffer ^= 1;\n            %s\n            __syncthreads();\n        }\n    }\n",
             of_each(w, "il_p#.stash(il_s#[il_buffer]);", " "));
    ilc__out(w->em, "    #pragma unroll 1\n    for (int k = 0; k < (int)(il_turns - il_k0); k++) {\n");
    print_turn(w, 8);
    ilc__out(w->em, "    }\n");
}

/* The value of the element in row il_r and column il_c, from il_cell. */
static const char *end_call(writer *w)
{
    static const char *const here[] = {"il_r", "il_c"};
    const char              *end = ilc__entry_call(w->em, w->entry, &w->parts->end, here);
    if (!w->parts->step.marks) return end;
    return ilc__arena_printf(w->em->arena, "il_failed ? %s : %s", ilc__entry_call(w->em, w->entry, w->root, here), end);
}

/* Four elements of a row, il_r, from column il_c0 on: the values of those that `wanted` says, and their stores. */
static void print_quad(writer *w, const char *wanted, const char *all, const char *cell)
{
    const char *type = ilc__c_type(w->shape->func->ret);
    ilc__out(w->em, "            il_quad<%s> il_values;\n            #pragma unroll\n            for (int q = 0; q < 4; q++) {\n", type);
    ilc__out(w->em, "                const long long il_c = il_c0 + q;\n                if (!(%s)) continue;\n", wanted);
    if (w->root->traps) ilc__out(w->em, "                il_state il_at = {il_trap, il_r * il_nCols + il_c, 0};\n");
    ilc__out(w->em, "                const %s &il_cell = %s;\n                il_values.at[q] = %s;\n            }\n", w->parts->cell, cell,
             end_call(w));
    ilc__out(w->em, "            %s *const il_to = &il_out[il_r * il_nCols + il_c0];\n", type);
    ilc__out(w->em, "            if (il_whole && %s) *(il_quad<%s> *)il_to = il_values;\n            else\n", all, type);
    ilc__out(w->em, "                #pragma unroll\n                for (int q = 0; q < 4; q++) {\n"
                    "                    const long long il_c = il_c0 + q;\n                    if (%s) il_to[q] = il_values.at[q];\n                }\n", wanted);
}

/* Where a half is enough, elements on and above the diagonal are stored from their own cells, those below from the cells of
 * their mirror images. */
static void print_end(writer *w)
{
    bool half = w->shape->symmetric;
    ilc__out(w->em, "    const bool il_whole = il_nCols %% 4 == 0 && (unsigned long long)il_out %% (4 * sizeof *il_out) == 0;\n");
    ilc__out(w->em, "    #pragma unroll\n    for (int a = 0; a < ROW_CELLS; a++) {\n");
    ilc__out(w->em, "        const long long il_r = %s;\n        if (il_r >= il_nRows) continue;\n", row_text);
    ilc__out(w->em, "        #pragma unroll\n        for (int h = 0; h < COL_CELLS; h += 4) {\n");
    ilc__out(w->em, "            const long long il_c0 = il_col0 + (h / 4) * (ACROSS * 4) + il_x * 4;\n");
    print_quad(w, half ? "il_c < il_nCols && (!il_half || il_c >= il_r)" : "il_c < il_nCols",
               half ? "il_c0 + 3 < il_nCols && (!il_half || il_c0 >= il_r)" : "il_c0 + 3 < il_nCols", "il_cells[a][h + q]");
    ilc__out(w->em, "        }\n    }\n");
    if (half) {
        ilc__out(w->em, "    if (!il_half) return;\n    #pragma unroll\n    for (int b = 0; b < COL_CELLS; b++) {\n");
        ilc__out(w->em, "        const long long il_r = %s;\n        if (il_r >= il_nRows) continue;\n", col_text);
        ilc__out(w->em, "        #pragma unroll\n        for (int h = 0; h < ROW_CELLS; h += 4) {\n");
        ilc__out(w->em, "            const long long il_c0 = il_row0 + (h / 4) * (DOWN * 4) + il_y * 4;\n");
        print_quad(w, "il_c < il_r", "il_c0 + 3 < il_r", "il_cells[h + q][b]");
        ilc__out(w->em, "        }\n    }\n");
    }
    ilc__out(w->em, "}\n");
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* Measured on an H200 (docs/schedules.md). Cells and loaded values are to stay in registers, of which a thread of two blocks
 * of 256 has 128. */
static const ilc__tile_sizes fused = {
    .count = 5,
    .sizes = {{256, 128, 8, 16, 8, 1}, {128, 128, 16, 8, 8, 2}, {64, 64, 32, 8, 4, 4}, {128, 64, 16, 8, 8, 2}, {64, 32, 32, 4, 4, 4}},
    .full = {{1, 40}, {0, 9}, {3, 9}, {4, 0}},
    .half = {{0, 70}, {1, 35}, {2, 35}, {3, 5}, {4, 0}},
};
static const ilc__tile_sizes light = {
    .count = 2, .sizes = {{128, 128, 8, 8, 8, 2}, {64, 64, 32, 4, 4, 2}}, .full = {{0, 20}, {1, 0}}, .half = {{0, 20}, {1, 0}}};
static const ilc__tile_sizes many_loads = {
    .count = 2, .sizes = {{128, 128, 8, 8, 8, 2}, {64, 64, 16, 4, 4, 2}}, .full = {{0, 20}, {1, 0}}, .half = {{0, 20}, {1, 0}}};
static const ilc__tile_sizes two_words = {
    .count = 2, .sizes = {{64, 128, 8, 4, 8, 2}, {64, 64, 16, 4, 4, 2}}, .full = {{0, 20}, {1, 0}}, .half = {{0, 20}, {1, 0}}};
static const ilc__tile_sizes heavy = {.count = 1, .sizes = {{64, 64, 16, 4, 4, 2}}};

static const ilc__tile_sizes *sizes_for(const ilc__tile_shape *shape)
{
    uint32_t cell = 0, line = 0;
    for (uint32_t i = 0; i < shape->func->vars.count; i++)
        if (shape->cell[i]) cell += ilc_storage_size(shape->func->vars.items[i]->storage) > 4 ? 2 : 1;
    for (uint32_t i = 0; i < shape->load_count; i++) line += ilc_storage_size(shape->loads[i].storage) > 4 ? 2 : 1;
    if (line > 4 || shape->weight > ILC__TILE_LIGHT || cell > 2) return &heavy;
    if (cell == 2) return &two_words;
    if (line > 2) return &many_loads;
    return shape->fused ? &fused : &light;
}

static uint64_t shared_bytes(const ilc__tile_shape *shape, const ilc__tile_size *size)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < shape->load_count; i++)
        bytes += 2ull * size->depth * ((shape->loads[i].by_j ? size->cols : size->rows) + 4) * ilc_storage_size(shape->loads[i].storage);
    return bytes;
}

bool ilc__tile_size_fits(const ilc__tile_size *s)
{
    const uint32_t parts[] = {s->rows, s->cols, s->depth, s->row_cells, s->col_cells};
    for (uint32_t i = 0; i < 5; i++)
        if (parts[i] < 4 || parts[i] > 512 || parts[i] % 4) return false;
    if (s->rows % s->row_cells || s->cols % s->col_cells || s->blocks < 1 || s->blocks > 16) return false;
    return s->rows / s->row_cells * (s->cols / s->col_cells) <= 1024;
}

/* How many blocks do not return at once, of `down` rows of `across`. */
static uint64_t blocks_at_work(const ilc__tile_size *size, uint64_t down, uint64_t across, bool half)
{
    if (!half) return down * across;
    uint64_t blocks = 0;
    for (uint64_t y = 0; y < down; y++) {
        uint64_t left = y * size->rows / size->cols;
        blocks += across > left ? across - left : 0;
    }
    return blocks;
}

uint32_t ilc__tile_choose(const ilc__tile *tile, const int64_t extents[2], uint32_t multiprocessors)
{
    if (tile->rows) return ilc__rows_choose(tile->rows, extents[0], multiprocessors);
    bool                    half = tile->symmetric && extents[0] == extents[1];
    const ilc__tile_choice *at = half ? tile->choice->half : tile->choice->full;
    for (; at->tenths; at++) {
        const ilc__tile_size *size = &tile->choice->sizes[at->number];
        uint64_t down = ((uint64_t)extents[0] - 1) / size->rows + 1, across = ((uint64_t)extents[1] - 1) / size->cols + 1;
        if (down > 65535 || 10 * blocks_at_work(size, down, across, half) >= (uint64_t)at->tenths * multiprocessors) break;
    }
    return at->number;
}

bool ilc__tile_fits_cuda(ilc__emitter *em, ilc__tile_shape *shape, ilc__tile *tile)
{
    const ilc__tile_plan *plan = em->options->tile;
    tile->choice = sizes_for(shape);
    if (plan->number >= tile->choice->count) return false; /* there are fewer sizes */
    tile->size = plan->size.rows ? plan->size : tile->choice->sizes[plan->number];
    bool fits = shared_bytes(shape, &tile->size) <= 48 * 1024;
    if (!fits) ilc__note_add(em, "tile", false, shape->loop, "a block of %u x %u elements is more than shared memory holds", tile->size.rows, tile->size.cols);
    return fits;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

ilc_status ilc__tile_print_cuda(ilc__emitter *em, const ilc__tile_shape *shape, ilc__tile_parts *parts, const ilc__func_info *root,
                                ilc__tile *tile)
{
    writer w = {em, shape, parts, root, &tile->entry, &tile->size};
    ilc__out(em, "// What an element keeps from turn to turn of its loop.\nstruct %s {%s };\n\n", parts->cell, ilc__tile_fields(em, shape, root));
    ILC__TRY(ilc__func_print(em, &parts->begin, true));
    parts->step.cell_param = step_params(&w);
    ILC__TRY(ilc__func_print(em, &parts->step, true));
    ILC__TRY(ilc__func_print(em, &parts->end, true));
    print_head(&w);
    print_parts(&w);
    print_begin(&w);
    print_turns(&w);
    print_end(&w);
    return ILC_OK;
}
