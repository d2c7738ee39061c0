/* rows_cuda.c - the kernel of rows read together (rows.h): a warp has an element in some of its lanes. Where all of them
 * walk their rows, the lanes copy 32 turns' worth of the rows at a time, each row by neighbouring lanes, into shared memory,
 * and each lane runs its own turns from there in their order, while the next parts are on their way. */
#include "emit/rows.h"

const char ilc__rows_prelude[] =
    "static __device__ inline void il_copies_end() {\n"
    "#if __CUDA_ARCH__ >= 800\n"
    "    asm volatile(\"cp.async.commit_group;\" ::: \"memory\");\n"
    "#endif\n"
    "}\n"
    "// Copies of this thread have come, but for those of its last LATE groups.\n"
    "template <int LATE> static __device__ inline void il_copies_await() {\n"
    "#if __CUDA_ARCH__ >= 800\n"
    "    asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(LATE) : \"memory\");\n"
    "#endif\n"
    "}\n"
    "// A warp's part of an array: of ROWS rows 32 elements, in each of PARTS parts. Rows behind the last are the last; lanes behind\n"
    "// the last row begin with the first again.\n"
    "template <typename T, int ROWS, int PARTS> struct il_warp_rows {\n"
    "    T (*parts)[ROWS][33];\n"
    "    const T *from;\n"
    "    long long stride, turns;\n"
    "    int last;\n"
    "    __device__ il_warp_rows(unsigned char *shared, const T *array, long long stride, long long row0, long long rows, long long turns)\n"
    "        : parts((T (*)[ROWS][33])shared), from(array + row0 * stride + threadIdx.x), stride(stride), turns(turns),\n"
    "          last(rows - row0 < ROWS ? (int)(rows - row0) - 1 : ROWS - 1) {}\n"
    "    __device__ void fetch(long long turn) {\n"
    "        T (*to)[33] = parts[(unsigned)(turn / 32) % PARTS];\n"
    "        const T *at = from + turn;\n"
    "        if (turn + threadIdx.x >= turns) return;\n"
    "        #pragma unroll\n"
    "        for (int r = 0; r < ROWS; r++) {\n"
    "#if __CUDA_ARCH__ >= 800\n"
    "            unsigned place;\n"
    "            asm(\"{ .reg .u64 at; cvta.to.shared.u64 at, %1; cvt.u32.u64 %0, at; }\" : \"=r\"(place) : \"l\"(&to[r][threadIdx.x]));\n"
    "            asm volatile(\"cp.async.ca.shared.global [%0], [%1], %2;\" :: \"r\"(place), \"l\"(at), \"n\"(sizeof(T)) : \"memory\");\n"
    "#else\n"
    "            to[r][threadIdx.x] = *at;\n"
    "#endif\n"
    "            if (r < last) at += stride;\n"
    "        }\n"
    "    }\n"
    "    __device__ const T *row(long long turn) { return parts[(unsigned)(turn / 32) % PARTS][threadIdx.x % ROWS]; }\n"
    "};\n";

typedef struct writer {
    ilc__emitter          *em;
    const struct ilc__rows *rows;
    const ilc__func_info  *root;
    ilc__func_info         whole; /* the function that a warp runs together */
    const ilc__entry      *entry;
} writer;

/* --- the function ------------------------------------------------------------------------------------------------- */

static const char *value_text(ilc__emitter *em, uint32_t load)
{
    return ilc__arena_printf(em->arena, "il_line%u[il_h]", load);
}

static const ilc__rows_loop *loop_of(const struct ilc__rows *rows, const ilc__stmt *stmt)
{
    for (uint32_t i = 0; i < rows->loop_count; i++)
        if (rows->loops[i].loop == stmt) return &rows->loops[i];
    return NULL;
}

static uint64_t load_bytes(const struct ilc__rows *rows, const ilc__tile_load *load)
{
    return (uint64_t)rows->parts * rows->rows * (ILC__ROWS_LANES + 1) * ilc_storage_size(load->storage);
}

static uint64_t shared_bytes(const struct ilc__rows *rows)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < rows->loop_count; i++) {
        uint64_t bytes = 0;
        for (uint32_t k = 0; k < rows->loops[i].load_count; k++) bytes += load_bytes(rows, &rows->loops[i].loads[k]);
        if (bytes > most) most = bytes;
    }
    return most;
}

