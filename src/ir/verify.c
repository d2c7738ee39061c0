/* verify.c - the rules of ir.h: shape, types, dominance. The conventional property is in versions.c.
 * The first broken rule is reported with the whole function printed and the rule at its value. */
#include "ir/verify.h"

#include "meta/layout.h"

#include <stdio.h>

ilc_status ilc__verify_fail(ilc__verifier *v, ilc__ref ref, uint32_t block, const char *rule)
{
    ilc__text     text = {.arena = v->func->arena};
    ilc__ir_notes notes = {.ref = ref, .note = rule};
    ilc__ir_print_noted(v->func, &notes, &text);
    char place[32] = "";
    if (block != ILC__NO_BLOCK) snprintf(place, sizeof place, " in b%u", block);
    return ilc__fail(v->func->ctx, ILC_INTERNAL, NULL, "IR of %s%s: %s\n%s",
                     v->func->name ? v->func->name : "?", place, rule, ilc__text_string(&text));
}

#define RULE(condition, rule)                                                                                \
    do {                                                                                                     \
        if (!(condition)) return ilc__verify_fail(v, ref, block, rule);                                      \
    } while (0)

/* --- shape -----------------------------------------------------------------------------------------------
 */

static ilc_status check_list(ilc__verifier *v, uint32_t block)
{
    ilc__ir_func  *f = v->func;
    ilc__ir_block *b = &f->blocks.items[block];
    bool           phis = true;
    ilc__ref       ref = 0;
    RULE(b->list.count, "a block is not empty");
    for (uint32_t i = 0; i < b->list.count; i++) {
        ref = b->list.items[i];
        RULE(ref && ref < f->values.count, "a block lists values that exist");
        ilc__ir_value *value = &f->values.items[ref];
        RULE(value->op > ILC__OP_NONE && value->op < ILC__OP_COUNT && value->op != ILC__OP_LAST_COMPUTE,
             "a value has an operation");
        RULE(v->position[ref] == UINT32_MAX, "a value stands in one place");
        RULE(value->block == block, "a value knows its block");
        v->position[ref] = i;
        bool is_phi = value->op == ILC__OP_PHI;
        RULE(phis || !is_phi, "phis stand first");
        phis = is_phi;
        bool ends = (ilc__op_info_of(value->op)->flags & ILC__OPF_TERMINATOR) != 0;
        RULE(ends == (i + 1 == b->list.count), "a block ends with its one terminator");
    }
    return ILC_OK;
}

/* Is there more than one block in a list of edges? */
static bool several(const uint32_t *blocks, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (blocks[i] != blocks[0]) return true;
    return false;
}

static ilc_status check_edges(ilc__verifier *v, uint32_t block)
{
    ilc__ir_func  *f = v->func;
    ilc__ir_block *b = &f->blocks.items[block];
    ilc__ref       ref = b->list.items[b->list.count - 1];
    uint32_t       n = b->succs.count;
    switch (f->values.items[ref].op) {
    case ILC__OP_JUMP: RULE(n == 1, "a jump has one target"); break;
    case ILC__OP_BRANCH: RULE(n == 2, "a branch has two targets"); break;
    case ILC__OP_SWITCH: RULE(n >= 1, "a switch has a default"); break;
    default: RULE(n == 0, "a block that leaves has no target"); break;
    }
    for (uint32_t i = 0; i < n; i++) {
        RULE(b->succs.items[i] < f->blocks.count, "a target exists");
        RULE(b->succs.items[i] != 0, "the entry has no predecessors");
    }
    v->branches[block] = several(b->succs.items, n);
    return ILC_OK;
}

static ilc_status check_preds(ilc__verifier *v, uint32_t block)
{
    ilc__ir_func  *f = v->func;
    ilc__ir_block *b = &f->blocks.items[block];
    ilc__ref       ref = b->list.items[0];
    if (!several(b->preds.items, b->preds.count)) return ILC_OK;
    for (uint32_t i = 0; i < b->preds.count; i++)
        RULE(!v->branches[b->preds.items[i]], "a critical edge is split");
    return ILC_OK;
}

/* --- types -----------------------------------------------------------------------------------------------
 */

static ilc__ir_type type_of(const ilc__verifier *v, ilc__ref ref)
{
    return v->func->values.items[ref].type;
}

