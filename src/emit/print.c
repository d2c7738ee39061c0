/* print.c - the expression printer of the C family.
 *
 * A row of ir/ops.def prints as its infix operator where that is right, else as its value text with the
 * operands put in. An operand that the text names twice is a name or a literal (else a temporary), so each
 * is evaluated once. Statements that an expression needs go before the statement that holds it. */
#include "emit/internal.h"

#include <ctype.h>

enum { SPLIT_DEPTH = 64 }; /* compilers stop at 256 nested brackets; deeper expressions go through temporaries */

static const struct {
    const char *text;
    int         prec;
} operators[] = {
    {"?", ILC__PREC_COND},  {"||", ILC__PREC_OR},    {"&&", ILC__PREC_AND},   {"|", ILC__PREC_BITOR},
    {"^", ILC__PREC_XOR},   {"&", ILC__PREC_BITAND}, {"==", ILC__PREC_EQ},    {"!=", ILC__PREC_EQ},
    {"<", ILC__PREC_REL},   {"<=", ILC__PREC_REL},   {">", ILC__PREC_REL},    {">=", ILC__PREC_REL},
    {"<<", ILC__PREC_SHIFT}, {">>", ILC__PREC_SHIFT}, {"+", ILC__PREC_ADD},   {"-", ILC__PREC_ADD},
    {"*", ILC__PREC_MUL},   {"/", ILC__PREC_MUL},    {"%", ILC__PREC_MUL},
};

static int operator_prec(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strlen(operators[i].text) == length && memcmp(operators[i].text, text, length) == 0)
            return operators[i].prec;
    return ILC__PREC_PRIMARY;
}

/* --- text over a, b and c ------------------------------------------------------------------------------- */

/* The precedence of a text's loosest operator outside brackets; operators stand between spaces. */
static int text_prec(const char *text)
{
    int  prec = ILC__PREC_PRIMARY, depth = 0;
    bool unary = text[0] == '!' || text[0] == '~' || text[0] == '-';
    for (const char *at = text; *at; at++) {
        if (*at == '(') depth++;
        if (*at == ')') depth--;
        /* "(int)x": a bracket that something other than an operator follows is a cast */
        if (*at == ')' && depth == 0 && (isalnum((unsigned char)at[1]) || at[1] == '_' || at[1] == '(')) unary = true;
        if (*at != ' ' || depth) continue;
        size_t length = strcspn(at + 1, " ");
        int    found = operator_prec(at + 1, length);
        if (found < prec) prec = found;
    }
    return prec == ILC__PREC_PRIMARY && unary ? ILC__PREC_UNARY : prec;
}

