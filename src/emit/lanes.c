/* lanes.c - the body of a function over vectors (lanes.h). An If runs both of its arms, each assignment under the mask of the
 * lanes that are there; a Return or Continue takes its lanes out of il_go, so that what follows is under a mask, too. */
#include "emit/lanes.h"

#include <ctype.h>

typedef struct lanes {
    ilc__printer p;
    ilc__lanes  *out;
    ilc__piece   active; /* mask of the lanes that are here; text NULL: all                                */
    ilc__ir_type active_width;
    bool         goes;   /* there is an il_go                                                              */
} lanes;

/* A vector, or where mask is set a mask of I32 or I64 lanes that is the truth of an I32. */
typedef struct value {
    ilc__piece   piece;
    ilc__ir_type type;
    bool         mask;
} value;

typedef struct row {
    const char  *text, *trap;
    ilc__ir_type trap_width;
} row;

static const row rows[] = {
#define LANE(id, text) [ILC__OP_##id] = {text, NULL, ILC__IR_VOID},
#define LANE_TRAP(id, text, trap, width) [ILC__OP_##id] = {text, trap, ILC__IR_##width},
#include "emit/lanes.def"
#undef LANE
#undef LANE_TRAP
};

static const row *row_of(ilc__op op)
{
    size_t count = sizeof rows / sizeof *rows;
    return (size_t)op < count && rows[op].text ? &rows[op] : NULL;
}

const char *ilc__lanes_type(ilc__ir_type type)
{
    switch (type) {
    case ILC__IR_I64: return "il_i64v";
    case ILC__IR_F32: return "il_f32v";
    case ILC__IR_F64: return "il_f64v";
    default: return "il_i32v";
    }
}

/* --- does it fit? --------------------------------------------------------------------------------------------------- */

typedef struct fitter {
    ilc__emitter    *em;
    bool             loads, raises, fits;
    const ilc__stmt *at;
    const char      *why; /* the first reason */
} fitter;

static void refuse(fitter *f, const char *why)
{
    if (f->fits) f->why = why;
    f->fits = false;
}

static bool is_number(ilc__ir_type type)
{
    return type == ILC__IR_I32 || type == ILC__IR_I64 || type == ILC__IR_F32 || type == ILC__IR_F64;
}

static void fit_expr(fitter *f, const ilc__expr *e)
{
    if (!e || !f->fits) return;
    const row *found;
    switch (e->kind) {
    case ILC__EX_LOAD:
        if (!f->loads) refuse(f, "it reads an array");
        return;
    case ILC__EX_VAR:
        if (e->u.var->is_array || e->u.var->is_addr || e->u.var->is_slot || e->u.var->is_string) refuse(f, "it reads what is no number");
        break;
    case ILC__EX_OP:
        found = row_of(e->op);
        if (!found) refuse(f, ilc__arena_printf(f->em->arena, "%s is not done on vectors", ilc__op_info_of(e->op)->text));
        else if (!f->raises && found->trap && !(e->proved || e->covered))
            refuse(f, ilc__arena_printf(f->em->arena, "%s may raise", ilc__op_info_of(e->op)->text));
        break;
    case ILC__EX_LEN: case ILC__EX_DIM:
        if (!(e->proved || e->covered) || e->args[0]->kind != ILC__EX_VAR || !e->args[0]->u.var->is_param ||
            (e->kind == ILC__EX_DIM && e->args[1]->kind != ILC__EX_CONST))
            refuse(f, "the length of an array that is no parameter");
        return;
    case ILC__EX_CONST: case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_SELECT: break;
    case ILC__EX_CALL: refuse(f, ilc__arena_printf(f->em->arena, "it calls %s", e->u.callee->name)); break;
    default: refuse(f, "it does more than compute with numbers");
    }
    if (!is_number(e->type)) refuse(f, "it computes what is no number");
    for (uint32_t i = 0; i < e->arg_count; i++) fit_expr(f, e->args[i]);
}

static void fit_stmt(void *user, const ilc__stmt *s)
{
    fitter *f = user;
    bool    jumps = s->kind == ILC__ST_RETURN || s->kind == ILC__ST_CONTINUE;
    if (f->fits) f->at = s;
    if (ilc__stmt_is_loop(s)) refuse(f, "it has a loop");
    else if (s->kind == ILC__ST_THROW) refuse(f, "it throws");
    else if (s->kind != ILC__ST_ASSIGN && s->kind != ILC__ST_EVAL && s->kind != ILC__ST_IF && !jumps) refuse(f, "it jumps or stores");
    if (s->kind == ILC__ST_ASSIGN && (s->var->is_array || s->var->is_addr || s->var->is_slot || s->var->is_string))
        refuse(f, "it assigns what is no number");
    fit_expr(f, s->a);
}