/* Of operand i; 'n' stands for as many subscripts as are left, 0 where there are too many or none. */
static char letter_of(const char *letters, uint32_t count, uint32_t i)
{
    const char *n = strchr(letters, 'n');
    uint32_t    length = (uint32_t)strlen(letters);
    if (letters[0] == '*') return '*';
    if (!n) return count == length ? letters[i] : 0;
    uint32_t before = (uint32_t)(n - letters), several = count - (length - 1);
    if (count < length || several > 3) return 0;
    if (i < before) return letters[i];
    return i < before + several ? 'n' : letters[i - several + 1];
}

static bool fits_letter(ilc__ir_type type, char letter)
{
    switch (letter) {
    case 'i': return type == ILC__IR_I32;
    case 'l': return type == ILC__IR_I64;
    case 'f': return type == ILC__IR_F32;
    case 'd': return type == ILC__IR_F64;
    case 'r': return type == ILC__IR_REF;
    case 'x': return type == ILC__IR_EXC;
    case 'a': return type == ILC__IR_ADDR;
    case 'n': return type == ILC__IR_I32 || type == ILC__IR_I64;
    default: return type != ILC__IR_VOID && type != ILC__IR_EXC;
    }
}

static bool points_to(const ilc__verifier *v, ilc__ref addr, ilc__pointee what)
{
    ilc__pointee have = ilc__ir_pointee(v->func, addr);
    return have.layout == what.layout && (what.layout || have.storage == what.storage);
}

static bool holds_array(const ilc__verifier *v, ilc__ref ref, ilc__array_shape what)
{
    ilc__array_shape have = ilc__ir_array(v->func, ref);
    return have.elem == ILC_VOID || (have.rank == what.rank && have.nested == what.nested);
}

/* Null may be an array of anything. */
static bool layout_fits(const ilc__verifier *v, ilc__ref array, const ilc__layout *layout)
{
    const ilc__ir_value *value = &v->func->values.items[array];
    return value->op == ILC__OP_CONST || !value->var || v->func->vars.items[value->var].layout == layout;
}

/* What a version of a by-ref variable is made of points to the same type. */
static ilc_status check_version(ilc__verifier *v, ilc__ref ref, ilc__ref from, uint32_t block)
{
    if (type_of(v, ref) == ILC__IR_REF)
        RULE(holds_array(v, from, ilc__ir_array(v->func, ref)), "an array variable holds arrays of one shape");
    if (type_of(v, ref) != ILC__IR_ADDR) return ILC_OK;
    RULE(points_to(v, from, ilc__ir_pointee(v->func, ref)), "a by-ref variable holds addresses of one type");
    return ILC_OK;
}

static bool divides_by_constant(ilc__op op)
{
    switch (op) {
    case ILC__OP_DIV_NZ_I32:
    case ILC__OP_REM_NZ_I32:
    case ILC__OP_DIV_UN_NZ_I32:
    case ILC__OP_REM_UN_NZ_I32:
    case ILC__OP_DIV_NZ_I64:
    case ILC__OP_REM_NZ_I64:
    case ILC__OP_DIV_UN_NZ_I64:
    case ILC__OP_REM_UN_NZ_I64: return true;
    default: return false;
    }
}

static ilc_status check_operands(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    const ilc__op_info  *info = ilc__op_info_of(value->op);
    RULE(value->arg_count || strspn(info->operands, "*") == strlen(info->operands),
         "an operation has its number of operands");
    for (uint32_t i = 0; i < value->arg_count; i++) {
        ilc__ref arg = value->args[i];
        RULE(arg && arg < v->func->values.count && v->position[arg] != UINT32_MAX,
             "an operand stands in a block");
        char letter = letter_of(info->operands, value->arg_count, i);
        RULE(letter, "an operation has its number of operands");
        RULE(fits_letter(type_of(v, arg), letter),
             "an operand has the type of its place");
    }
    if (value->op < ILC__OP_LAST_COMPUTE)
        RULE(value->type == info->result, "a value has the type of its row");
    if (divides_by_constant(value->op)) {
        const ilc__ir_value *divisor = &v->func->values.items[value->args[1]];
        bool                 is_signed = strncmp(info->text + 3, ".un", 3) != 0;
        RULE(divisor->op == ILC__OP_CONST && divisor->u.bits != 0 &&
                 (!is_signed || divisor->u.bits != UINT64_MAX),
             "a division that cannot trap is by a constant that is neither 0 nor -1");
    }
    return ILC_OK;
}

