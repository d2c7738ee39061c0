/* statics.c - type initialisers, read: each instruction of a .cctor up to its first branch over values that are known or
 * not; what follows is looked through. An array that goes anywhere but into a field, or gets an element that is not known,
 * is not known itself. */
#include "il/statics.h"

#include "meta/image.h"
#include "meta/layout.h"

enum { FIELD_STATIC = 0x10, FIELD_INITONLY = 0x20 };
enum { MAX_BYTES = 1 << 16, MAX_SET = 1024, MAX_CODE = 64 };

typedef enum kind { UNKNOWN, NUMBER, ARRAY, TOKEN, CODE } kind;

typedef struct held { /* an array */
    ilc_array array;
    bool      lost; /* what it holds is not known */
} held;

typedef struct cell {
    kind              kind;
    ilc_storage       storage; /* NUMBER: Int32, Int64, Single or Double */
    uint64_t          bits;
    held             *made;
    const ilc__field *field; /* TOKEN */
    const ilc__insn  *code;  /* CODE: instructions that make the value of nothing but constants */
    uint32_t          code_count;
} cell;

typedef struct set_field {
    const ilc__field *field;
    cell              value;
    bool              taken; /* its address is: the value is never known */
} set_field;

typedef struct reader {
    ilc__statics    *all;
    ilc__body        body;
    const ilc__insn *insn;
    cell            *stack;
    uint32_t         depth;
    ILC__VEC(set_field) set;
    bool        ends; /* here its way parts: what follows is only looked through */
    const char *why;  /* it cannot be read */
    const ilc__method *method; /* the initialiser; NULL: there is none */
    bool               has_run, ran; /* was it run; did that come out */
    uint32_t           left_count;
    ilc__initialised  *left;
} reader;

struct ilc__statics {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__initialise run; /* may be NULL */
    ilc__map      by_field; /* const ilc__field * -> const ilc__static *          */
    ilc__map      by_data;  /* the same and an ilc_storage -> const ilc__static * */
    ilc__map      by_owner; /* const ilc__typedef * -> reader *: what it has read */
};

ilc__statics *ilc__statics_create(ilc__context *ctx, ilc__arena *arena)
{
    ilc__statics *statics = ILC__NEW(arena, ilc__statics);
    *statics = (ilc__statics){.ctx = ctx, .arena = arena, .by_field = {.arena = arena}, .by_data = {.arena = arena}, .by_owner = {.arena = arena}};
    return statics;
}

void ilc__statics_run_by(ilc__statics *statics, ilc__initialise run)
{
    statics->run = run;
}

ilc__statics *ilc__image_statics(ilc__image *image)
{
    ilc__set *set = image->set;
    if (!set->statics) set->statics = ilc__statics_create(set->ctx, &set->arena);
    return set->statics;
}

/* --- the stack -------------------------------------------------------------------------------------------- */

static void push(reader *r, cell value)
{
    if (r->depth < r->body.max_stack) r->stack[r->depth++] = value;
    else r->why = "is not valid";
}

static cell pop(reader *r)
{
    if (r->depth) return r->stack[--r->depth];
    r->why = "is not valid";
    return (cell){.kind = UNKNOWN};
}

/* What goes where nobody looks after it. */
static void lose(cell value)
{
    if (value.kind == ARRAY) value.made->lost = true;
}

static void push_number(reader *r, ilc_storage storage, uint64_t bits)
{
    push(r, (cell){.kind = NUMBER, .storage = storage, .bits = bits});
}

/* --- instructions ----------------------------------------------------------------------------------------- */

typedef ILC__VEC(ilc__insn) code;

/* Behind others, the instructions that make a value; false where it is not made of constants. */
static bool add_code(reader *r, cell value, code *out)
{
    ilc__insn insn = {.op = ILC__IL_LDC_I4};
    if (value.kind == CODE) {
        for (uint32_t i = 0; i < value.code_count; i++) ILC__PUSH(r->all->arena, out, value.code[i]);
        return out->count < MAX_CODE;
    }
    if (value.kind != NUMBER) return false;
    if (value.storage == ILC_F32) insn.op = ILC__IL_LDC_R4, memcpy(&insn.u.r4, &value.bits, sizeof insn.u.r4);
    else if (value.storage == ILC_F64) insn.op = ILC__IL_LDC_R8, memcpy(&insn.u.r8, &value.bits, sizeof insn.u.r8);
    else if (value.storage == ILC_I64) insn.op = ILC__IL_LDC_I8, insn.u.i = (int64_t)value.bits;
    else insn.u.i = (int32_t)(uint32_t)value.bits;
    ILC__PUSH(r->all->arena, out, insn);
    return out->count < MAX_CODE;
}