/* Without the brackets around the whole. */
static const char *strip(ilc__arena *arena, const char *text)
{
    size_t length = strlen(text);
    if (length < 2 || text[0] != '(' || text[length - 1] != ')') return text;
    int depth = 0;
    for (size_t i = 0; i + 1 < length; i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')';
        if (depth == 0) return text;
    }
    return ilc__arena_strndup(arena, text + 1, length - 2);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Which operand stands at `at`: 'a', 'b', 'c', or 0. */
static char operand_at(const char *text, const char *at)
{
    if (*at < 'a' || *at > 'c' || is_word(at[1])) return 0;
    return at > text && is_word(at[-1]) ? 0 : *at;
}

static uint32_t operand_uses(const char *text, char name)
{
    uint32_t uses = 0;
    for (const char *at = text; *at; at++) uses += operand_at(text, at) == name;
    return uses;
}

/* How tightly an operand must bind where it stands: alone in brackets anything does, after a cast a unary
 * operator does, else a primary. */
static int prec_wanted(const char *text, const char *at)
{
    const char *before = at, *after = at + 1;
    while (before > text && before[-1] == ' ') before--;
    while (*after == ' ') after++;
    char left = before > text ? before[-1] : '(', right = *after ? *after : ')';
    bool closed = right == ')' || right == ',';
    if (closed && (left == '(' || left == ',')) return 0;
    return left == ')' ? ILC__PREC_UNARY : ILC__PREC_PRIMARY;
}

const char *ilc__substitute(ilc__printer *p, const char *text, const ilc__piece *operands)
{
    ilc__text out = {.arena = p->em->arena};
    for (const char *at = text; *at; at++) {
        char name = operand_at(text, at);
        if (name)
            ilc__text_puts(&out, ilc__piece_at(p, operands[name - 'a'], prec_wanted(text, at)));
        else
            ilc__text_putc(&out, *at);
    }
    return ilc__text_string(&out);
}

const char *ilc__piece_at(ilc__printer *p, ilc__piece piece, int prec)
{
    return piece.prec >= prec ? piece.text : ilc__print(p, "(%s)", piece.text);
}

static ilc__piece leaf(const char *text)
{
    return (ilc__piece){.text = text, .prec = ILC__PREC_PRIMARY, .leaf = true};
}

static ilc__piece to_leaf(ilc__printer *p, ilc__piece piece, ilc__ir_type type)
{
    return piece.leaf ? piece : ilc__temp(p, ilc__c_stack_type(type), piece.text);
}

/* --- operations ----------------------------------------------------------------------------------------- */

bool ilc__op_may_wrap(ilc__op op)
{
    switch (op) {
    case ILC__OP_ADD_I32: case ILC__OP_SUB_I32: case ILC__OP_MUL_I32: case ILC__OP_NEG_I32:
    case ILC__OP_ADD_I64: case ILC__OP_SUB_I64: case ILC__OP_MUL_I64: case ILC__OP_NEG_I64:
    case ILC__OP_ADD_OVF_I32: case ILC__OP_SUB_OVF_I32: case ILC__OP_MUL_OVF_I32:
    case ILC__OP_ADD_OVF_I64: case ILC__OP_SUB_OVF_I64: case ILC__OP_MUL_OVF_I64: return true;
    default: return false;
    }
}

/* A division by a constant that cannot trap reads as the one that can: its own row defends against a zero that
 * is not there. */
static ilc__op read_as(ilc__op op)
{
    switch (op) {
    case ILC__OP_DIV_UN_NZ_I32: return ILC__OP_DIV_UN_I32;
    case ILC__OP_REM_UN_NZ_I32: return ILC__OP_REM_UN_I32;
    case ILC__OP_DIV_UN_NZ_I64: return ILC__OP_DIV_UN_I64;
    case ILC__OP_REM_UN_NZ_I64: return ILC__OP_REM_UN_I64;
    default: return op;
    }
}

/* The operator of C, or NULL where the value text must be printed. */
static const char *infix_of(const ilc__printer *p, const ilc__expr *expr)
{
    const char *infix = ilc__op_info_of(expr->op)->infix;
    /* without checks those that a proof may rest on are not made */
    bool fits = (ilc__op_kept(p, expr) && !ilc__trap_goes_on(p, expr->op)) || (p->em->options->checks && ilc__expr_settled(p, expr));
    return infix && (fits || !ilc__op_may_wrap(expr->op)) ? infix : NULL;
}

/* Functions of Single that a device has an instruction or two for; those of Double, and the others, stay what they are. */
static const char *near_text(ilc__op op)
{
    switch (op) {
    case ILC__OP_EXP_F32: return "(__expf(a))";
    case ILC__OP_LOG_F32: return "(__logf(a))";
    case ILC__OP_LOG2_F32: return "(__log2f(a))";
    case ILC__OP_LOG10_F32: return "(__log10f(a))";
    case ILC__OP_SIN_F32: return "(__sinf(a))";
    case ILC__OP_COS_F32: return "(__cosf(a))";
    default: return NULL;
    }
}

/* A shift's count is masked; of a constant that is done here. */
static const char *row_text(ilc__printer *p, ilc__op op, const ilc__expr *count, ilc__piece *b)
{
    bool near = p->em->options->fast && p->em->options->dialect == ILC__DIALECT_CUDA;
    if (near && near_text(op)) return near_text(op);
    const char *text = ilc__op_info_of(read_as(op))->value;
    const char *mask = strstr(text, "(b & ");
    if (!mask || !count || count->kind != ILC__EX_CONST) return text;
    uint64_t bits = count->u.bits & (mask[5] == '6' ? 63u : 31u);
    b->text = ilc__print(p, "%u", (unsigned)bits);
    b->prec = ILC__PREC_PRIMARY;
    return ilc__print(p, "%.*sb%s", (int)(mask - text), text, mask + sizeof "(b & 31)" - 1);
}

static uint32_t op_uses(const ilc__printer *p, const ilc__expr *expr, char operand)
{
    const ilc__op_info *info = ilc__op_info_of(expr->op);
    bool                kept = ilc__op_kept(p, expr);
    uint32_t            uses = infix_of(p, expr) ? 1 : operand_uses(ilc__op_info_of(read_as(expr->op))->value, operand);
    for (uint32_t t = 0; kept && t < info->trap_count; t++)
        if (ilc__trap_kept(expr, &info->traps[t])) uses += operand_uses(info->traps[t].condition, operand);
    return uses;
}

static ilc__piece infix_print(ilc__printer *p, const char *infix, ilc__piece a, ilc__piece b, bool two)
{
    if (!two) {
        bool clash = a.text[0] == '-'; /* "--x" is another operator */
        return (ilc__piece){
            ilc__print(p, "%s%s", infix, ilc__piece_at(p, a, clash ? ILC__PREC_PRIMARY + 1 : ILC__PREC_UNARY)),
            ILC__PREC_UNARY, false, false, 0};
    }
    int prec = operator_prec(infix, strlen(infix)), left = prec, right = prec + 1;
    if (prec == ILC__PREC_BITAND || prec == ILC__PREC_XOR || prec == ILC__PREC_BITOR) {
        /* few know where & | ^ stand among the others, and compilers warn: brackets, but for a chain of one */
        left = a.prec == prec ? prec : ILC__PREC_UNARY;
        right = ILC__PREC_UNARY;
    }
    return (ilc__piece){ilc__print(p, "%s %s %s", ilc__piece_at(p, a, left), infix, ilc__piece_at(p, b, right)),
                        prec, false, false, 0};
}

static ilc__piece op_print(ilc__printer *p, const ilc__expr *expr, ilc__piece *args)
{
    bool two = expr->arg_count > 1;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (op_uses(p, expr, (char)('a' + i)) > 1) args[i] = to_leaf(p, args[i], expr->args[i]->type);
    if (!two) args[1] = args[0];
    if (ilc__op_kept(p, expr)) ilc__trap_op(p, expr, args);
    const char *infix = infix_of(p, expr);
    ilc__piece  result;
    if (infix) {
        result = infix_print(p, infix, args[0], args[1], two);
    } else {
        const char *text = strip(p->em->arena, row_text(p, expr->op, two ? expr->args[1] : NULL, &args[1]));
        if (strcmp(text, "a") == 0) return args[0];
        text = strip(p->em->arena, text);
        result = (ilc__piece){ilc__substitute(p, text, args), text_prec(text), false, false, 0};
    }
    result.loads = false;
    result.depth = 0;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        result.loads = result.loads || args[i].loads;
        if (args[i].depth > result.depth) result.depth = args[i].depth;
    }
    result.depth++;
    return result;
}

