/* lanes_cpu.c - kernels of two indices without a loop, for the CPU: elements of a row side by side in vectors (lanes.h). What
 * they read lies at places that are even in both indices, and one after the other along a row or the same for all of it; the
 * launch asks whether all those places are in their arrays, because elements that return early read, too. */
#include "emit/lanes.h"
#include "emit/tile.h"

typedef struct finder {
    ilc__emitter    *em;
    ilc__tile_shape *shape;
    ilc__poly_scope  scope;
    bool             fits;
    const ilc__stmt *at;
} finder;

/* --- what is read --------------------------------------------------------------------------------------------------- */

static bool in_vectors(ilc_storage storage)
{
    switch (storage) {
    case ILC_I32: case ILC_U32: case ILC_I64: case ILC_U64: case ILC_INT: case ILC_UINT: case ILC_F32: case ILC_F64: return true;
    default: return false;
    }
}

static bool no_load(finder *f, const char *name)
{
    if (f->fits) ilc__note_add(f->em, "lanes", false, f->at, "what it reads of %s is not the same for a row, or one further for each column", name);
    return false;
}

static bool take_load(finder *f, const ilc__expr *e)
{
    ilc__tile_load load = {.storage = e->storage};
    if (e->type == ILC__IR_REF || e->args[0]->kind != ILC__EX_VAR || !(e->proved || e->covered)) return no_load(f, "an array");
    load.array = e->args[0]->u.var;
    const char *name = load.array->name;
    if (!load.array->is_param || load.array->assignments > 1 || !ilc__poly_of_index(&f->scope, e->args[0], e->args[1], &load.index)) return no_load(f, name);
    if (ilc__tile_load_of(f->shape->loads, f->shape->load_count, &load.index, load.array)) return true;
    load.start = load.index;
    if (f->shape->load_count == ILC__TILE_LOADS || !ilc__poly_split(&load.start, ILC__SYM_J, &load.column) ||
        !ilc__poly_split(&load.start, ILC__SYM_I, &load.stride) || ilc__poly_has(&load.stride, ILC__SYM_J))
        return no_load(f, name);
    if (load.column.count && !(ilc__poly_is_const(&load.column, 1) && in_vectors(load.storage))) return no_load(f, name);
    f->shape->loads[f->shape->load_count++] = load;
    return true;
}

static void look_at(void *user, const ilc__expr *e)
{
    finder *f = user;
    f->shape->weight++;
    if (e->kind == ILC__EX_LOAD) f->fits = f->fits && take_load(f, e);
}

static void look_at_stmt(void *user, const ilc__stmt *s)
{
    ((finder *)user)->at = s;
    ilc__stmt_exprs(s, look_at, user);
}

bool ilc__lanes_find(ilc__emitter *em, const ilc__func_info *root, ilc__tile_shape *out)
{
    const ilc__func *func = root->func;
    ilc_storage      ret = func->ret;
    *out = (ilc__tile_shape){.func = func};
    if (em->spec->mode != ILC__MODE_2D) return false;
    const char *why = ilc__tile_unfit(em, func, false);
    if (!why && root->traps) why = "some check of it is not the guard's";
    if (ilc__block_has_loop(&func->body)) return false; /* it may be a tile */
    if (why) ilc__note_add(em, "lanes", false, NULL, "%s", why);
    if (why || ret == ILC_VOID || !ilc__lanes_fit(em, &func->body, true, false, "lanes")) return false;
    finder f = {.em = em, .shape = out, .scope = ilc__tile_scope(em, func, NULL), .fits = true};
    ilc__block_each(&func->body, look_at_stmt, &f);
    ilc__poly_add_const(&out->turns, 1);
    if (f.fits && !out->load_count) ilc__note_add(em, "lanes", false, NULL, "it reads no array");
    if (!f.fits || !out->load_count) return false;
    ilc__note_add(em, "lanes", true, NULL, "elements side by side in vectors; they read %s", ilc__loads_words(em, func, out->loads, out->load_count));
    return true;
}

/* --- printing --------------------------------------------------------------------------------------------------------- */

typedef struct writer {
    ilc__emitter          *em;
    const ilc__tile_shape *shape;
    const ilc__func_info  *root;
    ilc__poly_scope        scope;
} writer;