static ilc_status check_call(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    const ilc__ir_func  *callee = value->u.callee;
    RULE(callee, "a call names a function");
    RULE(value->type == ilc__ir_ret_type(callee), "a call has the type of the function's result");
    RULE(value->arg_count == callee->param_count, "a call has its number of arguments");
    if (callee->vars.count <= callee->param_count) return ILC_OK; /* a function known by name only */
    for (uint32_t i = 0; i < value->arg_count; i++) {
        const ilc__ir_var *param = &callee->vars.items[i + 1];
        RULE(type_of(v, value->args[i]) == ilc__ir_var_type(param), "an argument has its parameter's type");
        if (param->is_array)
            RULE(holds_array(v, value->args[i], (ilc__array_shape){param->storage, param->rank, param->nested}),
                 "an argument is an array of its parameter's shape");
        if (ilc__ir_var_type(param) != ILC__IR_ADDR) continue;
        RULE(points_to(v, value->args[i], (ilc__pointee){.storage = param->storage, .layout = param->layout}),
             "an argument's address is of what its parameter's is");
    }
    return ILC_OK;
}

static ilc_status check_phi(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    const ilc__ir_block *b = &v->func->blocks.items[block];
    RULE(value->arg_count == b->preds.count, "a phi has an argument for each predecessor");
    RULE(value->arg_count, "a phi has arguments");
    RULE(value->var, "a phi belongs to a variable");
    for (uint32_t i = 0; i < value->arg_count; i++) {
        RULE(type_of(v, value->args[i]) == value->type, "a phi's arguments have its type");
        RULE(v->func->values.items[value->args[i]].var == value->var,
             "a phi joins versions of its own variable");
        RULE(!i || b->preds.items[i] != b->preds.items[i - 1] || value->args[i] == value->args[i - 1],
             "a phi's arguments from one block are the same");
    }
    return ILC_OK;
}

static ilc_status check_const(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    uint64_t             bits = value->u.bits;
    RULE(value->type != ILC__IR_VOID && value->type != ILC__IR_EXC, "a constant is a number or null");
    if (value->type == ILC__IR_I32)
        RULE(bits == (uint64_t)(int64_t)(int32_t)(uint32_t)bits, "an i32 is sign-extended");
    if (value->type == ILC__IR_F32) RULE(bits <= UINT32_MAX, "an f32 stands in the low half");
    if (value->type == ILC__IR_REF) RULE(bits == 0, "the only constant array is null");
    if (value->type == ILC__IR_ADDR) RULE(bits == 0, "the only constant address is null");
    return ILC_OK;
}

/* As many as the array has dimensions. */
static ilc_status check_subscripts(ilc__verifier *v, ilc__ref ref, uint32_t block, uint32_t count)
{
    ilc__array_shape array = ilc__ir_array(v->func, v->func->values.items[ref].args[0]);
    RULE(array.elem == ILC_VOID || count == (array.rank > 1 ? array.rank : 1),
         "there is a subscript for each dimension");
    return ILC_OK;
}

static ilc_status check_memory(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    if (value->op == ILC__OP_LEN) {
        RULE(value->type == ILC__IR_I32 || value->type == ILC__IR_I64, "a length is an integer");
        return ILC_OK;
    }
    ilc__ir_type     elem = ilc__storage_ir_type(value->storage);
    ilc__array_shape array = ilc__ir_array(v->func, value->args[0]);
    RULE(elem != ILC__IR_VOID, "a load or store names its element");
    ILC__TRY(check_subscripts(v, ref, block, value->arg_count - (value->op == ILC__OP_STORE ? 2 : 1)));
    if (value->op == ILC__OP_STORE) {
        RULE(array.nested == 0, "no array is stored into another");
        RULE(type_of(v, value->args[value->arg_count - 1]) == elem, "a store takes its element's type");
    } else if (value->type == ILC__IR_REF) {
        RULE(array.nested == value->nested + 1 && array.elem == value->storage, "what a jagged array holds is known");
    } else {
        RULE(value->type == elem && array.nested == 0, "a load has its element's type");
    }
    return ILC_OK;
}