/* --- what needs statements ------------------------------------------------------------------------------ */

static bool is_leaf(const ilc__expr *expr)
{
    return expr->kind == ILC__EX_CONST || expr->kind == ILC__EX_VAR;
}

static bool is_array(const ilc__expr *expr)
{
    return expr->type == ILC__IR_REF;
}

/* Its own node, operands apart. */
static bool node_needs_statements(ilc__printer *p, const ilc__expr *expr)
{
    if (ilc__expr_checked(p, expr)) return true;
    if (expr->kind == ILC__EX_NEWARR) return !expr->u.var->table;
    if (ilc__is_span_made(expr)) return true;
    if ((expr->kind == ILC__EX_SELECT || expr->kind == ILC__EX_LOAD) && is_array(expr)) return true;
    if (expr->kind == ILC__EX_CALL) {
        const ilc__func_info *callee = ilc__call_info(p, expr);
        return !callee || is_array(expr) || callee->traps || callee->stores;
    }
    if (expr->kind != ILC__EX_OP) return false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!is_leaf(expr->args[i]) && op_uses(p, expr, (char)('a' + i)) > 1) return true;
    return false;
}

static bool needs(ilc__printer *p, const ilc__expr *expr, uint32_t *height)
{
    uint32_t tallest = 0;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        uint32_t h = 0;
        if (needs(p, expr->args[i], &h)) return true;
        if (h > tallest) tallest = h;
    }
    *height = tallest + 1;
    return *height >= SPLIT_DEPTH || node_needs_statements(p, expr);
}

bool ilc__expr_needs_statements(ilc__printer *p, const ilc__expr *expr)
{
    uint32_t height = 0;
    return expr && needs(p, expr, &height);
}

/* A call that may store: what was loaded before it must not be read after it. */
static bool may_store(ilc__printer *p, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_CALL) {
        const ilc__func_info *callee = ilc__call_info(p, expr);
        if (!callee || callee->stores) return true;
    }
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (may_store(p, expr->args[i])) return true;
    return false;
}

/* --- kinds of expression -------------------------------------------------------------------------------- */