static void fetch_lines(ilc__printer *p, const ilc__rows_loop *loop, const char *turn)
{
    ilc__text text = {.arena = p->em->arena};
    for (uint32_t i = 0; i < loop->load_count; i++) ilc__text_printf(&text, "il_read%u.fetch(%s); ", i, turn);
    ilc__line_out(p, "%sil_copies_end();", ilc__text_string(&text));
}

bool ilc__rows_loop_head(ilc__printer *p, const ilc__stmt *stmt)
{
    const ilc__rows_loop *loop = loop_of(p->info->rows, stmt);
    uint32_t              parts = p->info->rows->parts;
    uint64_t              at = 0;
    if (!loop) return false;
    ilc__line_out(p, "{");
    p->indent++;
    ilc__line_out(p, "const long long il_first = %s, il_turns = %s;", ilc__tile_poly_text(p->em, p->info, &loop->first),
                  ilc__tile_poly_text(p->em, p->info, &loop->turns));
    if (p->info->rows->split) {
        ilc__split_loop_head(p, loop);
        return true;
    }
    for (uint32_t i = 0; i < loop->load_count; i++) {
        const ilc__tile_load *l = &loop->loads[i];
        ilc__line_out(p, "il_warp_rows<%s, %u, %u> il_read%u(il_shared + %llu, %s + (%s) + il_first, %s, il_row0, il_nRows, il_turns);", ilc__c_type(l->storage),
                      p->info->rows->rows, parts, i, (unsigned long long)at, p->info->var_names[l->array->index], ilc__tile_poly_text(p->em, p->info, &l->start),
                      ilc__tile_poly_text(p->em, p->info, &l->stride));
        at += load_bytes(p->info->rows, l);
    }
    for (uint32_t k = 0; k + 1 < parts; k++) fetch_lines(p, loop, ilc__print(p, "%u", k * ILC__ROWS_LANES));
    ilc__line_out(p, "for (long long il_k0 = 0; il_k0 < il_turns; il_k0 += %u) {", ILC__ROWS_LANES);
    p->indent++;
    ilc__line_out(p, "il_copies_await<%u>();", parts - 2);
    ilc__line_out(p, "__syncwarp();");
    fetch_lines(p, loop, ilc__print(p, "il_k0 + %u", (parts - 1) * ILC__ROWS_LANES));
    for (uint32_t i = 0; i < loop->load_count; i++)
        ilc__line_out(p, "const %s *il_line%u = il_read%u.row(il_k0);", ilc__c_type(loop->loads[i].storage), i, i);
    if (p->info->rows->light) { /* whole parts have a count that the compiler knows */
        ilc__line_out(p, "const auto il_run = [&](int il_count) {");
        p->indent++;
        ilc__line_out(p, "#pragma unroll");
    } else {
        ilc__line_out(p, "const int il_count = il_turns - il_k0 < %u ? (int)(il_turns - il_k0) : %u;", ILC__ROWS_LANES, ILC__ROWS_LANES);
        ilc__line_out(p, "#pragma unroll 8");
    }
    ilc__line_out(p, "for (int il_h = 0; il_h < il_count; il_h++) {");
    ilc__rows_counter(p, stmt, "il_first + il_k0 + il_h");
    return true;
}

void ilc__rows_counter(ilc__printer *p, const ilc__stmt *stmt, const char *turn)
{
    const char *type = ilc__c_type(stmt->var->storage);
    if (ilc__tile_reads(p->em, p->func, &stmt->body)[stmt->var->index])
        ilc__line_out(p, "    %s %s = (%s)(%s);", type, p->info->var_names[stmt->var->index], type, turn);
}

void ilc__rows_loop_end(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__line_out(p, "}");
    if (p->info->rows->split) {
        ilc__split_loop_end(p, loop_of(p->info->rows, stmt));
        return;
    }
    if (p->info->rows->light) {
        p->indent--;
        ilc__line_out(p, "};");
        ilc__line_out(p, "if (il_turns - il_k0 >= %u) il_run(%u);", ILC__ROWS_LANES, ILC__ROWS_LANES);
        ilc__line_out(p, "else il_run((int)(il_turns - il_k0));");
    }
    p->indent--;
    ilc__line_out(p, "}");
    ilc__line_out(p, "__syncwarp();");
    p->indent--;
    ilc__line_out(p, "}");
}

static void put_loop(ilc__emitter *em, ilc__func *func, const ilc__rows_loop *loop)
{
    ilc__poly_scope scope = ilc__tile_scope(em, func, loop->loop);
    ilc__var       *values[ILC__TILE_LOADS];
    for (uint32_t i = 0; i < loop->load_count; i++)
        values[i] = ilc__tile_add_var(em, func, value_text(em, i), loop->loads[i].storage);
    ilc__tile_put_values(&scope, loop->loads, loop->load_count, values, &loop->loop->body);
}