/* The operands leave the stack; what the instruction makes of them is known where they are. */
static void compute(reader *r, uint32_t count, ilc__insn insn)
{
    code made = {0};
    bool known = count <= r->depth;
    for (uint32_t i = 0; known && i < count; i++) known = add_code(r, r->stack[r->depth - count + i], &made);
    for (uint32_t i = 0; i < count; i++) lose(pop(r));
    if (known) ILC__PUSH(r->all->arena, &made, insn);
    push(r, known ? (cell){.kind = CODE, .code = made.items, .code_count = made.count} : (cell){.kind = UNKNOWN});
}

static void pop_and_push(reader *r, int pops, int pushes)
{
    for (int i = 0; i < pops; i++) lose(pop(r));
    for (int i = 0; i < pushes; i++) push(r, (cell){.kind = UNKNOWN});
}

/* What lies in fields, or on the stack: someone may have changed it. */
static void lose_arrays(reader *r)
{
    for (uint32_t i = 0; i < r->set.count; i++) lose(r->set.items[i].value);
    for (uint32_t i = 0; i < r->depth; i++) lose(r->stack[i]);
}

static void anything(reader *r)
{
    ilc__flow flow = ilc__opcode_flow(r->insn->op);
    int       pops = ilc__opcode_pops(r->insn->op), pushes = ilc__opcode_pushes(r->insn->op);
    if (flow == ILC__FLOW_THROW) r->why = "raises an exception";
    else if ((flow != ILC__FLOW_NEXT && flow != ILC__FLOW_META) || pops < 0 || pushes < 0) r->ends = true;
    else pop_and_push(r, pops, pushes);
}

static void convert(reader *r, ilc_storage to)
{
    cell    value = pop(r);
    if (value.kind == CODE || (value.kind == NUMBER && (value.storage == ILC_F32 || value.storage == ILC_F64))) {
        push(r, value);
        compute(r, 1, *r->insn);
        return;
    }
    int64_t number = value.storage == ILC_I32 ? (int32_t)(uint32_t)value.bits : (int64_t)value.bits;
    lose(value);
    if (value.kind != NUMBER || (value.storage != ILC_I32 && value.storage != ILC_I64)) {
        push(r, (cell){.kind = UNKNOWN});
        return;
    }
    double   wide = (double)number;
    float    narrow = (float)number;
    uint64_t bits = 0;
    switch (to) {
    case ILC_I8: bits = (uint64_t)(uint32_t)(int8_t)number; break;
    case ILC_U8: bits = (uint8_t)number; break;
    case ILC_I16: bits = (uint64_t)(uint32_t)(int16_t)number; break;
    case ILC_U16: bits = (uint16_t)number; break;
    case ILC_I32: bits = (uint32_t)number; break;
    case ILC_I64: bits = (uint64_t)number; break;
    case ILC_U64: bits = value.storage == ILC_I32 ? (uint32_t)number : (uint64_t)number; break;
    case ILC_F32: memcpy(&bits, &narrow, sizeof narrow); break;
    default: memcpy(&bits, &wide, sizeof wide); break;
    }
    bool is_float = to == ILC_F32 || to == ILC_F64;
    push_number(r, is_float ? to : ilc_storage_size(to) == 8 ? ILC_I64 : ILC_I32, bits);
}