bool ilc__lanes_fit(ilc__emitter *em, const ilc__block *block, bool loads, bool raises, const char *schedule)
{
    fitter f = {.em = em, .loads = loads, .raises = raises, .fits = true};
    if (!em->options->checks) f.raises = true; /* without checks nothing that has a row raises */
    ilc__block_each(block, fit_stmt, &f);
    if (!f.fits && schedule) ilc__note_add(em, schedule, false, f.at, "%s", f.why);
    return f.fits;
}

/* --- values ------------------------------------------------------------------------------------------------------------ */

static value print_value(lanes *l, const ilc__expr *e);

static const char *type_text(lanes *l, ilc__ir_type type)
{
    if (type == ILC__IR_I64 || type == ILC__IR_F64) l->out->wide = true;
    return ilc__lanes_type(type);
}

static ilc__piece primary(const char *text)
{
    return (ilc__piece){.text = text, .prec = ILC__PREC_PRIMARY};
}

static ilc__piece to_name(lanes *l, ilc__piece piece, ilc__ir_type type)
{
    return piece.leaf ? piece : ilc__temp(&l->p, type_text(l, type), piece.text);
}

static ilc__piece converted(lanes *l, ilc__piece piece, ilc__ir_type type)
{
    return primary(ilc__print(&l->p, "__builtin_convertvector(%s, %s)", piece.text, type_text(l, type)));
}

/* A scalar in every lane. */
static ilc__piece in_all(lanes *l, const char *text, ilc__ir_type type)
{
    return primary(ilc__print(&l->p, "%s_all(%s)", type_text(l, type), text));
}

/* As 0 or 1 where it is a mask. */
static value as_number(lanes *l, value v)
{
    if (!v.mask) return v;
    if (v.type == ILC__IR_I64) v.piece = converted(l, v.piece, ILC__IR_I32);
    v.piece = (ilc__piece){.text = ilc__print(&l->p, "%s & 1", ilc__piece_at(&l->p, v.piece, ILC__PREC_UNARY)), .prec = ILC__PREC_BITAND};
    return (value){v.piece, ILC__IR_I32, false};
}

/* As a mask where it is a number. */
static value as_mask(lanes *l, value v)
{
    if (v.mask) return v;
    v.piece = (ilc__piece){.text = ilc__print(&l->p, "%s != 0", ilc__piece_at(&l->p, v.piece, ILC__PREC_SHIFT)), .prec = ILC__PREC_EQ};
    v.mask = true;
    return v;
}

static ilc__ir_type mask_width(ilc__ir_type type)
{
    return type == ILC__IR_I64 || type == ILC__IR_F64 ? ILC__IR_I64 : ILC__IR_I32;
}

static ilc__piece mask_of_width(lanes *l, ilc__piece mask, ilc__ir_type from, ilc__ir_type to)
{
    return from == to ? mask : converted(l, mask, to);
}

static value both(lanes *l, value a, value b, const char *infix, int prec)
{
    b.piece = mask_of_width(l, b.piece, b.type, a.type);
    const char *left = ilc__piece_at(&l->p, a.piece, ILC__PREC_UNARY), *right = ilc__piece_at(&l->p, b.piece, ILC__PREC_UNARY);
    return (value){{.text = ilc__print(&l->p, "%s %s %s", left, infix, right), .prec = prec}, a.type, true};
}

static value inverse(lanes *l, value mask)
{
    mask.piece = (ilc__piece){.text = ilc__print(&l->p, "~%s", ilc__piece_at(&l->p, mask.piece, ILC__PREC_UNARY)), .prec = ILC__PREC_UNARY};
    return mask;
}

static value pick(lanes *l, value mask, value a, value b)
{
    const char *test = mask_of_width(l, mask.piece, mask.type, mask_width(a.type)).text;
    return (value){primary(ilc__print(&l->p, "%s_pick(%s, %s, %s)", type_text(l, a.type), test, a.piece.text, b.piece.text)), a.type, false};
}

/* --- operations --------------------------------------------------------------------------------------------------------- */

/* "a + b": two operands around an operator. */
static bool is_infix(const char *text)
{
    return strlen(text) <= 6 && text[0] == 'a' && text[1] == ' ' && text[strlen(text) - 1] == 'b';
}

