/* tile_cpu.c - the kernel of a pairwise tile for the CPU (tile.h): elements of a row lie side by side in vectors, as many rows
 * and vectors as the registers hold are run through a turn together, and the turns come in their order. What elements read by
 * column is packed before, so that the values of one turn lie side by side.
 *
 * The entry works in rounds (rt/rt.h): for as many columns as there is room for, one round packs panels of them and the next
 * one makes blocks of elements. */
#include "emit/lanes.h"
#include "emit/tile.h"

typedef struct part {
    ilc__func_info *info;
    bool            lanes; /* over vectors; else as a function of one element */
    const bool     *uniform;
    uint32_t       *reads;
    ilc__lanes      text;
} part;

typedef struct writer {
    ilc__emitter          *em;
    const ilc__tile_shape *shape;
    const ilc__tile_parts *parts;
    const ilc__func_info  *root;
    const ilc__entry      *entry;
    const char            *cell, *cells; /* of one element; of a vector of them */
    part                   begin, step, end;
} writer;

/* Rows and vectors that are run through a turn together, where there are 32 vector registers and where there are 16; a panel
 * has four columns at least. */
typedef struct grid {
    uint32_t rows, vectors, few_rows, few_vectors;
} grid;

static grid grid_for(const ilc__tile_shape *shape)
{
    if (shape->weight > 2 * ILC__TILE_LIGHT || shape->cells > 2) return (grid){2, 2, 1, 2};
    if (shape->weight > ILC__TILE_LIGHT || shape->cells > 1) return (grid){4, 2, 2, 2};
    return (grid){4, 4, 6, 2};
}

/* --- functions over vectors ------------------------------------------------------------------------------------------ */

static const char *value_type(ilc_storage storage)
{
    return ilc__c_stack_type(ilc__storage_ir_type(storage));
}

static bool is_index(const writer *w, uint32_t var, uint32_t dim)
{
    return var == w->em->spec->index_params[dim];
}

/* Cells, what is loaded by column and the indices are vectors, so is every local; in the step the row is not, nor what is loaded
 * by it: its variables behind the function's own. */
static const bool *uniform_vars(const writer *w, const ilc__func *func, bool row)
{
    bool    *uniform = ILC__NEW_ARRAY(w->em->arena, bool, func->vars.count + 1);
    uint32_t own = w->shape->func->vars.count;
    for (uint32_t i = 0; !row && i < w->shape->load_count; i++) uniform[own + i] = !w->shape->loads[i].by_j;
    for (uint32_t i = 0; i < own; i++)
        uniform[i] = (w->shape->func->vars.items[i]->is_param || i == w->shape->loop->var->index) && !is_index(w, i, 1) && !(row && is_index(w, i, 0));
    return uniform;
}

static ilc_status print_lanes(writer *w, part *p)
{
    p->text.uniform = p->uniform;
    return ilc__lanes_print(w->em, p->info, &p->text);
}

static const char *param_type(const part *p, uint32_t var)
{
    ilc_storage storage = p->info->func->vars.items[var]->storage;
    return p->uniform[var] ? ilc__c_type(storage) : ilc__lanes_type(ilc__storage_ir_type(storage));
}