static ilc_status new_array(reader *r)
{
    const ilc__type *type;
    cell             length = pop(r);
    ILC__TRY(ilc__resolve_type(r->body.method->image, r->insn->u.token, r->body.method, &type));
    ilc_storage storage = ilc__type_storage(type);
    int64_t     count = length.storage == ILC_I32 ? (int32_t)(uint32_t)length.bits : (int64_t)length.bits;
    bool        number = length.kind == NUMBER && (length.storage == ILC_I32 || length.storage == ILC_I64);
    if (number && count < 0) r->why = "raises an exception";
    if (!number || count < 0 || storage == ILC_STORAGE_COUNT || storage == ILC_VOID || count > MAX_BYTES ||
        count * ilc_storage_size(storage) > MAX_BYTES) {
        push(r, (cell){.kind = UNKNOWN});
        return ILC_OK;
    }
    held *made = ILC__NEW(r->all->arena, held);
    made->array = (ilc_array){.elem = storage, .length = count};
    made->array.data = ILC__NEW_ARRAY(r->all->arena, uint64_t, (size_t)count * ilc_storage_size(storage) / 8 + 1);
    push(r, (cell){.kind = ARRAY, .made = made});
    return ILC_OK;
}

/* The element that an instruction writes must be as wide as the array's, and a float where that is one. */
static bool fits(cell value, const ilc_array *array)
{
    uint32_t size = ilc_storage_size(array->elem);
    bool     is_float = array->elem == ILC_F32 || array->elem == ILC_F64;
    if (value.kind != NUMBER) return false;
    if (is_float) return value.storage == array->elem;
    return value.storage == (size == 8 ? ILC_I64 : ILC_I32);
}

static void store_element(reader *r)
{
    cell value = pop(r), index = pop(r), array = pop(r);
    lose(value);
    if (array.kind != ARRAY) return;
    ilc_array *to = &array.made->array;
    int64_t    at = index.storage == ILC_I32 ? (int32_t)(uint32_t)index.bits : (int64_t)index.bits;
    uint32_t   size = ilc_storage_size(to->elem);
    if (index.kind != NUMBER || !fits(value, to)) array.made->lost = true;
    else if (at < 0 || at >= to->length) r->why = "raises an exception";
    else memcpy((uint8_t *)to->data + (size_t)at * size, &value.bits, size);
}

static ilc_status fill(reader *r)
{
    const uint8_t *bytes;
    size_t         size;
    cell           token = pop(r), array = pop(r);
    if (array.kind != ARRAY) return ILC_OK;
    size_t wanted = (size_t)array.made->array.length * ilc_storage_size(array.made->array.elem);
    array.made->lost = true;
    if (token.kind != TOKEN || !token.field) return ILC_OK;
    ILC__TRY(ilc__field_data(token.field, &bytes, &size));
    if (size < wanted) return ILC_OK;
    memcpy(array.made->array.data, bytes, wanted);
    array.made->lost = false;
    return ILC_OK;
}

static bool is_value(const ilc__type *type)
{
    return type->kind != ILC__ET_VOID && ilc__type_is_value(type);
}

/* A method that reads no static field and calls the framework only: what it returns is its arguments' alone. */
static bool is_leaf(reader *r, const ilc__method *method)
{
    ilc__body body;
    uint32_t  diags = r->all->ctx->diags.count;
    bool      leaf = ilc__body_decode(r->all->ctx, r->all->arena, method, &body) == ILC_OK;
    r->all->ctx->diags.count = diags;
    for (uint32_t i = 0; leaf && i < body.insn_count; i++) {
        ilc__callee callee;
        ilc__opcode op = body.insns[i].op;
        bool        calls = op == ILC__IL_CALL || op == ILC__IL_CALLVIRT || op == ILC__IL_NEWOBJ;
        if (op == ILC__IL_LDSFLD || op == ILC__IL_LDSFLDA || op == ILC__IL_STSFLD) return false;
        if (!calls) continue;
        leaf = ilc__resolve_callee(method->image, body.insns[i].u.token, method, &callee) == ILC_OK && callee.def &&
               ilc__image_is_framework(callee.def->image);
    }
    return leaf;
}

/* A call that makes a number or a struct of what is known can be made again where the field is read. */
static bool may_repeat(reader *r, const ilc__callee *callee, bool is_new)
{
    const ilc__method *def = callee->def;
    if (!def || callee->sig.vararg || def->sig.param_count != callee->sig.param_count) return false;
    if (is_new ? !callee->type || !ilc__type_is_struct(callee->type) : callee->sig.has_this || !is_value(callee->sig.ret)) return false;
    return ilc__image_is_framework(def->image) || is_leaf(r, def);
}

/* Code of the program may do anything to arrays that it can reach, but sets no read-only field of another type; that of the framework does nothing
 * to a field of the program's. */
