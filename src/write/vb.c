/* vb.c - one function as VB pseudo-code: declarations, statements, loops and their exits. */
#include "write/vb.h"

/* A list of statements while it is walked; lists nest no deeper than ILC__AST_MAX_STMT_DEPTH. */
typedef struct open_list {
    uint32_t         id;
    const ilc__stmt *at;
} open_list;

/* Where a variable is declared: before, or in, the first statement of the innermost list that holds all its
 * uses. VB keeps the value of a variable declared in a loop from turn to turn, and so does the tree. */
typedef struct home {
    uint32_t         list; /* 0: not used */
    const ilc__stmt *first;
    bool             elsewhere; /* used outside of the Fors that count with it */
    ilc__var        *next;   /* declared at the same statement */
} home;

typedef struct loop_name {
    const ilc__stmt *loop;
    bool             wants_end, wants_turn; /* labels for exits that VB has no word for */
    uint32_t         number;
} loop_name;

enum { MAX_LISTS = ILC__AST_MAX_STMT_DEPTH + 2 };

typedef struct writer {
    ilc__text               *out;
    ilc__arena              *arena;
    const ilc__func         *func;
    ilc__line_map           *map; /* NULL: none is made */
    ILC__VEC(uint32_t) parent, level; /* per list */
    open_list lists[MAX_LISTS];
    uint32_t  depth;
    uint32_t  next_list;
    bool      second; /* the second walk */
    const ilc__stmt *head; /* the For whose start and limit are visited */
    home     *homes;  /* per variable */
    ilc__map  declared; /* statement -> first variable declared there */
    loop_name loops[MAX_LISTS];
    uint32_t  loop_count, exit_count;
    uint32_t  indent;
    size_t    counted; /* of out, and the line ends in it: for the map */
    uint32_t  lines;
} writer;

/* --- where variables are declared --------------------------------------------------------------------------- */

static void walk_list(writer *w, const ilc__block *list);

static uint32_t common_list(const writer *w, uint32_t x, uint32_t y)
{
    while (x != y) {
        if (w->level.items[x] >= w->level.items[y]) x = w->parent.items[x];
        else y = w->parent.items[y];
    }
    return x;
}

/* Is the place at hand in a For over var, or its counter? The For's own start and limit are not. */
static bool in_own_for(const writer *w, const ilc__var *var)
{
    for (uint32_t k = 0; k < w->depth; k++) {
        const ilc__stmt *s = w->lists[k].at;
        if (s->kind == ILC__ST_FOR && s->var == var && s != w->head) return true;
    }
    return false;
}

static void visit_var(writer *w, const ilc__var *var)
{
    if (var->is_param) return;
    home *h = &w->homes[var->index];
    if (!w->second) {
        uint32_t here = w->lists[w->depth - 1].id;
        h->list = h->list ? common_list(w, h->list, here) : here;
        return;
    }
    uint32_t         level = w->level.items[h->list];
    const ilc__stmt *at = w->lists[level].at;
    if (!in_own_for(w, var)) h->elsewhere = true;
    if (!h->first) {
        h->first = at;
        h->next = ilc__map_get(&w->declared, &at, sizeof at);
        ilc__map_put(&w->declared, &at, sizeof at, w->func->vars.items[var->index]);
    }
}

static void visit_expr(writer *w, const ilc__expr *e)
{
    if (!e) return;
    if (e->kind == ILC__EX_VAR || e->kind == ILC__EX_SLOTADDR) visit_var(w, e->u.var);
    for (uint32_t i = 0; i < e->arg_count; i++) visit_expr(w, e->args[i]);
}

static void walk_stmt(writer *w, const ilc__stmt *s)
{
    w->head = s;
    visit_expr(w, s->a);
    visit_expr(w, s->b);
    visit_expr(w, s->c);
    w->head = NULL;
    if (s->kind == ILC__ST_ASSIGN || s->kind == ILC__ST_FOR) visit_var(w, s->var);
    walk_list(w, &s->body);
    walk_list(w, &s->other);
    for (uint32_t k = 0; k < s->case_count; k++) walk_list(w, &s->cases[k].body);
}