static ilc_status check_address(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    ilc__ir_type         elem = ilc__storage_ir_type(value->storage);
    switch (value->op) {
    case ILC__OP_SLOTADDR:
    case ILC__OP_NEWARR:
        RULE(value->u.slot && value->u.slot < v->func->slots.count, "a slot exists");
        RULE(value->op != ILC__OP_NEWARR || v->func->slots.items[value->u.slot].is_array, "a new array has memory for it");
        RULE(value->op != ILC__OP_NEWARR || value->type == ILC__IR_REF, "a new array is an array");
        RULE(value->op != ILC__OP_NEWARR || type_of(v, value->args[0]) == ILC__IR_I32 ||
                 (type_of(v, value->args[0]) == ILC__IR_I64 && v->func->slots.items[value->u.slot].is_dynamic),
             "the length of a new array is a number");
        RULE(value->op != ILC__OP_NEWARR || value->layout == v->func->slots.items[value->u.slot].layout, "an array has its slot's element");
        RULE(value->op != ILC__OP_NEWARR || value->storage == v->func->slots.items[value->u.slot].storage, "an array has its slot's element");
        break;
    case ILC__OP_ELEMADDR:
        ILC__TRY(check_subscripts(v, ref, block, value->arg_count - 1));
        RULE(value->layout || elem != ILC__IR_VOID, "the address of an element names it");
        RULE(layout_fits(v, value->args[0], value->layout), "the element of an array is the struct that it holds");
        break;
    case ILC__OP_SPANOF:
    case ILC__OP_SPAN:
    case ILC__OP_DATAADDR:
        RULE(value->op != ILC__OP_SPAN || value->arg_count == 3, "a part has one start");
        RULE(ilc__ir_array(v->func, value->args[0]).rank < (value->op == ILC__OP_SPAN ? 3 : 2) && !ilc__ir_array(v->func, value->args[0]).nested, "a span is of one dimension");
        RULE(layout_fits(v, value->args[0], value->layout), "a part of an array has its elements");
        /* fall through */
    case ILC__OP_SPANAT:
        RULE(value->layout || elem != ILC__IR_VOID, "a span names its element");
        break;
    case ILC__OP_ADDADDR:
        RULE(value->layout || elem != ILC__IR_VOID, "a moved address says what it is of");
        break;
    case ILC__OP_FIELDADDR:
        RULE(value->layout && points_to(v, value->args[0], (ilc__pointee){.layout = value->layout}),
             "a field is of the struct at its address");
        RULE(value->u.field < value->layout->field_count, "a field exists");
        break;
    case ILC__OP_LOADIND:
        RULE(elem != ILC__IR_VOID && value->type == elem, "a load has its element's type");
        RULE(points_to(v, value->args[0], (ilc__pointee){.storage = value->storage}),
             "what is loaded is what its address is of");
        break;
    case ILC__OP_STOREIND:
        RULE(elem != ILC__IR_VOID && type_of(v, value->args[1]) == elem, "a store takes its element's type");
        RULE(points_to(v, value->args[0], (ilc__pointee){.storage = value->storage}),
             "what is stored is what its address is of");
        break;
    default: /* COPYMEM, ZEROMEM */
        for (uint32_t i = 0; i < value->arg_count; i++)
            RULE(value->layout && points_to(v, value->args[i], (ilc__pointee){.layout = value->layout}),
                 "memory is of the struct at its address");
    }
    return ILC_OK;
}

/* Slots of parameters are the parameters; a by-ref variable holds addresses of one type. */
static ilc_status check_slots(ilc__verifier *v)
{
    const ilc__ir_func *f = v->func;
    for (uint32_t s = 1; s < f->slots.count; s++) {
        const ilc__ir_slot *slot = &f->slots.items[s];
        bool                has_type = slot->layout || ilc__storage_ir_type(slot->storage) != ILC__IR_VOID;
        if (!has_type) return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "a slot has a type");
        if (slot->is_array && ((slot->layout && !slot->is_dynamic) || slot->is_param)) return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "a slot of an array is of numbers");
        if (!slot->is_param) continue;
        if (slot->slot >= f->param_count)
            return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "a parameter's slot is one of the function's");
        const ilc__ir_var *var = &f->vars.items[slot->slot + 1];
        if (var->is_addr || var->is_array || var->layout != slot->layout ||
            (!var->layout && var->storage != slot->storage))
            return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "a parameter's slot has its type");
    }
    return ILC_OK;
}