static int infix_prec(const char *text)
{
    switch (text[2]) {
    case '*': case '/': return ILC__PREC_MUL;
    case '+': case '-': return ILC__PREC_ADD;
    case '&': return ILC__PREC_BITAND;
    case '|': return ILC__PREC_BITOR;
    case '^': return ILC__PREC_XOR;
    case '=': case '!': return ILC__PREC_EQ;
    default: return ILC__PREC_REL;
    }
}

/* Few know where & | ^ and compares stand among the others: brackets around what is beside them. */
static ilc__piece print_infix(lanes *l, const char *text, ilc__piece a, ilc__piece b)
{
    int  prec = infix_prec(text);
    bool sum = prec == ILC__PREC_MUL || prec == ILC__PREC_ADD;
    int  side = sum ? prec : ILC__PREC_UNARY;
    return (ilc__piece){.text = ilc__print(&l->p, "%s %.*s %s", ilc__piece_at(&l->p, a, side), (int)strlen(text) - 4, text + 2,
                                           ilc__piece_at(&l->p, b, sum ? prec + 1 : side)),
                        .prec = prec};
}

/* What may raise is remembered of the lanes that are here. */
static void mark(lanes *l, const row *found, const ilc__piece *args)
{
    value mask = {{.text = ilc__substitute(&l->p, found->trap, args), .prec = ILC__PREC_COND}, found->trap_width, true};
    if (l->active.text) mask = both(l, (value){l->active, l->active_width, true}, mask, "&", ILC__PREC_BITAND);
    if (found->trap_width == ILC__IR_I64) l->out->wide = true;
    ilc__line_out(&l->p, "*il_failed |= %s;", mask_of_width(l, mask.piece, mask.type, ILC__IR_I32).text);
    l->out->marks = true;
}

static value print_op(lanes *l, const ilc__expr *e)
{
    const row          *found = row_of(e->op);
    const ilc__op_info *info = ilc__op_info_of(e->op);
    bool                kept = ilc__op_kept(&l->p, e), infix = is_infix(found->text);
    ilc__piece          args[3] = {{0}};
    ilc__ir_type        type = ILC__IR_I32;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        value v = as_number(l, print_value(l, e->args[i]));
        args[i] = infix && !kept ? v.piece : to_name(l, v.piece, v.type);
        if (i == 0) type = v.type;
    }
    if (e->arg_count < 2) args[1] = args[0];
    if (kept) mark(l, found, args);
    bool compare = info->flags & ILC__OPF_COMPARE;
    value result = {.type = compare ? mask_width(type) : info->result, .mask = compare};
    type_text(l, result.type);
    if (infix) result.piece = print_infix(l, found->text, args[0], args[1]);
    else if (strcmp(found->text, "a") == 0) result.piece = args[0];
    else result.piece = (ilc__piece){.text = ilc__substitute(&l->p, found->text, args), .prec = ILC__PREC_COND};
    return result;
}

/* --- expressions --------------------------------------------------------------------------------------------------------- */

static value print_length(lanes *l, const ilc__expr *e)
{
    uint32_t var = e->args[0]->u.var->index, dim = e->kind == ILC__EX_DIM ? (uint32_t)e->args[1]->u.bits : 0;
    l->p.info->needs_len[3 * var + dim] = true;
    return (value){in_all(l, l->p.info->len_names[3 * var + dim], e->type), e->type, false};
}

static value print_var(lanes *l, const ilc__expr *e)
{
    const char *name = l->p.info->var_names[e->u.var->index];
    if (l->out->uniform[e->u.var->index]) return (value){in_all(l, name, e->type), e->type, false};
    type_text(l, e->type);
    return (value){{.text = name, .prec = ILC__PREC_PRIMARY, .leaf = true}, e->type, false};
}

static value print_load(lanes *l, const ilc__expr *e)
{
    bool        uniform;
    const char *text = l->out->load(l->out->user, e, &uniform);
    if (uniform) return (value){in_all(l, text, e->type), e->type, false};
    type_text(l, e->type);
    return (value){{.text = text, .prec = ILC__PREC_UNARY}, e->type, false};
}

static bool may_raise(lanes *l, const ilc__expr *e)
{
    if (e->kind == ILC__EX_OP && ilc__op_kept(&l->p, e)) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (may_raise(l, e->args[i])) return true;
    return false;
}