static void lose_reached(reader *r, const ilc__callee *callee)
{
    if (ilc__reaches_arrays(r->all->ctx, r->all->arena, callee, r->body.method->owner)) lose_arrays(r);
}

static ilc_status call(reader *r)
{
    ilc__callee callee;
    ILC__TRY(ilc__resolve_callee(r->body.method->image, r->insn->u.token, r->body.method, &callee));
    if (strcmp(callee.type_name, "System.Runtime.CompilerServices.RuntimeHelpers") == 0 && strcmp(callee.name, "InitializeArray") == 0)
        return fill(r);
    lose_reached(r, &callee);
    bool is_new = r->insn->op == ILC__IL_NEWOBJ, results = is_new || callee.sig.ret->kind != ILC__ET_VOID;
    if (may_repeat(r, &callee, is_new)) {
        ilc__insn again = {.op = is_new ? ILC__IL_NEWOBJ : ILC__IL_CALL};
        again.u.call.form = callee.def;
        compute(r, callee.sig.param_count, again);
        return ILC_OK;
    }
    pop_and_push(r, (int)callee.sig.param_count + (callee.sig.has_this && !is_new ? 1 : 0), results ? 1 : 0);
    return ILC_OK;
}

/* Who has the delegate may call it. */
static ilc_status delegate(reader *r)
{
    ilc__callee callee;
    ILC__TRY(ilc__resolve_callee(r->body.method->image, r->insn->u.token, r->body.method, &callee));
    lose_reached(r, &callee);
    pop_and_push(r, r->insn->op == ILC__IL_LDVIRTFTN ? 1 : 0, 1);
    return ILC_OK;
}

static ilc_status field(reader *r)
{
    const ilc__field *field;
    const char       *type_name, *name;
    ILC__TRY(ilc__resolve_field(r->body.method->image, r->insn->u.token, r->body.method, &field, &type_name, &name));
    bool is_store = r->insn->op == ILC__IL_STSFLD;
    for (uint32_t i = 0; i < r->set.count; i++) {
        if (r->set.items[i].field != field) continue;
        if (is_store && r->set.items[i].taken) lose(pop(r));
        else if (is_store) r->set.items[i].value = pop(r);
        else push(r, r->set.items[i].value);
        return ILC_OK;
    }
    if (!is_store) {
        push(r, (cell){.kind = UNKNOWN});
        return ILC_OK;
    }
    cell value = pop(r);
    if (r->set.count == MAX_SET) r->why = "sets too many fields";
    if (!field || r->set.count == MAX_SET) lose(value);
    else ILC__PUSH(r->all->arena, &r->set, ((set_field){.field = field, .value = value}));
    return ILC_OK;
}

/* A field that is set, or whose array is used, where it is not followed. */
static void set_unknown(reader *r, const ilc__field *field, bool is_store)
{
    for (uint32_t i = 0; field && i < r->set.count; i++) {
        if (r->set.items[i].field != field) continue;
        lose(r->set.items[i].value);
        if (is_store) r->set.items[i].value = (cell){.kind = UNKNOWN};
        r->set.items[i].taken = r->set.items[i].taken || is_store;
        return;
    }
    if (!field || !is_store) return;
    if (r->set.count == MAX_SET) r->why = "sets too many fields";
    else ILC__PUSH(r->all->arena, &r->set, ((set_field){field, {.kind = UNKNOWN}, true}));
}

static ilc_status address(reader *r)
{
    const ilc__field *field;
    const char       *type_name, *name;
    ILC__TRY(ilc__resolve_field(r->body.method->image, r->insn->u.token, r->body.method, &field, &type_name, &name));
    set_unknown(r, field, true);
    push(r, (cell){.kind = UNKNOWN});
    return ILC_OK;
}

static ilc_status token(reader *r)
{
    const char *type_name, *name;
    cell        value = {.kind = TOKEN};
    if (r->insn->u.token >> 24 == 4)
        ILC__TRY(ilc__resolve_field(r->body.method->image, r->insn->u.token, r->body.method, &value.field, &type_name, &name));
    push(r, value);
    return ILC_OK;
}

static uint64_t float_bits(const ilc__insn *insn)
{
    uint64_t bits = 0;
    if (insn->op == ILC__IL_LDC_R4) memcpy(&bits, &insn->u.r4, sizeof insn->u.r4);
    else memcpy(&bits, &insn->u.r8, sizeof insn->u.r8);
    return bits;
}