/* Lengths that the text of a polynomial names. */
static void need_lengths(ilc__func_info *info, const ilc__poly *poly)
{
    for (uint32_t i = 0; i < poly->count; i++)
        for (uint32_t k = 0; k < poly->terms[i].count; k++) {
            uint32_t symbol = poly->terms[i].symbols[k], part = ilc__symbol_part(symbol);
            if (symbol >= ILC__SYM_PARAM && part != ILC__SYM_VALUE)
                info->needs_len[3 * ilc__symbol_param(symbol) + (part == ILC__SYM_LENGTH ? 0 : part - ILC__SYM_DIM)] = true;
        }
}

ilc_status ilc__rows_print_func(ilc__emitter *em, const struct ilc__rows *rows, ilc__func *func, const ilc__func_info *root, const char *suffix,
                                ilc__func_info *out)
{
    uint32_t known = root->func->vars.count;
    for (uint32_t i = 0; i < rows->loop_count; i++) put_loop(em, func, &rows->loops[i]);
    ilc__func_info_init(em, func, ilc__name_unique(&em->names, ilc__arena_printf(em->arena, "il_%s_%s", ilc__name_mangle(em->arena, em->root->name), suffix)), out);
    const char **names = ILC__NEW_ARRAY(em->arena, const char *, func->vars.count + 1);
    memcpy(names, root->var_names, known * sizeof *names);
    for (uint32_t i = known; i < func->vars.count; i++) names[i] = func->vars.items[i]->name; /* made here, named in C */
    out->var_names = names;
    out->rows = rows;
    out->traps_by = ILC__TRAPS_MARK;
    out->cell_param = rows->split ? "unsigned il_lane, bool &il_failed" : "unsigned char *il_shared, bool &il_failed, long long il_row0, long long il_nRows";
    out->cell_arg = rows->split ? "il_lane, il_failed" : "il_shared, il_failed, il_row0, il_n";
    for (uint32_t i = 0; i < rows->loop_count; i++) {
        const ilc__rows_loop *loop = &rows->loops[i];
        need_lengths(out, &loop->first);
        need_lengths(out, &loop->turns);
        for (uint32_t k = 0; k < loop->load_count; k++) {
            need_lengths(out, &loop->loads[k].start);
            need_lengths(out, &loop->loads[k].stride);
        }
    }
    return ilc__func_print(em, out, true);
}

/* --- the kernel --------------------------------------------------------------------------------------------------- */

static void print_kernel(writer *w)
{
    static const char *const clamped[] = {"il_i"}, *const own[] = {"il_row"};
    ilc__emitter *em = w->em;
    ilc__out(em, "extern \"C\" __global__ void __launch_bounds__(%u) %s(", ILC__ROWS_LANES, w->entry->name);
    ilc__entry_params(em, w->entry);
    ilc__out(em, ") {\n    __shared__ __align__(16) unsigned char il_shared[%llu];\n", (unsigned long long)shared_bytes(w->rows));
    ilc__out(em, "    enum { ROWS = %u };\n    const long long il_row0 = (long long)blockIdx.x * ROWS, il_row = il_row0 + threadIdx.x %% ROWS;\n", w->rows->rows);
    ilc__out(em, "    const long long il_i = il_row < il_n ? il_row : il_n - 1;\n    bool il_failed = false;\n");
    ilc__out(em, "    const %s il_value = %s;\n    if (il_row >= il_n || threadIdx.x >= ROWS) return;\n", ilc__c_type(w->whole.func->ret),
             ilc__entry_call(em, w->entry, &w->whole, clamped));
    const char *value = "il_value";
    if (w->whole.marks) {
        if (w->root->traps) ilc__out(em, "    il_state il_at = {il_trap, il_row, 0};\n");
        value = ilc__arena_printf(em->arena, "il_failed ? %s : il_value", ilc__entry_call(em, w->entry, w->root, own));
    }
    ilc__out(em, "    il_out[il_row] = %s;\n}\n", value);
}

/* By whether a turn is light: rows of a warp where there are many, and where there are few. */
static const uint32_t many_rows[] = {32, 8}, few_rows[] = {8, 4};

static void count_node(void *user, const ilc__expr *e)
{
    (void)e;
    ++*(uint32_t *)user;
}