/* "il_Dot_cells *il_cell, float p_shift", or with values instead of types the arguments. */
static const char *lanes_params(writer *w, const part *p, const char *first, const char *const *indices)
{
    ilc__text text = {.arena = w->em->arena};
    ilc__text_puts(&text, first);
    for (uint32_t i = 0; i < w->shape->func->vars.count; i++) {
        if (!p->reads[i]) continue;
        const char *name = p->info->var_names[i], *value = name;
        for (uint32_t d = 0; indices && d < 2; d++)
            if (is_index(w, i, d)) value = indices[d];
        if (indices && i == w->shape->loop->var->index) value = ilc__arena_printf(w->em->arena, "(%s)(il_first + il_k0 + k)", ilc__c_type(w->shape->func->vars.items[i]->storage));
        if (indices) ilc__text_printf(&text, ", %s", value);
        else ilc__text_printf(&text, ", %s %s", param_type(p, i), name);
    }
    for (uint32_t i = 0; i < p->info->func->param_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            if (p->info->needs_len[3 * i + k]) ilc__text_printf(&text, ", %s%s", indices ? "" : "long long ", p->info->len_names[3 * i + k]);
    return ilc__text_string(&text);
}

/* An index in the type of its parameter. */
static const char *index_text(writer *w, uint32_t dim, const char *format, const char *value)
{
    ilc_storage storage = w->shape->func->vars.items[w->em->spec->index_params[dim]]->storage;
    const char *type = ilc__lanes_type(ilc__storage_ir_type(storage));
    return ilc__arena_printf(w->em->arena, format, type, value);
}

static const char *step_params(writer *w)
{
    ilc__text text = {.arena = w->em->arena};
    ilc__text_puts(&text, lanes_params(w, &w->step, ilc__arena_printf(w->em->arena, "%s *il_cell, il_i32v *il_failed", w->cells), NULL));
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        const ilc__tile_load *l = &w->shape->loads[i];
        const char *type = l->by_j ? ilc__lanes_type(ilc__storage_ir_type(l->storage)) : ilc__c_type(l->storage);
        ilc__text_printf(&text, ", %s %s", type, l->name);
    }
    return ilc__text_string(&text);
}

/* --- the types ----------------------------------------------------------------------------------------------------------- */

static bool is_wide(const writer *w)
{
    bool wide = w->step.text.wide || w->begin.text.wide || w->end.text.wide;
    for (uint32_t i = 0; i < w->shape->load_count; i++) wide = wide || (w->shape->loads[i].by_j && ilc_storage_size(w->shape->loads[i].storage) > 4);
    for (uint32_t i = 0; i < w->shape->func->vars.count; i++)
        wide = wide || (w->shape->cell[i] && ilc_storage_size(w->shape->func->vars.items[i]->storage) > 4);
    return wide;
}

static void print_grid(ilc__text *out, const char *test, uint32_t bytes, uint32_t rows, uint32_t vectors)
{
    ilc__text_printf(out, "%s\nenum { IL_LINES = %u, IL_VECTORS = %u };\n#define IL_LANES %u\n#define IL_EACH_VECTOR(DO, r)", test, rows, vectors, bytes);
    for (uint32_t v = 0; v < vectors; v++) ilc__text_printf(out, " DO(r, %u)", v);
    ilc__text_puts(out, "\n#define IL_EACH_LINE(DO)");
    for (uint32_t r = 0; r < rows; r++) ilc__text_printf(out, " DO(%u)", r);
    ilc__text_putc(out, '\n');
}

/* Bytes of what is packed for one column and turn. */
static uint32_t packed_bytes(const writer *w)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < w->shape->load_count; i++)
        if (w->shape->loads[i].by_j) bytes += ilc_storage_size(w->shape->loads[i].storage) > 4 ? 8 : 4;
    return bytes;
}

static void print_types(writer *w, ilc__text *out)
{
    grid     g = grid_for(w->shape);
    uint32_t size = is_wide(w) ? 8 : 4, bytes = packed_bytes(w);
    ilc__text_puts(out, "// As many elements of a row as a vector has lanes, and what the registers hold of them.\n");
    print_grid(out, "#if defined(__AVX512F__)", 64 / size, g.rows, g.vectors);
    print_grid(out, "#elif defined(__AVX2__)", 32 / size, g.few_rows, g.few_vectors);
    print_grid(out, "#else", 16 / size, g.few_rows, g.few_vectors);
    ilc__text_printf(out, "#endif\nenum { IL_COLUMNS = IL_VECTORS * IL_LANES, IL_CHUNK = 96, IL_DEPTH = 65536 / (IL_COLUMNS * %u) };\n", bytes ? bytes : 4);
    ilc__text_puts(out, "typedef struct il_rounds { long long round, piece; char *shared, *own; long long shared_bytes, own_bytes, rounds, pieces; } il_rounds;\n"
                        "static inline long long il_least(long long a, long long b) { return a < b ? a : b; }\n");
}