/* Only operands that may raise care which lanes come to them. */
static value print_below(lanes *l, const ilc__expr *e, value mask)
{
    ilc__piece   active = l->active;
    ilc__ir_type width = l->active_width;
    if (!may_raise(l, e)) return print_value(l, e);
    mask.piece = to_name(l, mask.piece, mask.type);
    value here = active.text ? both(l, mask, (value){active, width, true}, "&", ILC__PREC_BITAND) : mask;
    l->active = here.piece;
    l->active_width = here.type;
    value v = print_value(l, e);
    l->active = active;
    l->active_width = width;
    return v;
}

static value print_truth(lanes *l, const ilc__expr *e)
{
    bool  is_and = e->kind == ILC__EX_AND;
    value a = as_mask(l, print_value(l, e->args[0]));
    a.piece = to_name(l, a.piece, a.type);
    value b = as_mask(l, print_below(l, e->args[1], is_and ? a : inverse(l, a)));
    return both(l, a, b, is_and ? "&" : "|", is_and ? ILC__PREC_BITAND : ILC__PREC_BITOR);
}

static value print_select(lanes *l, const ilc__expr *e)
{
    value test = as_mask(l, print_value(l, e->args[0]));
    test.piece = to_name(l, test.piece, test.type);
    value a = as_number(l, print_below(l, e->args[1], test)), b = as_number(l, print_below(l, e->args[2], inverse(l, test)));
    return pick(l, test, a, b);
}

static value print_value(lanes *l, const ilc__expr *e)
{
    bool        is_primary;
    const char *text;
    switch (e->kind) {
    case ILC__EX_CONST:
        text = ilc__literal(l->p.em->arena, e->type, e->u.bits, &is_primary);
        return (value){in_all(l, text, e->type), e->type, false};
    case ILC__EX_VAR: return print_var(l, e);
    case ILC__EX_LEN: case ILC__EX_DIM: return print_length(l, e);
    case ILC__EX_LOAD: return print_load(l, e);
    case ILC__EX_OP: return print_op(l, e);
    case ILC__EX_AND: case ILC__EX_OR: return print_truth(l, e);
    case ILC__EX_NOT: return inverse(l, as_mask(l, print_value(l, e->args[0])));
    default: return print_select(l, e);
    }
}

/* --- statements -------------------------------------------------------------------------------------------------------------- */

static void print_block(lanes *l, const ilc__block *block);

static bool is_declared_at(const lanes *l, const ilc__var *var, const ilc__stmt *s)
{
    const ilc__place *place = &l->p.places[var->index];
    return !var->is_param && place->kind == ILC__PLACE_AT && (!s || place->at == s);
}

/* A local of few bits holds what fits. */
static value cut_to(lanes *l, value v, ilc_storage storage)
{
    const char *format = NULL;
    switch (storage) {
    case ILC_I8: format = "(%s << 24) >> 24"; break;
    case ILC_I16: format = "(%s << 16) >> 16"; break;
    case ILC_BOOL: case ILC_U8: format = "%s & 255"; break;
    case ILC_CHAR: case ILC_U16: format = "%s & 65535"; break;
    default: return v;
    }
    v.piece = (ilc__piece){.text = ilc__print(&l->p, format, ilc__piece_at(&l->p, v.piece, ILC__PREC_UNARY)), .prec = ILC__PREC_COND};
    return v;
}

/* Lanes that are not here do not come to what reads a variable that this is the first assignment of. */
static void declare_here(lanes *l, const ilc__var *var, value v)
{
    ilc__line_out(&l->p, "%s %s = %s;", type_text(l, v.type), l->p.info->var_names[var->index], v.piece.text);
}

static void put(lanes *l, const char *name, value v)
{
    value old = {primary(name), v.type, false};
    if (l->active.text) v = pick(l, (value){l->active, l->active_width, true}, v, old);
    ilc__line_out(&l->p, "%s = %s;", name, v.piece.text);
}

static void stop_lanes(lanes *l)
{
    if (!l->active.text || !l->goes) return; /* all of them: nothing follows */
    value here = {l->active, l->active_width, true};
    if (strcmp(l->active.text, "il_go") == 0) ilc__line_out(&l->p, "il_go = %s_all(0);", type_text(l, ILC__IR_I32));
    else ilc__line_out(&l->p, "il_go &= ~%s;", ilc__piece_at(&l->p, mask_of_width(l, here.piece, here.type, ILC__IR_I32), ILC__PREC_UNARY));
}

static bool has_jump(const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next)
        if (s->kind == ILC__ST_RETURN || s->kind == ILC__ST_CONTINUE || has_jump(&s->body) || has_jump(&s->other)) return true;
    return false;
}

