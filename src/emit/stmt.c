/* stmt.c - statements. A condition, limit or step that needs statements of its own turns its loop into
 * for (;;) with those statements inside; jumps that C's break and continue cannot make are gotos. */
#include "emit/rows.h"

static const char *var_name(ilc__printer *p, const ilc__var *var)
{
    return p->info->var_names[var->index];
}

/* --- declarations --------------------------------------------------------------------------------------- */

/* Of an array or a by-ref. */
static const char *pointer_type(ilc__printer *p, const ilc__var *var)
{
    return ilc__print(p, "%s%s *", p->info->written[var->index] ? "" : "const ",
                      ilc__element_type(p->em, var));
}

/* Unsigned locals live as the signed type that they have on the stack. */
static const char *local_type(const ilc__var *var)
{
    if (var->storage == ILC_U32) return "int";
    if (var->storage == ILC_U64 || var->storage == ILC_UINT) return "long long";
    return ilc__c_type(var->storage);
}

static void declare_before(ilc__printer *p, const ilc__stmt *stmt)
{
    const ilc__place *first = ilc__map_get(&p->before, &stmt, sizeof stmt);
    for (uint32_t i = first ? (uint32_t)(first - p->places) : 0, more = first != NULL; more; more = p->places[i].next, i = more) {
        const ilc__var *var = p->func->vars.items[i];
        if (var->is_array) {
            ilc__line_out(p, "%s%s = 0;", pointer_type(p, var), var_name(p, var));
            for (uint32_t k = 0; k < ilc__rank_of(var); k++)
                ilc__line_out(p, "long long %s = -1;", p->info->len_names[3 * i + k]);
        } else if (var->is_addr) {
            ilc__line_out(p, "%s%s;", pointer_type(p, var), var_name(p, var));
        } else {
            ilc__line_out(p, "%s %s;", local_type(var), var_name(p, var));
        }
    }
}

/* "", or the type with a space when this statement declares the variable. */
static const char *declarator(ilc__printer *p, const ilc__stmt *stmt, const ilc__var *var)
{
    ilc__place place = p->places[var->index];
    bool       here = place.kind == ILC__PLACE_AT && place.at == stmt;
    if (place.kind == ILC__PLACE_FORS && stmt->kind == ILC__ST_FOR) {
        here = true;
        for (const ilc__nest *nest = p->nest; nest; nest = nest->outer)
            if (nest->stmt->kind == ILC__ST_FOR && nest->stmt->var == var) here = false;
    }
    if (!here) return "";
    return var->is_array || var->is_addr ? pointer_type(p, var) : ilc__print(p, "%s ", local_type(var));
}

static void declare_array(ilc__printer *p, const ilc__var *var)
{
    ilc__text_printf(&p->top, "    %s%s = 0;\n", pointer_type(p, var), var_name(p, var));
    for (uint32_t k = 0; k < ilc__rank_of(var); k++)
        ilc__text_printf(&p->top, "    long long %s = -1;\n", p->info->len_names[3 * var->index + k]);
}

static void declare_top(ilc__printer *p)
{
    for (uint32_t i = 0; i < p->func->vars.count; i++) {
        const ilc__var *var = p->func->vars.items[i];
        if (p->places[i].kind != ILC__PLACE_TOP) continue;
        bool floating = var->storage == ILC_F32 || var->storage == ILC_F64;
        if (var->is_array)
            declare_array(p, var);
        else if (var->is_addr)
            ilc__text_printf(&p->top, "    %s%s = 0;\n", pointer_type(p, var), var_name(p, var));
        else
            ilc__text_printf(&p->top, "    %s %s = 0%s;\n", local_type(var), var_name(p, var),
                             !floating ? "" : var->storage == ILC_F32 ? ".0f" : ".0");
        p->top_line += var->is_array ? 1 + ilc__rank_of(var) : 1;
    }
}

/* --- loops ---------------------------------------------------------------------------------------------- */