static ilc_status step(reader *r)
{
    cell value;
    switch (r->insn->op) {
    case ILC__IL_NOP: return ILC_OK;
    case ILC__IL_LDC_I4_M1: case ILC__IL_LDC_I4_0: case ILC__IL_LDC_I4_1: case ILC__IL_LDC_I4_2: case ILC__IL_LDC_I4_3:
    case ILC__IL_LDC_I4_4: case ILC__IL_LDC_I4_5: case ILC__IL_LDC_I4_6: case ILC__IL_LDC_I4_7: case ILC__IL_LDC_I4_8:
    case ILC__IL_LDC_I4_S: case ILC__IL_LDC_I4: push_number(r, ILC_I32, (uint32_t)r->insn->u.i); return ILC_OK;
    case ILC__IL_LDC_I8: push_number(r, ILC_I64, (uint64_t)r->insn->u.i); return ILC_OK;
    case ILC__IL_LDC_R4: push_number(r, ILC_F32, float_bits(r->insn)); return ILC_OK;
    case ILC__IL_LDC_R8: push_number(r, ILC_F64, float_bits(r->insn)); return ILC_OK;
    case ILC__IL_CONV_I1: convert(r, ILC_I8); return ILC_OK;
    case ILC__IL_CONV_U1: convert(r, ILC_U8); return ILC_OK;
    case ILC__IL_CONV_I2: convert(r, ILC_I16); return ILC_OK;
    case ILC__IL_CONV_U2: convert(r, ILC_U16); return ILC_OK;
    case ILC__IL_CONV_I4: case ILC__IL_CONV_U4: convert(r, ILC_I32); return ILC_OK;
    case ILC__IL_CONV_I8: convert(r, ILC_I64); return ILC_OK;
    case ILC__IL_CONV_U8: convert(r, ILC_U64); return ILC_OK;
    case ILC__IL_CONV_R4: convert(r, ILC_F32); return ILC_OK;
    case ILC__IL_CONV_R8: convert(r, ILC_F64); return ILC_OK;
    case ILC__IL_ADD: case ILC__IL_SUB: case ILC__IL_MUL: case ILC__IL_DIV: compute(r, 2, *r->insn); return ILC_OK;
    case ILC__IL_NEG: compute(r, 1, *r->insn); return ILC_OK;
    case ILC__IL_NEWARR: return new_array(r);
    case ILC__IL_DUP:
        value = pop(r);
        push(r, value);
        push(r, value);
        return ILC_OK;
    case ILC__IL_POP: pop(r); return ILC_OK;
    case ILC__IL_STELEM_I1: case ILC__IL_STELEM_I2: case ILC__IL_STELEM_I4: case ILC__IL_STELEM_I8: case ILC__IL_STELEM_R4:
    case ILC__IL_STELEM_R8: case ILC__IL_STELEM: store_element(r); return ILC_OK;
    case ILC__IL_LDTOKEN: return token(r);
    case ILC__IL_CALL: case ILC__IL_CALLVIRT: case ILC__IL_NEWOBJ: return call(r);
    case ILC__IL_STSFLD: case ILC__IL_LDSFLD: return field(r);
    case ILC__IL_LDSFLDA: return address(r);
    case ILC__IL_LDFTN: case ILC__IL_LDVIRTFTN: return delegate(r);
    default: anything(r); return ILC_OK;
    }
}

/* --- the whole -------------------------------------------------------------------------------------------- */

static ilc_status initialiser_of(const ilc__field *field, const ilc__method **out)
{
    *out = NULL;
    for (uint32_t i = 0; i < field->owner->method_count; i++) {
        const ilc__method *method;
        ILC__TRY(ilc__typedef_method(field->owner, i, &method));
        if (strcmp(method->name, ".cctor") == 0) *out = method;
    }
    return ILC_OK;
}

/* The first instruction that may run behind number `at`, where the code branches. */
static uint32_t first_behind(const ilc__body *body, uint32_t at)
{
    uint32_t first = at;
    for (uint32_t i = at; i < body->insn_count; i++) {
        ilc__operand operand = ilc__opcode_operand(body->insns[i].op);
        if (operand != ILC__OPERAND_BR1 && operand != ILC__OPERAND_BR4 && operand != ILC__OPERAND_SWITCH) continue;
        for (uint32_t k = 0; k < body->insns[i].u.branch.count; k++)
            if (body->index[body->insns[i].u.branch.targets[k]] < first) first = body->index[body->insns[i].u.branch.targets[k]];
    }
    return first;
}