static void print_arm(lanes *l, const ilc__block *block, value mask)
{
    ilc__piece   active = l->active;
    ilc__ir_type width = l->active_width;
    if (!block->first) return;
    if (active.text) mask = both(l, mask, (value){active, width, true}, "&", ILC__PREC_BITAND);
    l->active = to_name(l, mask.piece, mask.type);
    l->active_width = mask.type;
    print_block(l, block);
    l->active = active;
    l->active_width = width;
}

static void print_if(lanes *l, const ilc__stmt *s)
{
    value test = as_mask(l, print_value(l, s->a));
    test.piece = to_name(l, test.piece, test.type);
    print_arm(l, &s->body, test);
    print_arm(l, &s->other, inverse(l, test));
    if (!has_jump(&s->body) && !has_jump(&s->other)) return;
    /* Those that left are not here any more. */
    value go = {{.text = "il_go", .prec = ILC__PREC_PRIMARY, .leaf = true}, ILC__IR_I32, true};
    if (l->active.text && strcmp(l->active.text, "il_go") != 0) {
        go = both(l, (value){l->active, l->active_width, true}, go, "&", ILC__PREC_BITAND);
        go.piece = to_name(l, go.piece, go.type);
    }
    l->active = go.piece;
    l->active_width = go.type;
}

static void print_assign(lanes *l, const ilc__stmt *s)
{
    value v = cut_to(l, as_number(l, print_value(l, s->a)), s->var->storage);
    if (is_declared_at(l, s->var, s)) declare_here(l, s->var, v);
    else put(l, l->p.info->var_names[s->var->index], v);
}

static void print_stmt(lanes *l, const ilc__stmt *s)
{
    switch (s->kind) {
    case ILC__ST_ASSIGN: print_assign(l, s); break;
    case ILC__ST_EVAL: print_value(l, s->a); break;
    case ILC__ST_IF: print_if(l, s); break;
    default: /* a Return or Continue */
        if (s->a) put(l, "il_result", as_number(l, print_value(l, s->a)));
        stop_lanes(l);
    }
}

static void print_block(lanes *l, const ilc__block *block)
{
    ilc__piece   active = l->active;
    ilc__ir_type width = l->active_width;
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        l->p.at = s;
        print_stmt(l, s);
    }
    l->active = active;
    l->active_width = width;
}

/* --- the whole ------------------------------------------------------------------------------------------------------------------ */

typedef struct mentions {
    bool *vars;
} mentions;

static void mention(void *user, const ilc__expr *e)
{
    if (e->kind == ILC__EX_VAR) ((mentions *)user)->vars[e->u.var->index] = true;
}

static void mention_in(void *user, const ilc__stmt *s)
{
    if (s->kind == ILC__ST_ASSIGN) ((mentions *)user)->vars[s->var->index] = true;
    ilc__stmt_exprs(s, mention, user);
}

static void declare(lanes *l)
{
    const ilc__func *func = l->p.func;
    mentions         m = {ILC__NEW_ARRAY(l->p.em->arena, bool, func->vars.count + 1)};
    ilc__block_each(&func->body, mention_in, &m);
    for (uint32_t i = 0; i < func->vars.count; i++) {
        const ilc__var *var = func->vars.items[i];
        if (m.vars[i] && !var->is_param && !is_declared_at(l, var, NULL)) ilc__line_out(&l->p, "%s %s = {0};", type_text(l, ilc__storage_ir_type(var->storage)), l->p.info->var_names[i]);
    }
}

/* Does a Return or Continue stand before the end? */
static bool leaves_early(const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next)
        if (has_jump(&s->body) || has_jump(&s->other)) return true;
    return false;
}

ilc_status ilc__lanes_print(ilc__emitter *em, ilc__func_info *info, ilc__lanes *out)
{
    lanes l = {.p = {.em = em, .info = info, .func = info->func, .guarded = true, .indent = 1, .body = {.arena = em->arena},
                     .top = {.arena = em->arena}, .lines = {.arena = em->arena}},
               .out = out};
    out->wide = out->marks = false;
    l.p.places = ilc__scope_places(em->arena, info->func);
    declare(&l);
    l.goes = leaves_early(&info->func->body);
    if (l.goes) ilc__line_out(&l.p, "il_i32v il_go = il_i32v_all(-1);");
    if (info->func->ret != ILC_VOID) ilc__line_out(&l.p, "%s il_result = {0};", type_text(&l, ilc__storage_ir_type(info->func->ret)));
    print_block(&l, &info->func->body);
    out->text = ilc__text_string(&l.p.body);
    return l.p.status;
}