/* Both walks meet the lists in the same order, so their numbers agree. List 0 is none. */
static void walk_list(writer *w, const ilc__block *list)
{
    if (!list->first) return;
    uint32_t id = ++w->next_list;
    if (!w->second) {
        ILC__PUSH(w->arena, &w->parent, w->depth ? w->lists[w->depth - 1].id : 0);
        ILC__PUSH(w->arena, &w->level, w->depth);
    }
    open_list *here = &w->lists[w->depth++];
    here->id = id;
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        here->at = s;
        walk_stmt(w, s);
    }
    w->depth--;
}

static void place_vars(writer *w)
{
    w->homes = ILC__NEW_ARRAY(w->arena, home, (size_t)w->func->vars.count + 1);
    w->declared.arena = w->arena;
    ILC__PUSH(w->arena, &w->parent, 0);
    ILC__PUSH(w->arena, &w->level, 0);
    walk_list(w, &w->func->body);
    w->second = true;
    w->next_list = 0;
    walk_list(w, &w->func->body);
}

/* --- lines ----------------------------------------------------------------------------------------------------- */

static void begin_line(writer *w)
{
    for (uint32_t i = 0; i < w->indent; i++) ilc__text_puts(w->out, "    ");
}

/* The number of the line being written. */
static uint32_t line_number(writer *w)
{
    for (; w->counted < w->out->length; w->counted++) w->lines += w->out->data[w->counted] == '\n';
    return w->lines + 1;
}

static void end_line(writer *w, const ilc__stmt *s)
{
    if (w->map) ilc__stmt_lines(w->map, line_number(w), w->func, s);
    ilc__text_putc(w->out, '\n');
}

static void put_line(writer *w, const char *text)
{
    begin_line(w);
    ilc__text_puts(w->out, text);
    ilc__text_putc(w->out, '\n');
}

/* "()", "(,)", "()()" of an array. */
static void put_brackets(writer *w, const ilc__var *var)
{
    for (uint32_t i = 0; var->is_array && i <= var->nested; i++)
        ilc__text_puts(w->out, var->rank == 3 ? "(,,)" : var->rank == 2 ? "(,)" : "()");
}

/* VB has ByRef for parameters alone; a local that stands for a place reads the same. */
static void put_type(writer *w, const ilc__var *var)
{
    if (var->is_addr && !var->is_pointer) ilc__text_puts(w->out, "ByRef ");
    ilc__vb_var(w->out, var);
    if (!var->is_param) put_brackets(w, var);
    ilc__text_puts(w->out, var->is_pointer ? " As Pointer(Of " : " As ");
    if (var->is_string) ilc__text_puts(w->out, "String");
    else ilc__vb_put_type(w->out, var->storage, var->layout);
    if (var->is_pointer) ilc__text_putc(w->out, ')');
    if (var->is_param) put_brackets(w, var);
}

static void put_dim(writer *w, const ilc__var *var)
{
    begin_line(w);
    ilc__text_puts(w->out, "Dim ");
    put_type(w, var);
    ilc__text_putc(w->out, '\n');
}

static bool mentions(const ilc__expr *e, const ilc__var *var)
{
    if (!e) return false;
    if (e->kind == ILC__EX_SLOTADDR && e->u.var == var) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (mentions(e->args[i], var)) return true;
    return false;
}

/* Does it give the whole slot a value that is not made of the slot's own? */
static bool fills(const ilc__stmt *s, const ilc__var *var)
{
    bool memory = s->kind == ILC__ST_STOREIND || s->kind == ILC__ST_COPYMEM || s->kind == ILC__ST_ZEROMEM;
    return memory && s->a->kind == ILC__EX_SLOTADDR && s->a->u.var == var && !mentions(s->b, var);
}