/* What may be set or reached there is not known. */
static ilc_status look_through(reader *r, uint32_t from)
{
    ilc__callee       callee;
    const ilc__field *field;
    const char       *type_name, *name;
    for (uint32_t i = 0; i < r->depth; i++) lose(r->stack[i]);
    for (uint32_t i = from; i < r->body.insn_count; i++) {
        const ilc__insn *insn = &r->body.insns[i];
        switch (insn->op) {
        case ILC__IL_CALL: case ILC__IL_CALLVIRT: case ILC__IL_NEWOBJ: case ILC__IL_LDFTN: case ILC__IL_LDVIRTFTN:
            ILC__TRY(ilc__resolve_callee(r->body.method->image, insn->u.token, r->body.method, &callee));
            lose_reached(r, &callee);
            break;
        case ILC__IL_CALLI: case ILC__IL_JMP: lose_arrays(r); break;
        case ILC__IL_LDSFLD: case ILC__IL_LDSFLDA: case ILC__IL_STSFLD:
            ILC__TRY(ilc__resolve_field(r->body.method->image, insn->u.token, r->body.method, &field, &type_name, &name));
            set_unknown(r, field, insn->op != ILC__IL_LDSFLD);
            break;
        default: break;
        }
    }
    return ILC_OK;
}

static ilc_status read(reader *r, const ilc__method *method)
{
    ILC__TRY(ilc__body_decode(r->all->ctx, r->all->arena, method, &r->body));
    r->stack = ILC__NEW_ARRAY(r->all->arena, cell, r->body.max_stack + 1u);
    if (r->body.clause_count) r->why = "has exception handlers";
    for (uint32_t i = 0; i < r->body.insn_count && !r->why; i++) {
        r->insn = &r->body.insns[i];
        if (r->insn->op == ILC__IL_RET) return ILC_OK;
        ILC__TRY(step(r));
        if (r->ends) return look_through(r, first_behind(&r->body, i));
    }
    return ILC_OK;
}

/* The type's initialiser, read once for all its fields. */
static ilc_status reader_of(ilc__statics *statics, const ilc__field *field, reader **out)
{
    const ilc__method *method;
    if ((*out = ilc__map_get(&statics->by_owner, &field->owner, sizeof field->owner))) return ILC_OK;
    reader *r = ILC__NEW(statics->arena, reader);
    r->all = statics;
    ILC__TRY(initialiser_of(field, &method));
    r->method = method;
    if (method) ILC__TRY(read(r, method));
    ilc__map_put(&statics->by_owner, &field->owner, sizeof field->owner, r);
    *out = r;
    return ILC_OK;
}

static bool is_simple(const ilc__type *type)
{
    if (type->kind == ILC__ET_SZARRAY) type = type->elem;
    ilc_storage storage = ilc__type_storage(type);
    return storage != ILC_STORAGE_COUNT && storage != ILC_VOID;
}

/* What is left in the field; false where that is not known. */
static bool take(const ilc__field *field, cell value, ilc__static *out)
{
    out->is_array = field->type->kind == ILC__ET_SZARRAY;
    if (out->is_array) {
        if (value.kind != ARRAY || value.made->lost) return false;
        out->array = value.made->array;
        return true;
    }
    out->storage = ilc__type_storage(field->type);
    uint32_t size = ilc_storage_size(out->storage);
    if (!fits(value, &(ilc_array){.elem = out->storage})) return false;
    memcpy(&out->bits, &value.bits, size);
    return true;
}

ilc_status ilc__static_code(ilc__statics *statics, const ilc__field *field, const ilc__insn **out, uint32_t *count, bool *is_zero)
{
    reader *r;
    cell          value = {.kind = UNKNOWN};
    bool          set = false;
    *count = 0;
    *is_zero = false;
    if (!(field->flags & FIELD_STATIC) || !(field->flags & FIELD_INITONLY) || strchr(field->owner->name, '`') || !is_value(field->type))
        return ILC_OK;
    ILC__TRY(reader_of(statics, field, &r));
    if (r->why) return ILC_OK;
    for (uint32_t i = 0; i < r->set.count; i++)
        if (r->set.items[i].field == field) value = r->set.items[i].value, set = true;
    *is_zero = !set && ilc__type_is_struct(field->type);
    if (value.kind != CODE) return ILC_OK;
    *out = value.code;
    *count = value.code_count;
    return ILC_OK;
}