static void print_cells(writer *w, ilc__text *out)
{
    const ilc__func *func = w->shape->func;
    if (!w->begin.lanes || !w->end.lanes)
        ilc__text_printf(out, "typedef struct %s {%s } %s;\n", w->cell, ilc__tile_fields(w->em, w->shape, w->root), w->cell);
    ilc__text_printf(out, "// What elements keep from turn to turn of their loop.\ntypedef struct %s {", w->cells);
    for (uint32_t i = 0; i < func->vars.count; i++)
        if (w->shape->cell[i]) ilc__text_printf(out, " %s %s;", ilc__lanes_type(ilc__storage_ir_type(func->vars.items[i]->storage)), w->root->var_names[i]);
    ilc__text_printf(out, " } %s;\n", w->cells);
    ilc__text_printf(out, "typedef struct il_own { %s cells[IL_CHUNK * IL_VECTORS];", w->cells);
    if (w->shape->symmetric) ilc__text_printf(out, " %s mirror[IL_CHUNK * IL_COLUMNS];", value_type(func->ret));
    ilc__text_puts(out, " } il_own;\n\n");
}

/* --- the entry -------------------------------------------------------------------------------------------------------------- */

static void print_head(writer *w)
{
    ilc__out(w->em, "void %s(const void *const *il_args, il_rounds *il_work) {\n", w->entry->name);
    ilc__c_unpack(w->em, w->entry, true);
    ilc__out(w->em, "    const long long il_first = %s, il_turns = %s;\n", ilc__tile_poly_text(w->em, w->root, &w->shape->first),
             ilc__tile_poly_text(w->em, w->root, &w->shape->turns));
    ilc__out(w->em, "    const long long il_panels = (il_nCols - 1) / IL_COLUMNS + 1, il_chunks = (il_nRows - 1) / IL_CHUNK + 1;\n");
    ilc__out(w->em, "    const long long il_bytes = il_turns * IL_COLUMNS * %u, il_group = il_least(il_panels, (32 << 20) / (il_bytes + 1) + 1);\n", packed_bytes(w));
    ilc__out(w->em, "    if (il_work->round < 0) {\n        il_work->rounds = ((il_panels - 1) / il_group + 1) * 2;\n"
                    "        il_work->shared_bytes = il_group * il_bytes;\n        il_work->own_bytes = sizeof(il_own);\n        return;\n    }\n");
    ilc__out(w->em, "    const long long il_panel0 = il_work->round / 2 * il_group, il_here = il_least(il_group, il_panels - il_panel0);\n");
    ilc__out(w->em, "    if (il_work->piece < 0) {\n        il_work->pieces = il_work->round %% 2 ? il_here * il_chunks : il_here;\n        return;\n    }\n");
    if (w->shape->symmetric) ilc__out(w->em, "    const int il_half = %s; // (j, i) has the cell of (i, j)\n", ilc__tile_half_text(w->em, w->shape, w->root));
}

/* Where a load's packed values are in a panel: behind those of the loads before. */
static const char *packed_text(writer *w, uint32_t load, const char *panel)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < load; i++)
        if (w->shape->loads[i].by_j) before += ilc_storage_size(w->shape->loads[i].storage) > 4 ? 8 : 4;
    const char *offset = before ? ilc__arena_printf(w->em->arena, " + il_turns * IL_COLUMNS * %u", before) : "";
    return ilc__arena_printf(w->em->arena, "(il_work->shared + %s * il_bytes%s)", panel, offset);
}

/* Four lines at a time, so that what is stored lies side by side. */
static void print_pack(writer *w)
{
    ilc__out(w->em, "    if (il_work->round %% 2 == 0) {\n");
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        const ilc__tile_load *l = &w->shape->loads[i];
        const char           *type = value_type(l->storage), *stored = ilc__c_type(l->storage);
        if (!l->by_j) continue;
        ilc__out(w->em, "        typedef %s il_four%u __attribute__((vector_size(4 * sizeof(%s)), aligned(4)));\n", type, i, type);
        ilc__out(w->em, "        %s *const il_to%u = (%s *)%s;\n", type, i, type, packed_text(w, i, "il_work->piece"));
        ilc__out(w->em, "        for (long long k0 = 0; k0 < il_turns; k0 += 64)\n"
                        "            for (int c = 0; c < IL_COLUMNS; c += 4) {\n"
                        "                const long long il_c = (il_panel0 + il_work->piece) * IL_COLUMNS + c, end = il_least(k0 + 64, il_turns);\n");
        for (int n = 0; n < 4; n++)
            ilc__out(w->em, "                const %s *const from%d = %s + (%s) + il_first + il_least(il_c + %d, il_nCols - 1) * (%s);\n", stored, n,
                     w->root->var_names[l->array->index], ilc__tile_poly_text(w->em, w->root, &l->start), n, ilc__tile_poly_text(w->em, w->root, &l->stride));
        ilc__out(w->em, "                %s *to = il_to%u + k0 * IL_COLUMNS + c;\n", type, i);
        ilc__out(w->em, "                for (long long k = k0; k < end; k++, to += IL_COLUMNS) *(il_four%u *)to = (il_four%u){from0[k], from1[k], from2[k], from3[k]};\n            }\n", i, i);
    }
    ilc__out(w->em, "        return;\n    }\n");
}