/* Unsigned 32- and 64-bit storage is read into the signed stack type; smaller ones promote by themselves. */
static ilc__piece from_storage(ilc__printer *p, ilc__piece piece, ilc_storage storage)
{
    const char *cast = NULL;
    if (storage == ILC_U32) cast = "(int)";
    if (storage == ILC_U64 || storage == ILC_UINT) cast = "(long long)";
    if (!cast) return piece;
    piece.text = ilc__print(p, "%s%s", cast, ilc__piece_at(p, piece, ILC__PREC_UNARY));
    piece.prec = ILC__PREC_UNARY;
    return piece;
}

static ilc__piece var_print(ilc__printer *p, const ilc__var *var)
{
    ilc__piece piece = leaf(p->info->var_names[var->index]);
    /* locals of unsigned types live as their stack type (function.c) */
    return var->is_param ? from_storage(p, piece, var->storage) : piece;
}

static ilc__piece load_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece piece = ilc__element_print(p, expr, ilc__target_type(p->em, expr->storage, NULL));
    piece.loads = true;
    return from_storage(p, piece, expr->storage);
}

static ilc__piece isnull_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__array_text array;
    ilc__array_print(p, expr->args[0], true, &array);
    return (ilc__piece){ilc__print(p, "%s < 0", array.lengths[0]), ILC__PREC_REL, false, false, 1};
}

/* One object is one address (null references: the null pointer, length -1). */
static ilc__piece sameref_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__array_text array[2];
    for (int i = 0; i < 2; i++) ilc__array_print(p, expr->args[i], true, &array[i]);
    return (ilc__piece){ilc__print(p, "(const void *)%s == (const void *)%s && %s == %s", array[0].pointer, array[1].pointer,
                                   array[0].lengths[0], array[1].lengths[0]),
                        ILC__PREC_AND, false, false, 1};
}

static bool stores_after(ilc__printer *p, const ilc__expr *expr, uint32_t operand)
{
    for (uint32_t k = operand + 1; k < expr->arg_count; k++)
        if (may_store(p, expr->args[k])) return true;
    return false;
}

static ilc__piece operand_print(ilc__printer *p, const ilc__expr *expr, uint32_t operand)
{
    const ilc__expr *e = expr->args[operand];
    bool             address = e->type == ILC__IR_ADDR && expr->kind == ILC__EX_CALL;
    return address ? ilc__addr_argument(p, e, expr->u.callee->vars.items[operand]) : ilc__expr_print(p, e);
}

/* Of an address that is an argument: a pointer, or the struct that is passed by value. */
static const char *argument_type(ilc__printer *p, const ilc__expr *call, uint32_t operand)
{
    const ilc__var *param = call->u.callee->vars.items[operand];
    const ilc__func_info *callee = ilc__call_info(p, call);
    bool                  constant = param->is_addr && callee && !callee->written[operand];
    return ilc__print(p, "%s%s%s", constant ? "const " : "", ilc__target_type(p->em, param->storage, param->layout),
                      param->is_addr ? " *" : "");
}

/* An array as an argument, with the lengths that the callee takes. */
static void argument_array(ilc__printer *p, const ilc__expr *e, const bool *taken, ilc__array_text *out)
{
    ilc__array_print(p, e, false, out);
    for (uint32_t k = 0; out->needs && k < 3; k++) out->needs[k] = out->needs[k] || taken[k];
}

void ilc__operands_print(ilc__printer *p, const ilc__expr *expr, ilc__piece *out, ilc__array_text *arrays)
{
    const ilc__func_info *callee = arrays ? ilc__call_info(p, expr) : NULL;
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        const ilc__expr *e = expr->args[i];
        if (is_array(e)) {
            if (callee) argument_array(p, e, callee->needs_len + 3 * i, &arrays[i]);
            continue;
        }
        out[i] = operand_print(p, expr, i);
        if (!out[i].loads || !stores_after(p, expr, i)) continue;
        if (e->type != ILC__IR_ADDR) out[i] = to_leaf(p, out[i], e->type);
        else if (!out[i].leaf) out[i] = ilc__temp(p, argument_type(p, expr, i), out[i].text);
    }
}