static bool read_value(const reader *r, const ilc__field *field, ilc__static *out)
{
    if (r->why) return false;
    for (uint32_t i = 0; i < r->set.count; i++)
        if (r->set.items[i].field == field) return take(field, r->set.items[i].value, out);
    out->storage = ilc__type_storage(field->type);
    return field->type->kind != ILC__ET_SZARRAY;
}

/* What the initialiser left when it was run, once for all fields. */
static bool run_value(reader *r, const ilc__field *field, ilc__static *out)
{
    ilc__statics *all = r->all;
    if (!all->run || !r->method) return false;
    if (!r->has_run) r->ran = all->run(all->ctx, all->arena, r->method, &r->left_count, &r->left);
    r->has_run = true;
    out->is_array = field->type->kind == ILC__ET_SZARRAY;
    out->storage = out->is_array ? ILC_VOID : ilc__type_storage(field->type);
    out->bits = 0;
    for (uint32_t i = 0; r->ran && i < r->left_count; i++) {
        if (r->left[i].field != field) continue;
        out->array = r->left[i].array;
        if (!out->is_array) memcpy(&out->bits, &r->left[i].bits, ilc_storage_size(out->storage));
        return r->left[i].is_known;
    }
    return r->ran && !out->is_array;
}

ilc_status ilc__static_of(ilc__statics *statics, const ilc__field *field, const ilc__where *where, const ilc__static **out)
{
    if ((*out = ilc__map_get(&statics->by_field, &field, sizeof field))) return ILC_OK;
    const char *name = ilc__arena_printf(statics->arena, "%s.%s", field->owner->type->name, field->name);
    if (!(field->flags & FIELD_STATIC) || !(field->flags & FIELD_INITONLY))
        return ilc__refuse(statics->ctx, where, "the static field %s, which is not read-only", name);
    if (!is_simple(field->type) || strchr(field->owner->name, '`')) /* each instance of a generic type has its own */
        return ilc__refuse(statics->ctx, where, "the static field %s of type %s", name, field->type->name);
    reader *r;
    ILC__TRY(reader_of(statics, field, &r));
    ilc__static *made = ILC__NEW(statics->arena, ilc__static);
    made->name = name;
    if (read_value(r, field, made) || run_value(r, field, made)) {
        ilc__map_put(&statics->by_field, &field, sizeof field, made);
        *out = made;
        return ILC_OK;
    }
    if (r->why)
        return ilc__refuse(statics->ctx, where, "the static field %s, as %s..cctor %s", name, field->owner->type->name, r->why);
    return ilc__refuse(statics->ctx, where, "the static field %s, as %s..cctor sets it to what is not constant", name, field->owner->type->name);
}

ilc_status ilc__static_data(ilc__statics *statics, const ilc__field *field, ilc_storage elem, const ilc__where *where, const ilc__static **out)
{
    struct {
        const ilc__field *field;
        uint64_t          elem;
    } key = {field, elem};
    const uint8_t *bytes;
    size_t         size, width = ilc_storage_size(elem);
    if ((*out = ilc__map_get(&statics->by_data, &key, sizeof key))) return ILC_OK;
    ILC__TRY(ilc__field_data(field, &bytes, &size));
    if (!bytes || !width || size / width > INT32_MAX)
        return ilc__refuse(statics->ctx, where, "the static field %s.%s, which has no data", field->owner->type->name, field->name);
    ilc__static *made = ILC__NEW(statics->arena, ilc__static);
    made->name = ilc__arena_printf(statics->arena, "Data.%.8s", field->name);
    made->is_array = true;
    made->array = (ilc_array){.elem = elem, .length = (int64_t)(size / width), .data = ILC__NEW_ARRAY(statics->arena, uint64_t, size / 8 + 1)};
    memcpy(made->array.data, bytes, size / width * width);
    ilc__map_put(&statics->by_data, &key, sizeof key, made);
    *out = made;
    return ILC_OK;
}