static void count_stmt(void *user, const ilc__stmt *s)
{
    uint32_t *weight = user;
    bool      loops = ilc__stmt_is_loop(s);
    *weight += loops ? ILC__TILE_LIGHT : 1;
    ilc__stmt_exprs(s, count_node, weight);
}

static bool is_light(const struct ilc__rows *rows)
{
    for (uint32_t i = 0; i < rows->loop_count; i++) {
        uint32_t weight = 0;
        ilc__block_each(&rows->loops[i].loop->body, count_stmt, &weight);
        if (weight > ILC__TILE_LIGHT) return false;
    }
    return true;
}

/* What a launch asks stays, of the function's own arrays. */
void ilc__rows_settle(ilc__emitter *em, struct ilc__rows *rows, ilc__kernel *out)
{
    out->tile.size = (ilc__tile_size){.rows = rows->rows};
    out->tile.rows = rows;
    for (uint32_t i = 0; i < rows->loop_count; i++)
        for (uint32_t k = 0; k < rows->loops[i].load_count; k++) {
            ilc__tile_load *load = &rows->loops[i].loads[k];
            load->array = em->root->vars.items[load->array->index];
        }
}

ilc_status ilc__rows_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out)
{
    if (em->options->tile->number >= ILC__TILED_SPLIT) return ilc__split_print(em, root, out);
    ilc__func        *func = ilc__ast_copy_func(em->arena, root->func);
    struct ilc__rows *rows = ILC__NEW(em->arena, struct ilc__rows);
    if (!ilc__rows_find(em, func, rows)) return ILC_OK;
    rows->light = is_light(rows);
    rows->rows = em->options->tile->number ? few_rows[rows->light] : many_rows[rows->light];
    rows->parts = rows->rows > 8 ? ILC__ROWS_PARTS / 2 : ILC__ROWS_PARTS;
    while (rows->parts > 2 && shared_bytes(rows) > 48 * 1024) rows->parts--;
    if (shared_bytes(rows) > 48 * 1024) {
        ilc__note_add(em, "rows", false, NULL, "what a warp reads at a time is more than shared memory holds");
        return ILC_OK;
    }
    ilc__note_add(em, "rows", true, NULL, "a warp reads the rows of %u elements together", rows->rows);
    ilc__tile_start(em, root, "rows", out);
    writer w = {.em = em, .rows = rows, .root = root, .entry = &out->tile.entry};
    ILC__TRY(ilc__rows_print_func(em, rows, func, root, "warp", &w.whole));
    print_kernel(&w);
    ilc__rows_settle(em, rows, out);
    return ILC_OK;
}

/* All rows are read whole, whatever an element does; a loop without turns reads nothing. It pays from a row of lanes on. */
bool ilc__rows_hold(const struct ilc__rows *rows, const ilc__launch_facts *facts, const char **why)
{
    bool pays = false;
    *why = "what its loops read does not lie in the arrays";
    for (uint32_t i = 0; i < rows->loop_count; i++) {
        const ilc__rows_loop *loop = &rows->loops[i];
        int64_t               turns;
        if (!ilc__poly_value(&loop->turns, facts, &turns) || turns > INT32_MAX) return false;
        pays = pays || turns >= (rows->split ? ILC__SPLIT_PAYS : ILC__ROWS_LANES);
        for (uint32_t k = 0; turns > 0 && k < loop->load_count; k++)
            if (!ilc__tile_load_holds(&loop->loads[k], &loop->first, turns, facts)) return false;
    }
    *why = rows->split ? "no loop has 128 turns" : "no loop has 32 turns";
    return pays;
}

/* Few rows a warp, or a block to each and then a larger one, where there are not enough for all multiprocessors. */
uint32_t ilc__rows_choose(const struct ilc__rows *rows, int64_t extent, uint32_t multiprocessors)
{
    uint64_t warps = ((uint64_t)extent - 1) / (rows->split ? 1 : rows->rows) + 1;
    if (rows->split) {
        uint32_t wider = warps < (uint64_t)ILC__SPLIT_FEWER * multiprocessors ? 2 : warps < (uint64_t)ILC__SPLIT_FEW * multiprocessors;
        return ILC__TILED_SPLIT + wider;
    }
    return warps < (rows->light ? 4 : 2) * (uint64_t)multiprocessors; /* of many rows */
}

uint32_t ilc__rows_threads(const struct ilc__rows *rows)
{
    return rows->split ? rows->split * rows->rows : ILC__ROWS_LANES;
}

uint32_t ilc__rows_split(const struct ilc__rows *rows)
{
    return rows->split;
}