static ilc_status check_param(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    RULE(block == 0, "parameters stand in the entry");
    RULE(value->var && value->var <= v->func->param_count, "a parameter is one of the function's");
    RULE(!v->param_seen[value->var], "a parameter stands once");
    v->param_seen[value->var] = true;
    RULE(!ilc__ir_param_slot(v->func, value->var), "a parameter in memory is reached through its slot");
    return ILC_OK;
}

static bool is_division(ilc__op op)
{
    switch (op) {
    case ILC__OP_DIV_I32: case ILC__OP_REM_I32: case ILC__OP_DIV_UN_I32: case ILC__OP_REM_UN_I32:
    case ILC__OP_DIV_I64: case ILC__OP_REM_I64: case ILC__OP_DIV_UN_I64: case ILC__OP_REM_UN_I64: return true;
    default: return false;
    }
}

static bool may_wrap(ilc__op op)
{
    return op == ILC__OP_ADD_I32 || op == ILC__OP_SUB_I32 || op == ILC__OP_MUL_I32 || op == ILC__OP_ADD_I64 ||
           op == ILC__OP_SUB_I64 || op == ILC__OP_MUL_I64;
}

static bool may_be_safe(ilc__op op)
{
    return op == ILC__OP_LOAD || op == ILC__OP_STORE || op == ILC__OP_ELEMADDR || op == ILC__OP_LEN || op == ILC__OP_DIM ||
           is_division(op) || may_wrap(op);
}

static ilc_status check_special(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    ilc_storage          ret = v->func->ret;
    RULE(!value->safe || may_be_safe(value->op), "what is safe has checks, or may wrap");
    RULE(!value->nonzero || is_division(value->op), "what is nonzero divides");
    switch (value->op) {
    case ILC__OP_CONST: return check_const(v, ref, block);
    case ILC__OP_PARAM: return check_param(v, ref, block);
    case ILC__OP_PHI: return check_phi(v, ref, block);
    case ILC__OP_COPY:
        RULE(value->var, "a copy belongs to a variable");
        RULE(value->type == type_of(v, value->args[0]), "a copy has its operand's type");
        return check_version(v, ref, value->args[0], block);
    case ILC__OP_SLOTADDR:
    case ILC__OP_NEWARR:
    case ILC__OP_SPANOF:
    case ILC__OP_SPAN:
    case ILC__OP_SPANAT:
    case ILC__OP_DATAADDR:
    case ILC__OP_ELEMADDR:
    case ILC__OP_FIELDADDR:
    case ILC__OP_ADDADDR:
    case ILC__OP_LOADIND:
    case ILC__OP_STOREIND:
    case ILC__OP_COPYMEM:
    case ILC__OP_ZEROMEM: return check_address(v, ref, block);
    case ILC__OP_LOAD:
    case ILC__OP_STORE:
    case ILC__OP_LEN: return check_memory(v, ref, block);
    case ILC__OP_CALL: return check_call(v, ref, block);
    case ILC__OP_NEWEXC:
        RULE(value->u.exc && value->u.exc->type && (value->u.exc->message || value->u.exc->kinds),
             "an exception has a type and a message");
        RULE(value->arg_count == ilc__exception_open(value->u.exc), "an exception has its open strings");
        for (uint32_t i = 0; i < value->arg_count; i++)
            RULE(type_of(v, value->args[i]) == ILC__IR_I32, "a string is a number");
        return ILC_OK;
    case ILC__OP_RETURN:
        RULE(value->arg_count == (ret == ILC_VOID ? 0 : 1), "a return has a value where the function has");
        RULE(ret == ILC_VOID || type_of(v, value->args[0]) == ilc__ir_ret_type(v->func),
             "a return has the result's type");
        if (v->func->ret_array)
            RULE(holds_array(v, value->args[0], (ilc__array_shape){v->func->ret_array->storage, v->func->ret_array->rank, v->func->ret_array->nested}),
                 "an array result is of its shape");
        if (v->func->ret_to)
            RULE(points_to(v, value->args[0], *v->func->ret_to), "a by-ref result is of its type");
        return ILC_OK;
    default: return ILC_OK;
    }
}