/* Does the statement itself declare var? */
static bool declares(const writer *w, const ilc__stmt *s, const ilc__var *var)
{
    const home *h = &w->homes[var->index];
    if (w->func->has_goto || var->is_param) return false;
    if (var->is_slot) return h->first == s && fills(s, var);
    if (s->var != var) return false;
    if (s->kind == ILC__ST_FOR) return !h->elsewhere;
    return h->first == s && s->kind == ILC__ST_ASSIGN && !ilc__expr_reads(s->a, var);
}

static void put_dims(writer *w, const ilc__stmt *s)
{
    for (ilc__var *v = ilc__map_get(&w->declared, &s, sizeof s); v; v = w->homes[v->index].next)
        if (w->homes[v->index].elsewhere && !declares(w, s, v)) put_dim(w, v);
}

/* --- statements ---------------------------------------------------------------------------------------------- */

static void put_list(writer *w, const ilc__block *list);

static void put_body(writer *w, const ilc__block *list)
{
    w->indent++;
    put_list(w, list);
    w->indent--;
}

static void put_assign(writer *w, const ilc__stmt *s)
{
    const ilc__expr *e = s->a;
    begin_line(w);
    if (declares(w, s, s->var)) {
        ilc__text_puts(w->out, "Dim ");
        put_type(w, s->var);
    } else {
        if (s->var->is_addr && !s->var->is_pointer) ilc__text_puts(w->out, "ByRef ");
        ilc__vb_var(w->out, s->var);
        const char *op = e->kind == ILC__EX_OP ? ilc__vb_compound(e->op) : NULL;
        if (op && e->args[0]->kind == ILC__EX_VAR && e->args[0]->u.var == s->var) {
            ilc__text_printf(w->out, " %s= ", op);
            ilc__vb_expr(w->out, e->args[1], ILC__VB_VALUE);
            end_line(w, s);
            return;
        }
    }
    ilc__text_puts(w->out, " = ");
    if (s->var->is_pointer) ilc__vb_pointer(w->out, e);
    else if (s->var->is_string) ilc__vb_text(w->out, w->func, e);
    else ilc__vb_value(w->out, e, s->var->is_array || s->var->is_addr ? ILC_VOID : s->var->storage);
    end_line(w, s);
}

static void put_store(writer *w, const ilc__stmt *s)
{
    const ilc__expr *v = s->c;
    begin_line(w);
    ilc__vb_expr(w->out, s->a, ILC__VB_VALUE);
    ilc__text_putc(w->out, '(');
    ilc__vb_expr(w->out, s->b, ILC__VB_VALUE);
    const char *op = v->kind == ILC__EX_OP ? ilc__vb_compound(v->op) : NULL;
    if (op && v->args[0]->kind == ILC__EX_LOAD && ilc__vb_same(v->args[0]->args[0], s->a) &&
        ilc__vb_same(v->args[0]->args[1], s->b)) {
        ilc__text_printf(w->out, ") %s= ", op);
        ilc__vb_expr(w->out, v->args[1], ILC__VB_VALUE);
    } else {
        ilc__text_puts(w->out, ") = ");
        ilc__vb_value(w->out, v, s->storage);
    }
    end_line(w, s);
}

static void put_bytes(writer *w, const ilc__stmt *s)
{
    begin_line(w);
    ilc__text_puts(w->out, s->kind == ILC__ST_COPYBYTES ? "CopyBytes(" : "FillBytes(");
    ilc__vb_pointer(w->out, s->a);
    ilc__text_puts(w->out, ", ");
    if (s->kind == ILC__ST_COPYBYTES) ilc__vb_pointer(w->out, s->b);
    else ilc__vb_expr(w->out, s->b, ILC__VB_VALUE);
    ilc__text_puts(w->out, ", ");
    ilc__vb_expr(w->out, s->c, ILC__VB_VALUE);
    ilc__text_putc(w->out, ')');
    end_line(w, s);
}