/* A continue from within an inner loop cannot be C's. */
static bool continues_from_inner(const ilc__block *block, const ilc__stmt *loop)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        if (ilc__stmt_is_loop(stmt) && ilc__block_jumps_to(&stmt->body, loop, ILC__ST_CONTINUE)) return true;
        if (continues_from_inner(&stmt->body, loop) || continues_from_inner(&stmt->other, loop)) return true;
        for (uint32_t i = 0; i < stmt->case_count; i++)
            if (continues_from_inner(&stmt->cases[i].body, loop)) return true;
    }
    return false;
}

/* The body; where continue must be a goto it stands in braces of its own before the label, so that no jump
 * passes a declaration. */
static void loop_body(ilc__printer *p, const ilc__stmt *stmt, ilc__nest *nest)
{
    bool jumps = ilc__block_jumps_to(&stmt->body, stmt, ILC__ST_CONTINUE);
    bool label = jumps && (!nest->c_continue || continues_from_inner(&stmt->body, stmt));
    p->indent++;
    if (label) {
        nest->next_label = ++p->labels;
        ilc__line_out(p, "{");
        p->indent++;
    }
    ilc__block_print(p, &stmt->body);
    if (label) {
        p->indent--;
        ilc__line_out(p, "}");
        ilc__line_out(p, "il_next_%u:;", nest->next_label);
    }
    p->indent--;
}

static void loop_end(ilc__printer *p, const ilc__nest *nest, const char *closing)
{
    ilc__line_out(p, "%s", closing);
    if (nest->break_label) ilc__line_out(p, "il_break_%u:;", nest->break_label);
}

static void leave_unless(ilc__printer *p, const ilc__expr *cond)
{
    p->indent++;
    ilc__piece piece = ilc__expr_print(p, cond);
    ilc__line_out(p, "if (!%s) break;", ilc__piece_at(p, piece, ILC__PREC_UNARY + (piece.prec == ILC__PREC_UNARY)));
    p->indent--;
}

static void while_print(ilc__printer *p, const ilc__stmt *stmt, ilc__nest *nest)
{
    bool plain = stmt->kind == ILC__ST_LOOP || !ilc__expr_needs_statements(p, stmt->a);
    nest->c_continue = true;
    if (stmt->kind == ILC__ST_LOOP || !plain)
        ilc__line_out(p, "for (;;) {");
    else
        ilc__line_out(p, "while (%s) {", ilc__expr_print(p, stmt->a).text);
    if (!plain) leave_unless(p, stmt->a);
    loop_body(p, stmt, nest);
    loop_end(p, nest, "}");
}

static void do_print(ilc__printer *p, const ilc__stmt *stmt, ilc__nest *nest)
{
    bool plain = !ilc__expr_needs_statements(p, stmt->a);
    nest->c_continue = plain;
    ilc__line_out(p, plain ? "do {" : "for (;;) {");
    loop_body(p, stmt, nest);
    if (!plain) leave_unless(p, stmt->a);
    loop_end(p, nest, plain ? ilc__print(p, "} while (%s);", ilc__expr_print(p, stmt->a).text) : "}");
}

static ilc__expr *binary(ilc__printer *p, const ilc__stmt *stmt, ilc__op op, ilc__expr *right)
{
    ilc__expr *expr = ilc__expr_op(p->em->arena, op, ilc__expr_of(p->em->arena, stmt->var), right);
    expr->il = stmt->il;
    expr->has_il = stmt->has_il;
    return expr;
}

/* "k++", "k += 2" or "k = ..." */
static const char *step_text(ilc__printer *p, const ilc__stmt *stmt, const ilc__expr *step)
{
    const char *name = var_name(p, stmt->var), *text = ilc__expr_print(p, step).text;
    size_t      length = strlen(name);
    bool plain = stmt->c->kind == ILC__EX_CONST || stmt->c->kind == ILC__EX_VAR;
    if (strncmp(text, name, length) == 0 && plain) {
        const char *rest = text + length;
        if (strcmp(rest, " + 1") == 0) return ilc__print(p, "%s++", name);
        if (strcmp(rest, " - 1") == 0 || strcmp(rest, " + -1") == 0) return ilc__print(p, "%s--", name);
        if (strncmp(rest, " + ", 3) == 0) return ilc__print(p, "%s += %s", name, rest + 3);
        if (strncmp(rest, " - ", 3) == 0) return ilc__print(p, "%s -= %s", name, rest + 3);
    }
    return ilc__print(p, "%s = %s", name, text);
}