static const char *call_text(ilc__printer *p, const ilc__expr *expr, const ilc__func_info *callee, bool *loads)
{
    ilc__text   text = {.arena = p->em->arena};
    ilc__piece *args = ILC__NEW_ARRAY(p->em->arena, ilc__piece, expr->arg_count + 1);
    ilc__array_text *arrays = ILC__NEW_ARRAY(p->em->arena, ilc__array_text, expr->arg_count + 1);
    ilc__operands_print(p, expr, args, arrays);
    ilc__text_printf(&text, "%s(", callee->name);
    const char *comma = "";
    *loads = false;
    for (uint32_t i = 0; i < expr->arg_count; i++, comma = ", ") {
        if (is_array(expr->args[i])) {
            *loads = true;
            args[i].text = arrays[i].pointer;
        }
        *loads = *loads || args[i].loads || expr->args[i]->type == ILC__IR_ADDR; /* the callee reads there */
        ilc__text_printf(&text, "%s%s", comma, args[i].text);
    }
    for (uint32_t i = 0; i < expr->arg_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            if (!callee->needs_len[3 * i + k]) continue;
            ilc__text_printf(&text, "%s%s", comma, arrays[i].lengths[k]);
            comma = ", ";
        }
    if (callee->traps) ilc__text_printf(&text, "%sil_at", comma);
    if (callee->func->cycle)
        ilc__text_puts(&text, ilc__is_inside(p->func, callee->func) ? ", il_depth + 1" : ", 1");
    ilc__text_putc(&text, ')');
    return ilc__text_string(&text);
}

ilc__piece ilc__call_print(ilc__printer *p, const ilc__expr *expr)
{
    const ilc__func_info *callee = ilc__call_info(p, expr);
    if (!callee || callee->func->param_count != expr->arg_count) {
        p->status = ilc__fail(p->em->ctx, ILC_INTERNAL, NULL, "a call in %s names a function that is not in its unit",
                              p->func->name);
        return leaf("0");
    }
    bool       loads;
    ilc__piece call = {call_text(p, expr, callee, &loads), ILC__PREC_PRIMARY, false, false, 0};
    bool       nothing = callee->func->ret == ILC_VOID;
    if (callee->stack > p->info->below) p->info->below = callee->stack; /* 0 in the cycle itself */
    ilc__depth_test(p, expr);
    if (!callee->traps && !callee->stores && !nothing && !is_array(expr)) {
        call.loads = loads;
        call.depth = 1;
        return expr->type == ILC__IR_ADDR ? call : from_storage(p, call, callee->func->ret);
    }
    ilc__piece result = leaf("");
    if (nothing)
        ilc__line_out(p, "%s;", call.text);
    else if (is_array(expr))
        result = ilc__temp(p, "il_array", call.text);
    else if (expr->type == ILC__IR_ADDR)
        result = ilc__temp(p, ilc__print(p, "%s *", ilc__target_type(p->em, expr->storage, expr->layout)), call.text);
    else
        result = ilc__temp(p, ilc__c_stack_type(expr->type), from_storage(p, call, callee->func->ret).text);
    if (callee->traps) {
        p->info->traps = true;
        ilc__line_out(p, "if (il_at->failed) %s", ilc__trap_return(p));
    }
    return result;
}

/* --- && || ?: ------------------------------------------------------------------------------------------- */

static bool is_flag(const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_OP) return (ilc__op_info_of(expr->op)->flags & ILC__OPF_TRUTH) != 0;
    return expr->kind == ILC__EX_AND || expr->kind == ILC__EX_OR || expr->kind == ILC__EX_NOT ||
           expr->kind == ILC__EX_ISNULL || expr->kind == ILC__EX_SAMEREF;
}

static const char *flag_text(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece piece = ilc__expr_print(p, expr);
    return is_flag(expr) ? piece.text : ilc__print(p, "%s != 0", ilc__piece_at(p, piece, ILC__PREC_EQ));
}

static ilc__piece short_circuit_print(ilc__printer *p, const ilc__expr *expr)
{
    bool is_and = expr->kind == ILC__EX_AND;
    if (ilc__expr_needs_statements(p, expr->args[1])) {
        ilc__piece result = ilc__temp(p, "int", flag_text(p, expr->args[0]));
        ilc__line_out(p, "if (%s%s) {", is_and ? "" : "!", result.text);
        p->indent++;
        ilc__line_out(p, "%s = %s;", result.text, flag_text(p, expr->args[1]));
        p->indent--;
        ilc__line_out(p, "}");
        return result;
    }
    ilc__piece a = ilc__expr_print(p, expr->args[0]), b = ilc__expr_print(p, expr->args[1]);
    int        prec = is_and ? ILC__PREC_AND : ILC__PREC_OR;
    return (ilc__piece){ilc__print(p, "%s %s %s", ilc__piece_at(p, a, prec), is_and ? "&&" : "||",
                                   /* compilers warn of && inside || without brackets */
                                   ilc__piece_at(p, b, prec + 1)),
                        prec, false, a.loads || b.loads, (a.depth > b.depth ? a.depth : b.depth) + 1};
}