static void print_block(writer *w)
{
    ilc__out(w->em, "    il_own *const own = (il_own *)il_work->own;\n"
                    "    const long long il_panel = il_work->piece / il_chunks, il_col0 = (il_panel0 + il_panel) * IL_COLUMNS;\n"
                    "    const long long il_row0 = il_work->piece %% il_chunks * IL_CHUNK, il_rows = il_least(IL_CHUNK, il_nRows - il_row0);\n");
    if (w->shape->symmetric) ilc__out(w->em, "    if (il_half && il_col0 + IL_COLUMNS <= il_row0) return;\n");
    ilc__out(w->em, "    il_i32v il_marks = {0}, *const il_failed = &il_marks;\n");
}

static const char *cell_values(writer *w)
{
    ilc__text   text = {.arena = w->em->arena};
    const char *comma = "";
    for (uint32_t i = 0; i < w->shape->func->vars.count; i++) {
        if (!w->shape->cell[i]) continue;
        ilc__text_printf(&text, "%sil_cells->%s[l]", comma, w->root->var_names[i]);
        comma = ", ";
    }
    return ilc__text_string(&text);
}

static void print_begin(writer *w)
{
    ilc__out(w->em, "    for (long long r = 0; r < (il_rows + IL_LINES - 1) / IL_LINES * IL_LINES; r++)\n        for (int v = 0; v < IL_VECTORS; v++) {\n"
                    "            %s *const il_cells = &own->cells[r * IL_VECTORS + v];\n", w->cells);
    if (w->begin.lanes) {
        const char *indices[] = {index_text(w, 0, "%s_all(%s)", "il_row0 + r"), index_text(w, 1, "%s_from(%s)", "il_col0 + v * IL_LANES")};
        ilc__out(w->em, "            %s(%s);\n        }\n", w->begin.info->name, lanes_params(w, &w->begin, "il_cells", indices));
        return;
    }
    static const char *const here[] = {"il_i", "il_j"};
    ilc__out(w->em, "            for (int l = 0; l < IL_LANES; l++) {\n"
                    "                const long long il_i = il_least(il_row0 + r, il_nRows - 1), il_j = il_least(il_col0 + v * IL_LANES + l, il_nCols - 1);\n"
                    "                %s il_cell = {0};\n                %s;\n", w->cell, ilc__entry_call(w->em, w->entry, &w->parts->begin, here));
    for (uint32_t i = 0; i < w->shape->func->vars.count; i++)
        if (w->shape->cell[i]) ilc__out(w->em, "                il_cells->%s[l] = il_cell.%s;\n", w->root->var_names[i], w->root->var_names[i]);
    ilc__out(w->em, "            }\n        }\n");
}

/* "il_Dot_step(&c##r##_##v, il_failed, a0, b##v##_1)" */
static const char *step_call(writer *w)
{
    ilc_storage row = w->shape->func->vars.items[w->em->spec->index_params[0]]->storage;
    const char *indices[] = {ilc__arena_printf(w->em->arena, "(%s)il_least(il_row0 + il_r + r, il_nRows - 1)", ilc__c_type(row)),
                             index_text(w, 1, "%s_from(%s)", "il_col0 + v * IL_LANES")};
    ilc__text   text = {.arena = w->em->arena};
    ilc__text_printf(&text, "%s(%s", w->step.info->name, lanes_params(w, &w->step, "&c##r##_##v, il_failed", indices));
    for (uint32_t i = 0; i < w->shape->load_count; i++)
        if (w->shape->loads[i].by_j) ilc__text_printf(&text, ", b##v##_%u", i);
        else ilc__text_printf(&text, ", a_%u", i);
    ilc__text_putc(&text, ')');
    return ilc__text_string(&text);
}