/* c >= 0 ? k <= b : k >= b */
static ilc__expr *test_by_sign(ilc__printer *p, const ilc__stmt *stmt)
{
    bool       wide = stmt->c->type == ILC__IR_I64;
    ilc__expr *zero = ILC__NEW(p->em->arena, ilc__expr), *choice = ILC__NEW(p->em->arena, ilc__expr);
    *zero = (ilc__expr){.kind = ILC__EX_CONST, .type = stmt->c->type};
    *choice = (ilc__expr){.kind = ILC__EX_SELECT, .type = ILC__IR_I32, .arg_count = 3};
    choice->args = ILC__NEW_ARRAY(p->em->arena, ilc__expr *, 3);
    choice->args[0] = binary(p, stmt, wide ? ILC__OP_GE_I64 : ILC__OP_GE_I32, zero);
    choice->args[0]->args[0] = stmt->c;
    choice->args[1] = binary(p, stmt, wide ? ILC__OP_LE_I64 : ILC__OP_LE_I32, stmt->b);
    choice->args[2] = binary(p, stmt, wide ? ILC__OP_GE_I64 : ILC__OP_GE_I32, stmt->b);
    return choice;
}

/* A step that may wrap past the limit: whether this was the last turn is seen before it is made. */
static void for_at_limit(ilc__printer *p, const ilc__stmt *stmt, ilc__nest *nest, ilc__expr *cond, ilc__expr *step)
{
    bool        wide = stmt->b->type == ILC__IR_I64;
    ilc__expr  *is_last = binary(p, stmt, wide ? ILC__OP_EQ_I64 : ILC__OP_EQ_I32, stmt->b);
    bool        plain_cond = !ilc__expr_needs_statements(p, cond);
    const char *last = ilc__temp(p, "int", "0").text;
    p->nest = nest->outer;
    const char *declared = declarator(p, stmt, stmt->var);
    p->nest = nest;
    const char *start = ilc__print(p, "%s%s = %s", declared, var_name(p, stmt->var), ilc__expr_print(p, stmt->a).text);
    const char *test = plain_cond ? ilc__print(p, " && %s", ilc__expr_print(p, cond).text) : "";
    nest->c_continue = false;
    ilc__line_out(p, "for (%s; !%s%s;) {", start, last, test);
    if (!plain_cond) leave_unless(p, cond);
    loop_body(p, stmt, nest);
    p->at = stmt;
    p->indent++;
    const char *reached = ilc__expr_print(p, is_last).text;
    ilc__line_out(p, "%s = %s;", last, reached);
    const char *next = step_text(p, stmt, step);
    ilc__line_out(p, "%s;", next);
    p->indent--;
    loop_end(p, nest, "}");
}

static void for_print(ilc__printer *p, const ilc__stmt *stmt, ilc__nest *nest)
{
    ilc__expr *cond = binary(p, stmt, stmt->compare, stmt->b), *step = binary(p, stmt, stmt->step, stmt->c);
    step->covered = stmt->covered;
    step->proved = stmt->proved;
    step->il = stmt->step_il;
    if (stmt->ends == ILC__FOR_BY_SIGN) cond = test_by_sign(p, stmt);
    cond->il = stmt->test_il;
    if (stmt->ends == ILC__FOR_AT_LIMIT && !(p->guarded && stmt->covered)) {
        for_at_limit(p, stmt, nest, cond, step);
        return;
    }
    bool plain_cond = !ilc__expr_needs_statements(p, cond), plain_step = !ilc__expr_needs_statements(p, step);
    nest->c_continue = plain_step;
    p->nest = nest->outer;
    const char *declared = declarator(p, stmt, stmt->var);
    p->nest = nest;
    const char *start = ilc__print(p, "%s%s = %s", declared, var_name(p, stmt->var), ilc__expr_print(p, stmt->a).text);
    const char *test = plain_cond ? ilc__print(p, " %s", ilc__expr_print(p, cond).text) : "";
    const char *next = plain_step ? ilc__print(p, " %s", step_text(p, stmt, step)) : "";
    ilc__line_out(p, "for (%s;%s;%s) {", start, test, next);
    if (!plain_cond) leave_unless(p, cond);
    loop_body(p, stmt, nest);
    if (!plain_step) {
        p->indent++;
        const char *text = step_text(p, stmt, step);
        ilc__line_out(p, "%s;", text);
        p->indent--;
    }
    loop_end(p, nest, "}");
}