/* Through an address: the place that it names is assigned to. */
static void put_memory(writer *w, const ilc__stmt *s)
{
    const ilc__expr *v = s->b;
    begin_line(w);
    if (s->a->kind == ILC__EX_SLOTADDR && declares(w, s, s->a->u.var)) {
        ilc__text_puts(w->out, "Dim ");
        put_type(w, s->a->u.var);
    } else {
        ilc__vb_expr(w->out, s->a, ILC__VB_VALUE);
    }
    const char *op = v && v->kind == ILC__EX_OP ? ilc__vb_compound(v->op) : NULL;
    if (op && v->args[0]->kind == ILC__EX_LOADIND && ilc__vb_same(v->args[0]->args[0], s->a)) {
        ilc__text_printf(w->out, " %s= ", op);
        ilc__vb_expr(w->out, v->args[1], ILC__VB_VALUE);
    } else if (v) {
        ilc__text_puts(w->out, " = ");
        ilc__vb_value(w->out, v, s->kind == ILC__ST_COPYMEM ? ILC_VOID : s->storage);
    } else {
        ilc__text_puts(w->out, " = New ");
        ilc__vb_put_type(w->out, ILC_VOID, s->layout);
        ilc__text_puts(w->out, "()");
    }
    end_line(w, s);
}

static void put_eval(writer *w, const ilc__stmt *s)
{
    begin_line(w);
    bool call = s->a->kind == ILC__EX_CALL;
    if (!call) ilc__text_puts(w->out, "Evaluate(");
    ilc__vb_expr(w->out, s->a, ilc__expr_is_bool(s->a) ? ILC__VB_TRUTH : ILC__VB_VALUE);
    if (!call) ilc__text_putc(w->out, ')');
    end_line(w, s);
}

static void put_if(writer *w, const ilc__stmt *s)
{
    begin_line(w);
    for (const char *word = "If ";; word = "ElseIf ") {
        ilc__text_puts(w->out, word);
        ilc__vb_expr(w->out, s->a, ILC__VB_TRUTH);
        ilc__text_puts(w->out, " Then");
        end_line(w, s);
        put_body(w, &s->body);
        const ilc__stmt *inner = s->other.first;
        bool chain = inner && inner->kind == ILC__ST_IF && !inner->next &&
                     (w->func->has_goto || !ilc__map_get(&w->declared, &inner, sizeof inner));
        if (!chain) break;
        s = inner;
        begin_line(w);
    }
    if (s->other.first) {
        put_line(w, "Else");
        put_body(w, &s->other);
    }
    put_line(w, "End If");
}

static void put_range(writer *w, const ilc__expr *of, ilc__interval range, bool more)
{
    bool    wide = of->type == ILC__IR_I64;
    int64_t least = wide ? INT64_MIN : INT32_MIN, most = wide ? INT64_MAX : INT32_MAX;
    ilc__text_puts(w->out, more ? ", " : "");
    if (range.first == range.last) ilc__text_printf(w->out, "%lld", (long long)range.first);
    else if (range.first == least) ilc__text_printf(w->out, "Is < %lld", (long long)range.last + 1);
    else if (range.last == most) ilc__text_printf(w->out, "Is > %lld", (long long)range.first - 1);
    else if (range.last == range.first + 1) ilc__text_printf(w->out, "%lld, %lld", (long long)range.first, (long long)range.last);
    else ilc__text_printf(w->out, "%lld To %lld", (long long)range.first, (long long)range.last);
}

static void put_switch(writer *w, const ilc__stmt *s)
{
    begin_line(w);
    ilc__text_puts(w->out, "Select Case ");
    ilc__vb_expr(w->out, s->a, ILC__VB_VALUE);
    end_line(w, s);
    w->indent++;
    for (uint32_t k = 0; k < s->case_count; k++) {
        begin_line(w);
        ilc__text_puts(w->out, "Case ");
        for (uint32_t i = 0; i < s->cases[k].count; i++) put_range(w, s->a, s->cases[k].ranges[i], i > 0);
        if (w->map && s->cases[k].has_il) ilc__line_map_add(w->map, line_number(w), w->func->method, s->cases[k].il);
        ilc__text_putc(w->out, '\n');
        put_body(w, &s->cases[k].body);
    }
    if (s->other.first) {
        put_line(w, "Case Else");
        put_body(w, &s->other);
    }
    w->indent--;
    put_line(w, "End Select");
}