/* The type that an operation of special.def always has; REF where it may have several. */
static ilc__ir_type fixed_type(ilc__op op)
{
    switch (op) {
    case ILC__OP_ISNULL:
    case ILC__OP_SAMEREF:
    case ILC__OP_DIM: return ILC__IR_I32;
    case ILC__OP_NEWEXC: return ILC__IR_EXC;
    case ILC__OP_SLOTADDR:
    case ILC__OP_ELEMADDR:
    case ILC__OP_FIELDADDR:
    case ILC__OP_ADDADDR: return ILC__IR_ADDR;
    case ILC__OP_ADDRINT: return ILC__IR_I64;
    case ILC__OP_NONNULL:
    case ILC__OP_COPYBYTES:
    case ILC__OP_FILLBYTES:
    case ILC__OP_STOREIND:
    case ILC__OP_COPYMEM:
    case ILC__OP_ZEROMEM:
    case ILC__OP_STORE:
    case ILC__OP_JUMP:
    case ILC__OP_BRANCH:
    case ILC__OP_SWITCH:
    case ILC__OP_RETURN:
    case ILC__OP_THROW: return ILC__IR_VOID;
    default: return ILC__IR_REF;
    }
}

static ilc_status check_value(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_value *value = &v->func->values.items[ref];
    ILC__TRY(check_operands(v, ref, block));
    RULE(value->var < v->func->vars.count, "a variable exists");
    if (value->var)
        RULE(value->type == ilc__ir_var_type(&v->func->vars.items[value->var]),
             "a version has its variable's type");
    ilc__ir_type fixed = fixed_type(value->op);
    if (fixed != ILC__IR_REF) RULE(value->type == fixed, "a value has its operation's type");
    return check_special(v, ref, block);
}

/* --- dominance --------------------------------------------------------------------------------------------
 */

static ilc_status check_dominance(ilc__verifier *v, ilc__ref ref, uint32_t block)
{
    const ilc__ir_func  *f = v->func;
    const ilc__ir_value *value = &f->values.items[ref];
    for (uint32_t i = 0; i < value->arg_count; i++) {
        ilc__ref arg = value->args[i];
        uint32_t from = f->values.items[arg].block;
        bool     ok;
        if (value->op == ILC__OP_PHI)
            ok = ilc__ir_dominates(f, from, f->blocks.items[block].preds.items[i]);
        else
            ok = from == block ? v->position[arg] < v->position[ref] : ilc__ir_dominates(f, from, block);
        RULE(ok, "an operand is computed on every path to its use");
    }
    return ILC_OK;
}

static ilc_status each_value(ilc__verifier *v, ilc_status (*check)(ilc__verifier *, ilc__ref, uint32_t))
{
    for (uint32_t b = 0; b < v->func->blocks.count; b++) {
        const ilc__ir_block *block = &v->func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++)
            ILC__TRY(check(v, block->list.items[i], b));
    }
    return ILC_OK;
}

static ilc_status each_block(ilc__verifier *v, ilc_status (*check)(ilc__verifier *, uint32_t))
{
    for (uint32_t b = 0; b < v->func->blocks.count; b++)
        ILC__TRY(check(v, b));
    return ILC_OK;
}

ilc_status ilc__ir_verify(ilc__ir_func *func)
{
    ilc__verifier checker = {.func = func}, *v = &checker;
    if (!func->blocks.count) return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "a function has an entry");
    v->position = ILC__NEW_ARRAY(func->arena, uint32_t, func->values.count);
    v->branches = ILC__NEW_ARRAY(func->arena, bool, func->blocks.count);
    v->param_seen = ILC__NEW_ARRAY(func->arena, bool, (size_t)func->param_count + 1);
    memset(v->position, 0xff, func->values.count * sizeof *v->position);
    if (func->param_count >= func->vars.count)
        return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "a parameter is a variable");
    ILC__TRY(each_block(v, check_list));
    ILC__TRY(each_block(v, check_edges));
    if (!ilc__ir_preds_match(func))
        return ilc__verify_fail(v, 0, ILC__NO_BLOCK, "predecessors match the targets");
    ILC__TRY(each_block(v, check_preds));
    ilc__ir_compute_cfg(func);
    for (uint32_t b = 0; b < func->blocks.count; b++)
        if (func->blocks.items[b].rpo == ILC__NO_BLOCK)
            return ilc__verify_fail(v, func->blocks.items[b].list.items[0], b,
                                    "a block is reached from the entry");
    ILC__TRY(check_slots(v));
    ILC__TRY(each_value(v, check_value));
    ILC__TRY(each_value(v, check_dominance));
    return ilc__verify_versions(v);
}