/* --- jumps ---------------------------------------------------------------------------------------------- */

static ilc__nest *nest_of(ilc__printer *p, const ilc__stmt *loop)
{
    for (ilc__nest *nest = p->nest; nest; nest = nest->outer)
        if (nest->stmt == loop) return nest;
    if (!p->status)
        p->status = ilc__fail(p->em->ctx, ILC_INTERNAL, NULL, "a jump in %s leaves a loop that does not hold it", p->func->name);
    return NULL;
}

static void break_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__nest *nest = nest_of(p, stmt->target);
    if (!nest) return;
    if (nest == p->nest) {
        ilc__line_out(p, "break;");
        return;
    }
    if (!nest->break_label) nest->break_label = ++p->labels;
    ilc__line_out(p, "goto il_break_%u;", nest->break_label);
}

static void continue_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__nest *nest = nest_of(p, stmt->target), *inner = p->nest;
    if (!nest) return;
    while (inner->stmt->kind == ILC__ST_SWITCH) inner = inner->outer;
    if (inner == nest && nest->c_continue)
        ilc__line_out(p, "continue;");
    else
        ilc__line_out(p, "goto il_next_%u;", nest->next_label);
}

/* --- the rest ------------------------------------------------------------------------------------------- */

/* "v += x" for "v = v + x", where + - * / stand between plain operands. */
static const char *compound(ilc__printer *p, const ilc__stmt *stmt, const char *text)
{
    const ilc__expr *a = stmt->a;
    const char      *name = var_name(p, stmt->var);
    size_t           length = strlen(name);
    bool self = a->kind == ILC__EX_OP && a->arg_count == 2 && a->args[0]->kind == ILC__EX_VAR && a->args[0]->u.var == stmt->var;
    if (!self || strncmp(text, name, length) != 0 || text[length] != ' ' || !strchr("+-*/", text[length + 1]) ||
        text[length + 2] != ' ')
        return NULL;
    return ilc__print(p, "%s %c= %s;", name, text[length + 1], text + length + 3);
}

static void assign_array(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__array_text array;
    const ilc__var *var = stmt->var;
    const char     *declared = declarator(p, stmt, var);
    ilc__array_print(p, stmt->a, true, &array);
    ilc__line_out(p, "%s%s = %s;", declared, var_name(p, var), array.pointer);
    for (uint32_t k = 0; k < ilc__rank_of(var); k++) p->info->needs_len[3 * var->index + k] = true;
    for (uint32_t k = 0; k < ilc__rank_of(var); k++)
        ilc__line_out(p, "%s%s = %s;", *declared ? "long long " : "", p->info->len_names[3 * var->index + k], array.lengths[k]);
}

static void assign_print(ilc__printer *p, const ilc__stmt *stmt)
{
    const ilc__var *var = stmt->var;
    if (var->is_addr) {
        const char *address = ilc__addr_as(p, stmt->a, ilc__addr_print(p, stmt->a), var);
        ilc__line_out(p, "%s%s = %s;", declarator(p, stmt, var), var_name(p, var), address);
        return;
    }
    if (!var->is_array) {
        ilc__piece value = ilc__expr_print(p, stmt->a);
        const char *declared = declarator(p, stmt, var), *update = compound(p, stmt, value.text);
        if (update && !*declared)
            ilc__line_out(p, "%s", update);
        else
            ilc__line_out(p, "%s%s = %s;", declared, var_name(p, var), value.text);
        return;
    }
    assign_array(p, stmt);
}