static void print_lines(writer *w)
{
    ilc__out(w->em, "#define IL_TAKE(r, v) %s c##r##_##v = il_at[r * IL_VECTORS + v];\n", w->cells);
    ilc__out(w->em, "#define IL_TAKE_LINE(r) IL_EACH_VECTOR(IL_TAKE, r)\n            IL_EACH_LINE(IL_TAKE_LINE)\n");
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        const ilc__tile_load *l = &w->shape->loads[i];
        const char           *start = ilc__tile_poly_text(w->em, w->root, &l->start), *array = w->root->var_names[l->array->index];
        if (l->by_j) {
            const char *type = value_type(l->storage);
            ilc__out(w->em, "            const %s *b_%u = (const %s *)%s + il_k0 * IL_COLUMNS;\n", type, i, type, packed_text(w, i, "il_panel"));
            continue;
        }
        ilc__out(w->em, "#define IL_LINE_%u(r) const %s *const a##r##_%u = %s + (%s) + il_first + il_k0 + il_least(il_row0 + il_r + r, il_nRows - 1) * (%s);\n", i,
                 ilc__c_type(l->storage), i, array, start, ilc__tile_poly_text(w->em, w->root, &l->stride));
        ilc__out(w->em, "            IL_EACH_LINE(IL_LINE_%u)\n", i);
    }
}

static void print_turns(writer *w)
{
    ilc__out(w->em, "    for (long long il_k0 = 0; il_k0 < il_turns; il_k0 += IL_DEPTH) {\n        const long long il_depth = il_least(IL_DEPTH, il_turns - il_k0);\n"
                    "        for (long long il_r = 0; il_r < il_rows; il_r += IL_LINES) {\n");
    if (w->shape->symmetric) ilc__out(w->em, "            if (il_half && il_col0 + IL_COLUMNS <= il_row0 + il_r) break;\n");
    ilc__out(w->em, "            %s *const il_at = own->cells + il_r * IL_VECTORS;\n", w->cells);
    print_lines(w);
    ilc__out(w->em, "            for (long long k = 0; k < il_depth; k++) {\n");
    for (uint32_t i = 0; i < w->shape->load_count; i++) {
        const char *type = ilc__lanes_type(ilc__storage_ir_type(w->shape->loads[i].storage));
        if (!w->shape->loads[i].by_j) continue;
        ilc__out(w->em, "#define IL_COLUMN_%u(r, v) const %s b##v##_%u = *(const %s *)(b_%u + k * IL_COLUMNS + v * IL_LANES);\n", i, type, i, type, i);
        ilc__out(w->em, "                IL_EACH_VECTOR(IL_COLUMN_%u, 0)\n", i);
    }
    ilc__out(w->em, "#define IL_STEP(r, v) %s;\n#define IL_STEP_LINE(r) {", step_call(w));
    for (uint32_t i = 0; i < w->shape->load_count; i++)
        if (!w->shape->loads[i].by_j) ilc__out(w->em, " const %s a_%u = a##r##_%u[k];", ilc__c_type(w->shape->loads[i].storage), i, i);
    ilc__out(w->em, " IL_EACH_VECTOR(IL_STEP, r) }\n                IL_EACH_LINE(IL_STEP_LINE)\n            }\n");
    ilc__out(w->em, "#define IL_KEEP(r, v) il_at[r * IL_VECTORS + v] = c##r##_##v;\n#define IL_KEEP_LINE(r) IL_EACH_VECTOR(IL_KEEP, r)\n"
                    "            IL_EACH_LINE(IL_KEEP_LINE)\n        }\n    }\n");
}