/* The constructor's arguments, where some are not constant. */
static void put_exception(writer *w, const ilc__stmt *s)
{
    const ilc__exception *exc = s->exc;
    uint32_t              opened = 0, number = 0;
    for (const char *k = exc->kinds; *k; k++) {
        if (k != exc->kinds) ilc__text_puts(w->out, ", ");
        bool is_text = *k == 's' || *k == 'o';
        if (*k == 'i') ilc__text_putc(w->out, '0');
        else if (is_text && exc->open[number]) ilc__vb_text(w->out, w->func, opened++ ? s->b : s->a);
        else if (is_text && exc->strings[number]) ilc__vb_string(w->out, exc->strings[number]);
        else ilc__text_puts(w->out, "Nothing");
        number += is_text;
    }
}

static void put_throw(writer *w, const ilc__stmt *s)
{
    const char *type = s->exc ? s->exc->type : "System.Exception";
    if (strncmp(type, "System.", 7) == 0 && !strchr(type + 7, '.')) type += 7;
    begin_line(w);
    ilc__text_printf(w->out, "Throw New %s(", type);
    if (s->exc && s->exc->message) ilc__vb_string(w->out, s->exc->message);
    else if (s->exc && s->exc->kinds) put_exception(w, s);
    ilc__text_putc(w->out, ')');
    end_line(w, s);
}

/* --- loops ----------------------------------------------------------------------------------------------------- */

static const char *loop_word(const ilc__stmt *loop)
{
    if (loop->kind == ILC__ST_FOR) return "For";
    return loop->kind == ILC__ST_WHILE ? "While" : "Do";
}

/* VB's Exit For leaves the innermost For; an exit that means another is a jump to a label. */
static void put_exit(writer *w, const ilc__stmt *s)
{
    const char *word = loop_word(s->target);
    bool        breaks = s->kind == ILC__ST_BREAK;
    uint32_t    at = w->loop_count;
    while (at > 0 && strcmp(loop_word(w->loops[at - 1].loop), word) != 0) at--;
    begin_line(w);
    if (at > 0 && w->loops[at - 1].loop == s->target) {
        ilc__text_printf(w->out, "%s %s", breaks ? "Exit" : "Continue", word);
        end_line(w, s);
        return;
    }
    for (at = w->loop_count; at > 0 && w->loops[at - 1].loop != s->target;) at--;
    loop_name *name = &w->loops[at ? at - 1 : 0];
    if (!name->number) name->number = ++w->exit_count;
    if (breaks) name->wants_end = true;
    else name->wants_turn = true;
    ilc__text_printf(w->out, "GoTo %s%u", breaks ? "EndLoop" : "NextTurn", name->number);
    end_line(w, s);
}

static bool is_one_less(const ilc__expr *e, const ilc__expr **whole)
{
    if (e->kind != ILC__EX_OP || (e->op != ILC__OP_ADD_I32 && e->op != ILC__OP_ADD_OVF_I32)) return false;
    *whole = e->args[0];
    return ilc__expr_is_const(e->args[1], 1);
}

/* VB's To includes the limit. */
static void put_limit(writer *w, const ilc__stmt *s)
{
    bool below = s->compare == ILC__OP_LT_I32 || s->compare == ILC__OP_LT_I64 || s->compare == ILC__OP_LT_UN_I32 ||
                 s->compare == ILC__OP_LT_UN_I64;
    bool above = s->compare == ILC__OP_GT_I32 || s->compare == ILC__OP_GT_I64 || s->compare == ILC__OP_GT_UN_I32 ||
                 s->compare == ILC__OP_GT_UN_I64;
    const ilc__expr *whole;
    if (!below && !above) {
        ilc__vb_expr(w->out, s->b, ILC__VB_VALUE);
    } else if (s->b->kind == ILC__EX_CONST) {
        ilc__expr k = *s->b;
        k.u.bits += below ? (uint64_t)-1 : 1u;
        ilc__vb_expr(w->out, &k, ILC__VB_VALUE);
    } else if (below && is_one_less(s->b, &whole)) {
        ilc__vb_expr(w->out, whole, ILC__VB_VALUE);
    } else {
        bool       wide = s->b->type == ILC__IR_I64;
        ilc__expr  one = {.kind = ILC__EX_CONST, .type = s->b->type, .u.bits = 1};
        ilc__expr *args[2] = {s->b, &one};
        ilc__expr  e = {.kind = ILC__EX_OP, .type = s->b->type, .arg_count = 2, .args = args};
        if (below) e.op = wide ? ILC__OP_SUB_I64 : ILC__OP_SUB_I32;
        else e.op = wide ? ILC__OP_ADD_I64 : ILC__OP_ADD_I32;
        ilc__vb_expr(w->out, &e, ILC__VB_VALUE);
    }
}