static const char *load_text(void *user, const ilc__expr *e, bool *uniform)
{
    const writer *w = user;
    ilc__poly     index;
    ilc__poly_of_index(&w->scope, e->args[0], e->args[1], &index);
    const ilc__tile_load *load = ilc__tile_load_of(w->shape->loads, w->shape->load_count, &index, e->args[0]->u.var);
    const char           *type = ilc__lanes_type(ilc__storage_ir_type(load->storage));
    ilc__text             place = {.arena = w->em->arena};
    if (load->start.count || !(load->stride.count || load->column.count)) ilc__text_puts(&place, ilc__tile_poly_text(w->em, w->root, &load->start));
    if (load->stride.count && load->start.count) ilc__text_puts(&place, " + ");
    if (ilc__poly_is_const(&load->stride, 1)) ilc__text_puts(&place, "il_r");
    else if (load->stride.count) ilc__text_printf(&place, "il_r * (%s)", ilc__tile_poly_text(w->em, w->root, &load->stride));
    if (load->column.count) ilc__text_puts(&place, place.length ? " + il_c" : "il_c");
    const char *at = ilc__arena_printf(w->em->arena, "%s[%s]", w->root->var_names[load->array->index], ilc__text_string(&place));
    *uniform = load->column.count == 0;
    return *uniform ? at : ilc__arena_printf(w->em->arena, "*(const %.6su *)&%s", type, at);
}

static const char *index_name(const writer *w, uint32_t dim)
{
    return w->root->var_names[w->em->spec->index_params[dim]];
}

static const char *index_type(const writer *w, uint32_t dim)
{
    return ilc__lanes_type(ilc__storage_ir_type(w->shape->func->vars.items[w->em->spec->index_params[dim]]->storage));
}

static void print_loops(writer *w, const ilc__lanes *lanes, ilc__text *out)
{
    ilc_storage ret = w->shape->func->ret;
    const char *type = ilc__lanes_type(ilc__storage_ir_type(ret)), *row = index_type(w, 0), *column = index_type(w, 1);
    ilc__text   body = {.arena = w->em->arena};
    for (const char *at = lanes->text; *at; at++) { /* two loops deeper */
        if (at == lanes->text || at[-1] == '\n') ilc__text_puts(&body, "        ");
        ilc__text_putc(&body, *at);
    }
    ilc__text_printf(out, "    for (long long il_r = il_begin[0]; il_r < il_end[0]; il_r++) {\n        const %s %s = %s_all(il_r);\n", row, index_name(w, 0), row);
    ilc__text_printf(out, "        for (long long il_c0 = il_begin[1]; il_c0 < il_end[1]; il_c0 += IL_LANES) {\n"
                          "            // the last ones of a row are made with those before them\n"
                          "            const long long il_c = il_least(il_c0, il_nCols - IL_LANES), il_past = il_least(il_c0 + IL_LANES, il_end[1]);\n"
                          "            const %s %s = %s_from(il_c);\n%s", column, index_name(w, 1), column, ilc__text_string(&body));
    ilc__text_printf(out, "            %s *const il_to = &il_out[il_r * il_nCols + il_c];\n", ilc__c_type(ret));
    if (in_vectors(ret)) ilc__text_printf(out, "            if (il_c == il_c0 && il_past - il_c0 == IL_LANES) *(%.6su *)il_to = il_result;\n            else\n", type);
    ilc__text_printf(out, "            for (long long l = il_c0 - il_c; l < il_past - il_c; l++) il_to[l] = il_result[l];\n        }\n    }\n}\n");
}

ilc_status ilc__lanes_print_cpu(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root, const ilc__entry *entry)
{
    writer         w = {em, shape, root, ilc__tile_scope(em, shape->func, NULL)};
    ilc__func_info info = *root;
    bool          *uniform = ILC__NEW_ARRAY(em->arena, bool, shape->func->vars.count + 1);
    for (uint32_t i = 0; i < shape->func->vars.count; i++) uniform[i] = shape->func->vars.items[i]->is_param;
    uniform[em->spec->index_params[0]] = uniform[em->spec->index_params[1]] = false;
    ilc__lanes lanes = {.uniform = uniform, .load = load_text, .user = &w};
    ILC__TRY(ilc__lanes_print(em, &info, &lanes));
    ilc__text text = {.arena = em->arena}, types = {.arena = em->arena};
    print_loops(&w, &lanes, &text);
    uint32_t size = lanes.wide ? 8 : 4;
    ilc__text_printf(&types, "#if defined(__AVX512F__)\n#define IL_LANES %u\n#elif defined(__AVX2__)\n#define IL_LANES %u\n#else\n#define IL_LANES %u\n#endif\n", 64 / size,
                     32 / size, 16 / size);
    ilc__text_puts(&types, "static inline long long il_least(long long a, long long b) { return a < b ? a : b; }\n");
    ilc__lanes_prelude(ilc__text_string(&text), &types);
    ilc__out_text(em, ilc__text_string(&types));
    ilc__out(em, "\nvoid %s(const void *const *il_args, const long long *il_begin, const long long *il_end) {\n", entry->name);
    ilc__c_unpack(em, entry, true);
    ilc__out_text(em, ilc__text_string(&text));
    return ILC_OK;
}