/* stelem tests null and bounds after its operands are evaluated (ECMA-335 III.4.26). */
static void store_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__array_text array;
    ilc__index      index;
    bool            checked = p->em->options->checks && !stmt->proved && !(p->guarded && stmt->covered);
    ilc__array_print(p, stmt->a, checked, &array);
    bool keep = checked || (ilc__expr_loads(stmt->b) && ilc__expr_needs_statements(p, stmt->c));
    ilc__index_print(p, stmt->b, keep, &index);
    ilc__piece value = ilc__expr_print(p, stmt->c);
    if (checked) ilc__trap_place(p, &index, &array, stmt->il, stmt->has_il);
    const char *type = ilc__target_type(p->em, stmt->storage, NULL), *place = ilc__index_text(p, &index, &array);
    ilc__line_out(p, "%s = %s;", ilc__element_text(p, stmt->a, array.pointer, place, type), value.text);
}

static void nested_block(ilc__printer *p, const ilc__block *block)
{
    p->indent++;
    ilc__block_print(p, block);
    p->indent--;
}

static bool declares_before(ilc__printer *p, const ilc__stmt *stmt)
{
    return ilc__map_get(&p->before, &stmt, sizeof stmt) != NULL;
}

/* An Else that holds one If alone continues the chain. */
static const ilc__stmt *chained_if(ilc__printer *p, const ilc__stmt *stmt)
{
    const ilc__stmt *inner = stmt->other.first;
    if (!inner || inner->next || inner->kind != ILC__ST_IF) return NULL;
    return ilc__expr_needs_statements(p, inner->a) || declares_before(p, inner) ? NULL : inner;
}

static void if_print(ilc__printer *p, const ilc__stmt *stmt)
{
    const char *lead = "if";
    for (;;) {
        ilc__piece cond = ilc__expr_print(p, stmt->a);
        bool       turned = !stmt->body.first && stmt->other.first;
        if (turned) {
            ilc__line_out(p, "%s (!%s) {", lead, ilc__piece_at(p, cond, ILC__PREC_UNARY));
            nested_block(p, &stmt->other);
            break;
        }
        ilc__line_out(p, "%s (%s) {", lead, cond.text);
        nested_block(p, &stmt->body);
        if (!stmt->other.first) break;
        const ilc__stmt *inner = chained_if(p, stmt);
        if (!inner) {
            ilc__line_out(p, "} else {");
            nested_block(p, &stmt->other);
            break;
        }
        stmt = p->at = inner;
        lead = "} else if";
    }
    ilc__line_out(p, "}");
}

static bool ends_in_jump(const ilc__block *block)
{
    if (!block->last) return false;
    switch (block->last->kind) {
    case ILC__ST_BREAK: case ILC__ST_CONTINUE: case ILC__ST_RETURN: case ILC__ST_THROW: case ILC__ST_GOTO: return true;
    default: return false;
    }
}

/* --- switch --------------------------------------------------------------------------------------------- */

static const char *label_text(ilc__printer *p, const ilc__stmt *stmt, int64_t value)
{
    bool primary;
    return ilc__literal(p->em->arena, stmt->a->type, (uint64_t)value, &primary);
}

static bool has_long_range(const ilc__stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->case_count; i++)
        for (uint32_t k = 0; k < stmt->cases[i].count; k++) {
            ilc__interval range = stmt->cases[i].ranges[k];
            if ((uint64_t)range.last - (uint64_t)range.first >= ILC__AST_LONG_RANGE) return true;
        }
    return false;
}

static void range_test(ilc__printer *p, const ilc__stmt *stmt, const char *value, ilc__interval range, ilc__text *out)
{
    bool    wide = stmt->a->type == ILC__IR_I64;
    int64_t least = wide ? INT64_MIN : INT32_MIN, most = wide ? INT64_MAX : INT32_MAX;
    const char *first = label_text(p, stmt, range.first), *last = label_text(p, stmt, range.last);
    if (range.first == range.last) ilc__text_printf(out, "%s == %s", value, first);
    else if (range.first == least) ilc__text_printf(out, "%s <= %s", value, last);
    else if (range.last == most) ilc__text_printf(out, "%s >= %s", value, first);
    else ilc__text_printf(out, "(%s >= %s && %s <= %s)", value, first, value, last);
}