/* Elements one by one, each by `call`. */
static void print_elements(writer *w, const ilc__func_info *info)
{
    static const char *const here[] = {"il_r", "il_c"}, *const there[] = {"il_c", "il_r"};
    bool                     half = w->shape->symmetric;
    ilc__out(w->em, "            for (int l = 0; l < IL_LANES; l++) {\n                const long long il_c = il_c0 + l;\n"
                    "                if (il_c >= il_nCols%s) continue;\n", half ? " || (il_half && il_c < il_r)" : "");
    if (info->cell_arg) ilc__out(w->em, "                const %s il_cell = {%s};\n", w->cell, cell_values(w));
    if (info->traps) ilc__out(w->em, "                il_state il_at = {il_trap, il_r * il_nCols + il_c, 0};\n");
    ilc__out(w->em, "                il_out[il_r * il_nCols + il_c] = %s;\n", ilc__entry_call(w->em, w->entry, info, here));
    if (half) {
        ilc__out(w->em, "                if (!il_half || il_c == il_r) continue;\n");
        if (info->traps) ilc__out(w->em, "                il_at = (il_state){il_trap, il_c * il_nCols + il_r, 0};\n");
        ilc__out(w->em, "                own->mirror[r * IL_COLUMNS + v * IL_LANES + l] = %s;\n", ilc__entry_call(w->em, w->entry, info, there));
    }
    ilc__out(w->em, "            }\n");
}

static void print_vectors(writer *w)
{
    bool         half = w->shape->symmetric;
    ilc_storage  ret = w->shape->func->ret;
    ilc__ir_type value = ilc__storage_ir_type(ret);
    const char  *type = ilc__lanes_type(value), *store = ilc__c_type(ret);
    const char  *here[] = {index_text(w, 0, "%s_all(%s)", "il_r"), index_text(w, 1, "%s_from(%s)", "il_c0")};
    const char  *there[] = {index_text(w, 0, "%s_from(%s)", "il_c0"), index_text(w, 1, "%s_all(%s)", "il_r")};
    ilc__out(w->em, "            const %s il_values = %s(%s);\n", type, w->end.info->name, lanes_params(w, &w->end, "il_cells", here));
    ilc__out(w->em, "            %s *const il_to = &il_out[il_r * il_nCols + il_c0];\n", store);
    if (ilc_storage_size(ret) >= 4)
        ilc__out(w->em, "            if (il_c0 + IL_LANES <= il_nCols%s) *(%.6su *)il_to = il_values;\n            else\n", half ? " && !(il_half && il_c0 < il_r)" : "", type);
    ilc__out(w->em, "            for (int l = 0; l < IL_LANES; l++)\n                if (il_c0 + l < il_nCols%s) il_to[l] = il_values[l];\n",
             half ? " && !(il_half && il_c0 + l < il_r)" : "");
    if (half) ilc__out(w->em, "            if (il_half) *(%s *)&own->mirror[r * IL_COLUMNS + v * IL_LANES] = %s(%s);\n", type, w->end.info->name,
                       lanes_params(w, &w->end, "il_cells", there));
}

/* Where a half is enough, elements on and above the diagonal are stored from their own cells, those below from the cells of
 * their mirror images. Where something failed the block's elements are run by the function as it is. */
static void print_end(writer *w)
{
    bool half = w->shape->symmetric, marks = w->step.text.marks;
    if (marks) ilc__out(w->em, "    const int il_again = il_any(il_marks);\n");
    ilc__out(w->em, "    for (long long r = 0; r < il_rows; r++)\n        for (int v = 0; v < IL_VECTORS; v++) {\n"
                    "            const long long il_r = il_row0 + r, il_c0 = il_col0 + v * IL_LANES;\n"
                    "            if (il_c0 >= il_nCols%s) continue;\n", half ? " || (il_half && il_c0 + IL_LANES <= il_r)" : "");
    if (marks) {
        ilc__out(w->em, "            if (il_again) {\n");
        print_elements(w, w->root);
        ilc__out(w->em, "            continue;\n            }\n");
    }
    ilc__out(w->em, "            const %s *const il_cells = &own->cells[r * IL_VECTORS + v];\n", w->cells);
    if (w->end.lanes) print_vectors(w);
    else print_elements(w, w->end.info);
    ilc__out(w->em, "        }\n");
    if (half)
        ilc__out(w->em, "    for (int c = 0; il_half && c < IL_COLUMNS && il_col0 + c < il_nCols; c++) {\n"
                        "        const long long above = il_least(il_rows, il_col0 + c - il_row0);\n"
                        "        for (long long r = 0; r < above; r++) il_out[(il_col0 + c) * il_nCols + il_row0 + r] = own->mirror[r * IL_COLUMNS + c];\n    }\n");
    ilc__out(w->em, "}\n");
}