/* Does VB's For turn as this one does? Its sign of the step says which way it compares. */
static bool is_vb_for(const ilc__stmt *s)
{
    bool up = s->compare == ILC__OP_LT_I32 || s->compare == ILC__OP_LE_I32 || s->compare == ILC__OP_LT_I64 ||
              s->compare == ILC__OP_LE_I64 || s->compare == ILC__OP_LT_UN_I32 || s->compare == ILC__OP_LE_UN_I32 ||
              s->compare == ILC__OP_LT_UN_I64 || s->compare == ILC__OP_LE_UN_I64;
    bool negative = s->c->type == ILC__IR_I64 ? (int64_t)s->c->u.bits < 0 : (int32_t)(uint32_t)s->c->u.bits < 0;
    return up != negative;
}

static void put_label(writer *w, const char *word, uint32_t number)
{
    begin_line(w);
    ilc__text_printf(w->out, "%s%u:\n", word, number);
}

static void put_loop_body(writer *w, const ilc__stmt *s)
{
    put_body(w, &s->body);
    if (w->loops[w->loop_count - 1].wants_turn) put_label(w, "NextTurn", w->loops[w->loop_count - 1].number);
}

static void put_for(writer *w, const ilc__stmt *s)
{
    begin_line(w);
    ilc__text_puts(w->out, "For ");
    if (declares(w, s, s->var)) put_type(w, s->var);
    else ilc__vb_name(w->out, s->var->name);
    ilc__text_puts(w->out, " = ");
    ilc__vb_expr(w->out, s->a, ILC__VB_VALUE);
    if (is_vb_for(s)) {
        ilc__text_puts(w->out, " To ");
        put_limit(w, s);
    } else { /* a step away from the limit: nothing that VB's For says */
        ilc__expr  counter = {.kind = ILC__EX_VAR, .type = s->b->type, .storage = s->var->storage, .u.var = s->var};
        ilc__expr *args[2] = {&counter, s->b};
        ilc__expr  test = {.kind = ILC__EX_OP, .type = ILC__IR_I32, .op = s->compare, .arg_count = 2, .args = args};
        ilc__text_puts(w->out, " While ");
        ilc__vb_expr(w->out, &test, ILC__VB_TRUTH);
    }
    if (!ilc__expr_is_const(s->c, 1)) {
        ilc__text_puts(w->out, " Step ");
        ilc__vb_expr(w->out, s->c, ILC__VB_VALUE);
    }
    end_line(w, s);
    put_loop_body(w, s);
    if (w->map && s->has_il) ilc__line_map_add(w->map, line_number(w), w->func->method, s->step_il);
    put_line(w, "Next");
}

static void put_loop(writer *w, const ilc__stmt *s)
{
    w->loops[w->loop_count++] = (loop_name){.loop = s};
    if (s->kind == ILC__ST_FOR) {
        put_for(w, s);
    } else if (s->kind == ILC__ST_WHILE) {
        begin_line(w);
        ilc__text_puts(w->out, "While ");
        ilc__vb_expr(w->out, s->a, ILC__VB_TRUTH);
        end_line(w, s);
        put_loop_body(w, s);
        put_line(w, "End While");
    } else {
        put_line(w, "Do");
        put_loop_body(w, s);
        begin_line(w);
        ilc__text_puts(w->out, "Loop");
        if (s->kind == ILC__ST_DO) {
            ilc__text_puts(w->out, " While ");
            ilc__vb_expr(w->out, s->a, ILC__VB_TRUTH);
        }
        end_line(w, s);
    }
    const loop_name *name = &w->loops[--w->loop_count];
    if (name->wants_end) put_label(w, "EndLoop", name->number);
}