/* The line of a case, which comes from its own test. */
static void case_line(ilc__printer *p, const ilc__stmt *stmt, const ilc__case *one, const char *text)
{
    ilc__stmt test = *stmt;
    test.il = one->il;
    if (one->has_il) p->at = &test;
    ilc__line_out(p, "%s", text);
    p->at = stmt;
}

/* As a chain of tests of one value. */
static void tests_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__piece  piece = ilc__expr_print(p, stmt->a);
    const char *value = ilc__piece_at(p, piece, ILC__PREC_SHIFT);
    if (stmt->a->kind != ILC__EX_VAR) value = ilc__temp(p, ilc__c_type(stmt->a->type == ILC__IR_I64 ? ILC_I64 : ILC_I32), piece.text).text;
    for (uint32_t i = 0; i < stmt->case_count; i++) {
        ilc__text test = {.arena = p->em->arena};
        for (uint32_t k = 0; k < stmt->cases[i].count; k++) {
            if (k) ilc__text_puts(&test, " || ");
            range_test(p, stmt, value, stmt->cases[i].ranges[k], &test);
        }
        case_line(p, stmt, &stmt->cases[i], ilc__print(p, "%sif (%s) {", i ? "} else " : "", ilc__text_string(&test)));
        nested_block(p, &stmt->cases[i].body);
    }
    if (stmt->other.first) {
        ilc__line_out(p, "} else {");
        nested_block(p, &stmt->other);
    }
    ilc__line_out(p, "}");
}

static void switch_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__nest nest = {.stmt = stmt, .outer = p->nest};
    if (has_long_range(stmt)) {
        tests_print(p, stmt);
        return;
    }
    ilc__line_out(p, "switch (%s) {", ilc__expr_print(p, stmt->a).text);
    p->nest = &nest;
    for (uint32_t i = 0; i <= stmt->case_count; i++) {
        const ilc__block *body = i < stmt->case_count ? &stmt->cases[i].body : &stmt->other;
        ilc__text         head = {.arena = p->em->arena};
        for (uint32_t k = 0; i < stmt->case_count && k < stmt->cases[i].count; k++) {
            ilc__interval range = stmt->cases[i].ranges[k];
            for (uint64_t n = 0; n <= (uint64_t)range.last - (uint64_t)range.first; n++)
                ilc__text_printf(&head, "case %s: ", label_text(p, stmt, (int64_t)((uint64_t)range.first + n)));
        }
        if (i == stmt->case_count) {
            if (!body->first) break;
            ilc__text_puts(&head, "default: ");
        } else if (stmt->cases[i].count == 0) {
            continue;
        }
        if (i < stmt->case_count) case_line(p, stmt, &stmt->cases[i], ilc__print(p, "%s{", ilc__text_string(&head)));
        else ilc__line_out(p, "%s{", ilc__text_string(&head));
        nested_block(p, body);
        if (!ends_in_jump(body)) ilc__line_out(p, "    break;");
        ilc__line_out(p, "}");
    }
    ilc__line_out(p, "}");
    p->nest = nest.outer;
}

static void rows_print(ilc__printer *p, const ilc__stmt *stmt, ilc__nest *nest)
{
    nest->c_continue = true;
    loop_body(p, stmt, nest);
    ilc__rows_loop_end(p, stmt);
}

static void loop_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__nest nest = {.stmt = stmt, .outer = p->nest};
    p->nest = &nest;
    if (p->info->rows && ilc__rows_loop_head(p, stmt))
        rows_print(p, stmt, &nest);
    else if (stmt->kind == ILC__ST_FOR)
        for_print(p, stmt, &nest);
    else if (stmt->kind == ILC__ST_DO)
        do_print(p, stmt, &nest);
    else
        while_print(p, stmt, &nest);
    p->nest = nest.outer;
}