/* --- the whole ------------------------------------------------------------------------------------------------------------------ */

bool ilc__tile_fits_cpu(ilc__emitter *em, const ilc__tile_shape *shape)
{
    return ilc__lanes_fit(em, &shape->loop->body, true, true, "tile");
}

static part part_of(writer *w, ilc__func_info *info, bool row)
{
    return (part){.info = info, .uniform = uniform_vars(w, info->func, row), .reads = ilc__tile_reads(w->em, info->func, &info->func->body),
                  .lanes = ilc__lanes_fit(w->em, &info->func->body, false, false, NULL)};
}

/* What a part takes is what it reads of the parameters that are no arrays. */
static void find_params(writer *w, part *p)
{
    for (uint32_t i = 0; i < w->shape->func->vars.count; i++) {
        const ilc__var *var = w->shape->func->vars.items[i];
        if (!var->is_param || var->is_array) p->reads[i] = 0;
    }
}

static void print_function(writer *w, const part *p, const char *type, const char *params)
{
    ilc__out(w->em, "static IL_INLINE %s %s(%s) {\n%s%s}\n\n", type, p->info->name, params, p->text.text, p->info->func->ret != ILC_VOID ? "    return il_result;\n" : "");
}

/* Everything that stands before the entry; types and helpers follow from it and from the entry, so it is put together last. */
static ilc_status print_parts(writer *w)
{
    const char *cells = ilc__arena_printf(w->em->arena, "%s *il_cell", w->cells), *constant = ilc__arena_printf(w->em->arena, "const %s", cells);
    if (w->begin.lanes) print_function(w, &w->begin, "void", lanes_params(w, &w->begin, cells, NULL));
    else ILC__TRY(ilc__func_print(w->em, w->begin.info, true));
    print_function(w, &w->step, "void", step_params(w));
    if (!w->end.lanes) return ilc__func_print(w->em, w->end.info, true);
    print_function(w, &w->end, ilc__lanes_type(ilc__storage_ir_type(w->end.info->func->ret)), lanes_params(w, &w->end, constant, NULL));
    return ILC_OK;
}

ilc_status ilc__tile_print_cpu(ilc__emitter *em, const ilc__tile_shape *shape, ilc__tile_parts *parts, const ilc__func_info *root,
                               ilc__tile *tile)
{
    writer w = {.em = em, .shape = shape, .parts = parts, .root = root, .entry = &tile->entry, .cell = parts->cell,
                .cells = ilc__arena_printf(em->arena, "%ss", parts->cell)};
    w.begin = part_of(&w, &parts->begin, true);
    w.step = part_of(&w, &parts->step, false);
    w.end = part_of(&w, &parts->end, true);
    w.step.reads = parts->step_reads;
    w.step.lanes = true;
    find_params(&w, &w.begin);
    find_params(&w, &w.end);
    if (w.begin.lanes) ILC__TRY(print_lanes(&w, &w.begin));
    ILC__TRY(print_lanes(&w, &w.step));
    if (w.end.lanes) ILC__TRY(print_lanes(&w, &w.end));
    const char *before = ilc__text_string(&em->out);
    uint32_t    line = em->out_line, rows = em->lines.count;
    em->out = (ilc__text){.arena = em->arena};
    ILC__TRY(print_parts(&w));
    print_head(&w);
    print_pack(&w);
    print_block(&w);
    print_begin(&w);
    print_turns(&w);
    print_end(&w);
    const char *after = ilc__text_string(&em->out);
    ilc__text   types = {.arena = em->arena}, cells = {.arena = em->arena};
    print_types(&w, &types);
    print_cells(&w, &cells);
    ilc__lanes_prelude(ilc__arena_printf(em->arena, "%s%s", ilc__text_string(&cells), after), &types);
    em->out = (ilc__text){.arena = em->arena};
    ilc__text_puts(&em->out, before);
    em->out_line = line;
    ilc__out_text(em, ilc__text_string(&types));
    ilc__out_text(em, ilc__text_string(&cells));
    for (uint32_t i = rows; i < em->lines.count; i++) em->lines.items[i].line += em->out_line - line;
    ilc__out_text(em, after);
    return ILC_OK;
}