static ilc__piece select_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece cond = ilc__expr_print(p, expr->args[0]);
    if (!ilc__expr_needs_statements(p, expr->args[1]) && !ilc__expr_needs_statements(p, expr->args[2])) {
        ilc__piece a = ilc__expr_print(p, expr->args[1]), b = ilc__expr_print(p, expr->args[2]);
        uint32_t   depth = cond.depth > a.depth ? cond.depth : a.depth;
        return (ilc__piece){ilc__print(p, "%s ? %s : %s", ilc__piece_at(p, cond, ILC__PREC_OR),
                                       ilc__piece_at(p, a, ILC__PREC_OR), ilc__piece_at(p, b, ILC__PREC_OR)),
                            ILC__PREC_COND, false, cond.loads || a.loads || b.loads,
                            (depth > b.depth ? depth : b.depth) + 1};
    }
    ilc__piece result = ilc__temp(p, ilc__c_stack_type(expr->type), NULL);
    ilc__line_out(p, "if (%s) {", cond.text);
    for (int arm = 1; arm <= 2; arm++) {
        p->indent++;
        ilc__line_out(p, "%s = %s;", result.text, ilc__expr_print(p, expr->args[arm]).text);
        p->indent--;
        ilc__line_out(p, arm == 1 ? "} else {" : "}");
    }
    return result;
}

static ilc__piece const_print(ilc__printer *p, const ilc__expr *expr)
{
    bool       primary;
    ilc__piece piece = leaf(ilc__literal(p->em->arena, expr->type, expr->u.bits, &primary));
    if (!primary) piece.prec = ILC__PREC_UNARY;
    return piece;
}

static ilc__piece not_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece a = ilc__expr_print(p, expr->args[0]);
    return (ilc__piece){ilc__print(p, "!%s", ilc__piece_at(p, a, ILC__PREC_UNARY)), ILC__PREC_UNARY, false, a.loads,
                        a.depth + 1};
}

static ilc__piece loadind_print(ilc__printer *p, const ilc__expr *expr)
{
    if (!ilc__addr_is_aligned(p, expr->args[0], expr->storage, NULL)) return ilc__bytewise_load(p, expr);
    ilc__piece place = ilc__place_print(p, expr->args[0]);
    place.loads = true;
    place.leaf = false;
    place.depth++;
    return from_storage(p, place, expr->storage);
}

static ilc__piece node_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece args[3], piece;
    if (expr->type == ILC__IR_ADDR) return ilc__addr_print(p, expr);
    switch (expr->kind) {
    case ILC__EX_CONST: return const_print(p, expr);
    case ILC__EX_VAR: return var_print(p, expr->u.var);
    case ILC__EX_LOAD: piece = load_print(p, expr); break;
    case ILC__EX_LEN: piece = ilc__len_print(p, expr); break;
    case ILC__EX_DIM: piece = ilc__dim_print(p, expr); break;
    case ILC__EX_LOADIND: piece = loadind_print(p, expr); break;
    case ILC__EX_ADDRINT: piece = ilc__number_print(p, expr); break;
    case ILC__EX_NONNULL: ilc__nonnull_print(p, expr); return leaf("");
    case ILC__EX_ISNULL: piece = isnull_print(p, expr); break;
    case ILC__EX_SAMEREF: piece = sameref_print(p, expr); break;
    case ILC__EX_CALL: piece = ilc__call_print(p, expr); break;
    case ILC__EX_AND: case ILC__EX_OR: piece = short_circuit_print(p, expr); break;
    case ILC__EX_NOT: piece = not_print(p, expr); break;
    case ILC__EX_SELECT: piece = select_print(p, expr); break;
    case ILC__EX_OP:
        ilc__operands_print(p, expr, args, NULL);
        piece = op_print(p, expr, args);
        break;
    default: return leaf("0");
    }
    return piece.depth >= SPLIT_DEPTH ? to_leaf(p, piece, expr->type) : piece;
}

ilc__piece ilc__expr_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__in_expr around = ilc__lines_enter(p, expr);
    ilc__piece   piece = node_print(p, expr);
    ilc__lines_leave(p, around);
    return piece;
}