static void return_print(ilc__printer *p, const ilc__stmt *stmt)
{
    if (p->func->ret_to)
        ilc__line_out(p, "return %s;", ilc__addr_to(p, stmt->a, ilc__addr_print(p, stmt->a), *p->func->ret_to));
    else if (p->func->ret_array)
        ilc__return_array(p, stmt->a);
    else if (stmt->a)
        ilc__line_out(p, "return %s;", ilc__expr_print(p, stmt->a).text);
    else
        ilc__line_out(p, "return;");
}

/* A site for each string that it could be, or for each two; which one is seen when it is thrown. */
static void throw_open_print(ilc__printer *p, const ilc__stmt *stmt)
{
    const ilc__strings *strings = p->func->strings;
    const char         *a = ilc__piece_at(p, ilc__expr_print(p, stmt->a), ILC__PREC_MUL);
    uint32_t            first = 0, count = strings->count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < (stmt->b ? count : 1); k++) {
            const char *open[] = {strings->items[i], strings->items[k]};
            const char *message = ilc__exception_compose(p->em->arena, stmt->exc, open);
            uint32_t    site = ilc__site_new(p, stmt->exc->type, message, stmt->il, stmt->has_il);
            if (i == 0 && k == 0) first = site;
        }
    const char *site = stmt->b ? ilc__print(p, "%u + %s * %u + %s", first, a, count,
                                            ilc__piece_at(p, ilc__expr_print(p, stmt->b), ILC__PREC_MUL))
                               : ilc__print(p, "%u + %s", first, a);
    ilc__line_out(p, "%s%s", ilc__trap_raise(p, site), ilc__trap_return(p));
}

static void throw_print(ilc__printer *p, const ilc__stmt *stmt)
{
    if (stmt->a) {
        throw_open_print(p, stmt);
        return;
    }
    const char *message = stmt->exc->message ? stmt->exc->message : "";
    ilc__line_out(p, "%s", ilc__trap_action(p, ilc__site_of(p, stmt->exc->type, message, stmt->il, stmt->has_il)));
}

/* What traps or stores is a statement already. */
static void eval_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__array_text nobodys;
    if (expr->type == ILC__IR_REF) ilc__array_print(p, expr, false, &nobodys);
    else ilc__expr_print(p, expr);
}

static void stmt_print(ilc__printer *p, const ilc__stmt *stmt)
{
    switch (stmt->kind) {
    case ILC__ST_ASSIGN: assign_print(p, stmt); break;
    case ILC__ST_STORE: store_print(p, stmt); break;
    case ILC__ST_STOREIND: case ILC__ST_COPYMEM: case ILC__ST_ZEROMEM: ilc__memory_print(p, stmt); break;
    case ILC__ST_COPYBYTES: case ILC__ST_FILLBYTES: ilc__bytes_print(p, stmt); break;
    case ILC__ST_EVAL: eval_print(p, stmt->a); break;
    case ILC__ST_IF: if_print(p, stmt); break;
    case ILC__ST_LOOP: case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_FOR: loop_print(p, stmt); break;
    case ILC__ST_SWITCH: switch_print(p, stmt); break;
    case ILC__ST_BREAK: break_print(p, stmt); break;
    case ILC__ST_CONTINUE: continue_print(p, stmt); break;
    case ILC__ST_RETURN: return_print(p, stmt); break;
    case ILC__ST_THROW: throw_print(p, stmt); break;
    case ILC__ST_LABEL: ilc__line_out(p, "il_label_%u:;", stmt->label); break;
    case ILC__ST_GOTO: ilc__line_out(p, "goto il_label_%u;", stmt->label); break;
    }
}

void ilc__block_print(ilc__printer *p, const ilc__block *block)
{
    if (block == &p->func->body) {
        ilc__slots_declare(p);
        declare_top(p);
    }
    const ilc__stmt *outer = p->at;
    for (const ilc__stmt *stmt = block->first; stmt && !p->status; stmt = stmt->next) {
        uint32_t first_line = p->line;
        p->at = stmt;
        declare_before(p, stmt);
        stmt_print(p, stmt);
        ilc__lines_end_stmt(p, first_line);
    }
    p->at = outer;
}