/* --- one list, one function ------------------------------------------------------------------------------------ */

static void put_return(writer *w, const ilc__stmt *s)
{
    begin_line(w);
    ilc__text_puts(w->out, "Return");
    if (s->a) {
        ilc__text_putc(w->out, ' ');
        ilc__vb_value(w->out, s->a, w->func->ret_to ? ILC_VOID : w->func->ret);
    }
    end_line(w, s);
}

static void put_stmt(writer *w, const ilc__stmt *s)
{
    switch (s->kind) {
    case ILC__ST_ASSIGN: put_assign(w, s); return;
    case ILC__ST_STORE: put_store(w, s); return;
    case ILC__ST_STOREIND: case ILC__ST_COPYMEM: case ILC__ST_ZEROMEM: put_memory(w, s); return;
    case ILC__ST_COPYBYTES: case ILC__ST_FILLBYTES: put_bytes(w, s); return;
    case ILC__ST_EVAL: put_eval(w, s); return;
    case ILC__ST_IF: put_if(w, s); return;
    case ILC__ST_LOOP: case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_FOR: put_loop(w, s); return;
    case ILC__ST_SWITCH: put_switch(w, s); return;
    case ILC__ST_BREAK: case ILC__ST_CONTINUE: put_exit(w, s); return;
    case ILC__ST_RETURN: put_return(w, s); return;
    case ILC__ST_THROW: put_throw(w, s); return;
    case ILC__ST_LABEL: put_label(w, "L", s->label); return;
    case ILC__ST_GOTO:
        begin_line(w);
        ilc__text_printf(w->out, "GoTo L%u", s->label);
        end_line(w, s);
        return;
    }
}

static void put_list(writer *w, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        if (!w->func->has_goto) put_dims(w, s);
        put_stmt(w, s);
    }
}

static void put_head(writer *w)
{
    const ilc__func *f = w->func;
    bool             is_sub = f->ret == ILC_VOID;
    uint32_t         instance = ilc__vb_instance(f);
    const char      *comma = "";
    ilc__text_printf(w->out, "%s%s ", instance != UINT32_MAX ? "" : "Shared ", is_sub ? "Sub" : "Function");
    ilc__vb_func(w->out, f);
    ilc__text_putc(w->out, '(');
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (i == instance) continue;
        ilc__text_puts(w->out, comma);
        comma = ", ";
        put_type(w, f->vars.items[i]);
    }
    ilc__text_putc(w->out, ')');
    if (f->ret_to) {
        ilc__text_puts(w->out, " As ByRef ");
        ilc__vb_put_type(w->out, f->ret_to->storage, f->ret_to->layout);
    } else if (!is_sub) {
        ilc__text_printf(w->out, " As %s", ilc__vb_type(f->ret));
    }
    if (w->map && f->method) {
        ilc__point first = {0};
        (void)ilc__debug_point(f->method, 0, &first);
        ilc__line_map_add(w->map, line_number(w), f->method, first.il);
    }
    ilc__text_putc(w->out, '\n');
}

void ilc__write_vb(ilc__context *ctx, const ilc__func *func, const ilc__text_options *options, ilc__text *out)
{
    writer *w = ILC__NEW(out->arena, writer);
    (void)ctx; /* printing does not fail */
    w->out = out;
    w->arena = out->arena;
    w->func = func;
    w->map = options ? options->map : NULL;
    place_vars(w);
    put_head(w);
    w->indent = 1;
    for (uint32_t i = func->param_count; func->has_goto && i < func->vars.count; i++) put_dim(w, func->vars.items[i]);
    put_list(w, &func->body);
    ilc__text_printf(out, "End %s\n", func->ret == ILC_VOID ? "Sub" : "Function");
}
