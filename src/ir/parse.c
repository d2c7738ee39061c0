/* parse.c - reads the text form of a function (print.c, docs/ir.md): for tests of single passes.
 *
 * It checks the grammar and that names are defined; whether the function is right is the verifier's question.
 */
#include "ir/scan.h"

#include <stdio.h>

/* --- names of values, variables, blocks ------------------------------------------------------------------
 */

static ilc_status take_ref(parser *p, ilc__ref *out)
{
    uint32_t number;
    if (!take(p, "%") || !take_u32(p, 10, &number)) return fault(p, "a value was expected");
    uintptr_t ref = (uintptr_t)ilc__map_get(&p->values, &number, sizeof number);
    if (!ref) {
        ref = ilc__ir_add(p->func, (ilc__ir_value){0});
        ilc__map_put(&p->values, &number, sizeof number, (void *)ref);
    }
    *out = (ilc__ref)ref;
    return ILC_OK;
}

static const char *take_label(parser *p)
{
    skip_space(p);
    const char *start = p->at;
    if (*p->at == '$') p->at++;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    return p->at == start ? NULL : ilc__arena_strndup(p->arena, start, (size_t)(p->at - start));
}

static ilc_status take_var(parser *p, uint32_t *out)
{
    const char *label = take_label(p);
    uintptr_t   var = label ? (uintptr_t)ilc__map_get(&p->labels, label, strlen(label)) : 0;
    if (!var) return fault(p, "no such variable");
    *out = (uint32_t)var;
    return ILC_OK;
}

static ilc_status take_block(parser *p, uint32_t *out)
{
    if (!take(p, "b") || !take_u32(p, 10, out)) return fault(p, "a block was expected");
    return ILC_OK;
}

/* --- head ------------------------------------------------------------------------------------------------
 */

/* label ["name"] ':' */
static ilc_status parse_label(parser *p, ilc__map *labels, uint32_t number, const char **name)
{
    const char *label = take_label(p);
    if (!label) return fault(p, "a variable was expected");
    *name = label;
    if (*label == '$') {
        char own[16];
        snprintf(own, sizeof own, "$%u", number);
        if (strcmp(label, own) != 0) return fault(p, "a label with $ is the variable's number");
        ILC__TRY(take_quoted(p, name));
    }
    if (ilc__map_get(labels, label, strlen(label))) return fault(p, "the variable is declared twice");
    if (!take(p, ":")) return fault(p, "':' was expected");
    ilc__map_put(labels, label, strlen(label), (void *)(uintptr_t)number);
    return ILC_OK;
}

/* storage, or the name of a layout in quotes */
static ilc_status parse_type(parser *p, ilc_storage *storage, const ilc__layout **layout)
{
    const char *name;
    skip_space(p);
    *layout = NULL;
    *storage = ILC_VOID;
    if (*p->at == '"') {
        ILC__TRY(take_quoted(p, &name));
        *layout = ilc__map_get(&p->layouts, name, strlen(name));
        return *layout ? ILC_OK : fault(p, "no such layout");
    }
    ILC__TRY(take_storage(p, storage));
    if (ilc_storage_size(*storage)) return ILC_OK;
    return fault(p, *storage == ILC_VOID ? "a variable has no storage type Void" : "a struct has a layout");
}

static ilc_status parse_pointee(parser *p, ilc__ir_value *value)
{
    ilc_storage storage;
    ILC__TRY(parse_type(p, &storage, &value->layout));
    value->storage = storage;
    return ILC_OK;
}

enum { MAX_NESTED = 2 };

/* "[]", "[][]", "[,]" and the like behind an element's type. */
static void take_brackets(parser *p, ilc__ir_var *var)
{
    var->is_array = true;
    if (take(p, "[,,]")) var->rank = 3;
    else if (take(p, "[,]")) var->rank = 2;
    else var->is_array = take(p, "[]");
    while (var->is_array && !var->rank && var->nested < MAX_NESTED && take(p, "[]"))
        var->nested++;
}

/* "Single", "Void"; "Single&" is a by-ref, "Single[]" an array. */
static ilc_status parse_result(parser *p, ilc__ir_func *func)
{
    ilc__pointee *to = ILC__NEW(p->arena, ilc__pointee);
    skip_space(p);
    if (*p->at == '"') ILC__TRY(parse_type(p, &to->storage, &to->layout));
    else ILC__TRY(take_storage(p, &to->storage));
    func->ret = to->storage;
    if (func->ret == ILC_STRUCT && !to->layout) return fault(p, "a struct has a layout");
    ilc__ir_var array = {.storage = to->layout ? ILC_STRUCT : to->storage, .layout = to->layout};
    take_brackets(p, &array);
    if (array.is_array) {
        if (to->storage == ILC_VOID && !to->layout) return fault(p, "an array of Void");
        if (to->layout && (array.rank || array.nested)) return fault(p, "an array of structs has one dimension");
        func->ret = ILC_UINT;
        func->ret_array = ilc__arena_copy(p->arena, &array, sizeof array);
        return ILC_OK;
    }
    if (!take(p, "&")) return to->layout ? fault(p, "'&' was expected") : ILC_OK;
    if (to->storage == ILC_VOID && !to->layout) return fault(p, "a by-ref to Void");
    func->ret = ILC_UINT;
    func->ret_to = to;
    return ILC_OK;
}

/* label ["name"] ':' type [brackets | "&" | "*"] */
static ilc_status parse_declaration(parser *p, ilc__ir_var *var)
{
    ILC__TRY(parse_label(p, &p->labels, p->func->vars.count, &var->name));
    ILC__TRY(parse_type(p, &var->storage, &var->layout));
    take_brackets(p, var);
    var->is_span = var->is_array && take(p, "span");
    if (var->is_span && (var->rank || var->nested)) return fault(p, "a span is of numbers or structs");
    if (!var->is_array) var->is_pointer = take(p, "*");
    if (!var->is_array) var->is_addr = var->is_pointer || take(p, "&");
    if (var->layout && (var->rank || var->nested)) return fault(p, "an array of structs has one dimension");
    if (var->is_array && var->layout) var->storage = ILC_STRUCT;
    return ILC_OK;
}

/* --- layouts: layout "Vec2" size 8 align 4 (x: Single @0, y: Single @4) --------------------------------- */

enum { MAX_LAYOUT_FIELDS = 256, MAX_LAYOUT_SIZE = 1 << 16, MAX_LAYOUT_DEPTH = 16 };

static ilc_status take_field_name(parser *p, const char **out)
{
    skip_space(p);
    if (*p->at == '"') return take_quoted(p, out);
    *out = take_label(p);
    return *out ? ILC_OK : fault(p, "a field was expected");
}

/* How deep structs lie in it; bounded, as are those of assemblies. */
static uint32_t depth_of(const ilc__layout *layout)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        uint32_t own = layout->fields[i].layout ? depth_of(layout->fields[i].layout) : 0;
        if (own > depth) depth = own;
    }
    return depth + 1;
}

static uint32_t size_of(const ilc__layout_field *field)
{
    return field->layout ? field->layout->size : ilc_storage_size(field->storage);
}

static ilc_status parse_field(parser *p, const ilc__layout *layout, ilc__layout_field *field)
{
    ILC__TRY(take_field_name(p, &field->name));
    if (!take(p, ":")) return fault(p, "':' was expected");
    ILC__TRY(parse_type(p, &field->storage, &field->layout));
    if (!take(p, "@") || !take_u32(p, 10, &field->offset)) return fault(p, "an offset was expected");
    if (field->offset > layout->size || size_of(field) > layout->size - field->offset)
        return fault(p, "a field lies outside its layout");
    return ILC_OK;
}

static ilc_status parse_layout(parser *p)
{
    ilc__layout       *layout = ILC__NEW(p->arena, ilc__layout);
    ilc__layout_field *fields = ILC__NEW_ARRAY(p->arena, ilc__layout_field, MAX_LAYOUT_FIELDS);
    layout->fields = fields;
    ILC__TRY(take_quoted(p, &layout->name));
    if (!take_keyword(p, "size")) return fault(p, "'size' was expected");
    skip_space(p);
    if (!take_u32(p, 10, &layout->size) || !layout->size || layout->size > MAX_LAYOUT_SIZE)
        return fault(p, "a size was expected");
    if (!take_keyword(p, "align")) return fault(p, "'align' was expected");
    skip_space(p);
    if (!take_u32(p, 10, &layout->align) || !layout->align || layout->align > 16)
        return fault(p, "an alignment was expected");
    if (!take(p, "(")) return fault(p, "'(' was expected");
    while (!take(p, ")")) {
        if (layout->field_count && !take(p, ",")) return fault(p, "',' or ')' was expected");
        if (layout->field_count == MAX_LAYOUT_FIELDS) return fault(p, "there are too many fields");
        ILC__TRY(parse_field(p, layout, &fields[layout->field_count++]));
    }
    if (ilc__map_get(&p->layouts, layout->name, strlen(layout->name)))
        return fault(p, "the layout is declared twice");
    if (depth_of(layout) > MAX_LAYOUT_DEPTH) return fault(p, "layouts are nested too deep");
    ilc__layout_settle(layout);
    ilc__map_put(&p->layouts, layout->name, strlen(layout->name), layout);
    return ILC_OK;
}

static ilc_status parse_table(parser *p, ilc__ir_slot *slot)
{
    ilc__static *table = ILC__NEW(p->arena, ilc__static);
    uint32_t     size = ilc_storage_size(slot->storage);
    uint8_t     *data = ILC__NEW_ARRAY(p->arena, uint8_t, (size_t)slot->count * size + 8);
    ILC__TRY(take_quoted(p, &table->name));
    for (uint32_t i = 0; i < slot->count; i++) {
        uint64_t bits;
        skip_space(p);
        if (!take_number(p, 16, &bits)) return fault(p, "an element was expected");
        memcpy(data + (size_t)i * size, &bits, size);
    }
    table->is_array = true;
    table->array = (ilc_array){.elem = slot->storage, .length = slot->count, .data = data};
    slot->table = table;
    return ILC_OK;
}

static ilc_status parse_slot(parser *p)
{
    ilc__ir_slot slot = {0};
    uint32_t     number = p->func->slots.count ? p->func->slots.count : 1;
    ILC__TRY(parse_label(p, &p->slot_labels, number, &slot.name));
    ILC__TRY(parse_type(p, &slot.storage, &slot.layout));
    slot.is_dynamic = take(p, "[]");
    slot.is_array = slot.is_dynamic || take(p, "[");
    if (slot.is_array && slot.layout) {
        if (!slot.is_dynamic) return fault(p, "an array of structs is of any length");
        slot.storage = ILC_STRUCT;
    }
    if (slot.is_array && !slot.is_dynamic && (!take_u32(p, 10, &slot.count) || slot.count > MAX_LAYOUT_SIZE || !take(p, "]")))
        return fault(p, "a number of elements and ']' were expected");
    if (slot.is_array && !slot.is_dynamic && take_keyword(p, "table")) ILC__TRY(parse_table(p, &slot));
    if (take_keyword(p, "temp"))
        slot.is_temp = true;
    else if (take_keyword(p, "param"))
        slot.is_param = true;
    else if (!take_keyword(p, "local"))
        return fault(p, "'temp', 'param' or 'local' was expected");
    skip_space(p);
    if (!slot.is_temp && !take_u32(p, 10, &slot.slot)) return fault(p, "a slot was expected");
    slot.is_named = take_keyword(p, "named");
    ilc__ir_add_slot(p->func, slot);
    return ILC_OK;
}

static ilc_status parse_head(parser *p)
{
    skip_lines(p);
    while (take_keyword(p, "layout")) {
        ILC__TRY(parse_layout(p));
        skip_lines(p);
    }
    if (!take_keyword(p, "func")) return fault(p, "'func' was expected");
    ILC__TRY(take_quoted(p, &p->func->name));
    if (!take(p, "(")) return fault(p, "'(' was expected");
    while (!take(p, ")")) {
        if (p->func->param_count && !take(p, ",")) return fault(p, "',' or ')' was expected");
        ilc__ir_var var = {.is_param = true, .is_named = true, .slot = p->func->param_count};
        ILC__TRY(parse_declaration(p, &var));
        ilc__ir_add_var(p->func, var);
        p->func->param_count++;
    }
    ILC__TRY(parse_result(p, p->func));
    skip_space(p);
    if (p->func->ret == ILC_VOID && *p->at == '"') {
        ilc_storage none;
        ILC__TRY(parse_type(p, &none, &p->func->ret_layout));
    }
    p->func->may_trap = take_keyword(p, "traps");
    skip_space(p);
    if (*p->at != '\n') return fault(p, "the end of the line was expected");
    for (;;) {
        skip_lines(p);
        if (take_keyword(p, "slot")) {
            ILC__TRY(parse_slot(p));
            continue;
        }
        if (!take_keyword(p, "var")) return ILC_OK;
        ilc__ir_var var = {0};
        ILC__TRY(parse_declaration(p, &var));
        if (take_keyword(p, "temp"))
            var.is_temp = true;
        else if (!take_keyword(p, "local"))
            return fault(p, "'temp' or 'local' was expected");
        skip_space(p);
        if (!var.is_temp && !take_u32(p, 10, &var.slot)) return fault(p, "a slot was expected");
        var.is_named = take_keyword(p, "named");
        ilc__ir_add_var(p->func, var);
    }
}

/* --- values ----------------------------------------------------------------------------------------------
 */

typedef ILC__VEC(ilc__ref) ref_list;

static ilc_status parse_refs(parser *p, ref_list *args)
{
    skip_space(p);
    while (*p->at == '%') {
        ilc__ref ref;
        ILC__TRY(take_ref(p, &ref));
        ILC__PUSH(p->arena, args, ref);
        const char *before = p->at;
        if (!take(p, ",")) break;
        skip_space(p);
        if (*p->at != '%') p->at = before; /* targets follow */
    }
    return ILC_OK;
}

static ilc_status parse_const(parser *p, ilc__ir_value *value)
{
    skip_space(p);
    if (value->type == ILC__IR_REF || value->type == ILC__IR_ADDR) {
        if (!take_keyword(p, "null")) return fault(p, "'null' was expected");
        return take_keyword(p, "of") ? parse_pointee(p, value) : ILC_OK;
    }
    bool     is_float = value->type == ILC__IR_F32 || value->type == ILC__IR_F64;
    bool     negative = !is_float && take(p, "-");
    uint64_t bits;
    if (is_float && !take(p, "0x")) return fault(p, "the bits of a float are written 0x..");
    if (!take_number(p, is_float ? 16 : 10, &bits)) return fault(p, "a number was expected");
    uint64_t most = value->type == ILC__IR_I32 ? 0x7fffffffu : (uint64_t)INT64_MAX;
    if (value->type == ILC__IR_F32 && bits > UINT32_MAX) return fault(p, "the number is too large");
    if (!is_float && bits > most + (negative ? 1 : 0)) return fault(p, "the number is too large");
    value->u.bits = negative ? 0 - bits : bits;
    return ILC_OK;
}

static ilc_status parse_phi(parser *p, ref_list *args)
{
    do {
        uint32_t pred = 0;
        ilc__ref ref;
        ILC__TRY(take_block(p, &pred));
        ILC__TRY(take_ref(p, &ref));
        ILC__PUSH(p->arena, args, ref);
        ILC__PUSH(p->arena, &p->phi_preds, pred);
    } while (take(p, ","));
    return ILC_OK;
}

static ilc_status parse_call(parser *p, ilc__ir_value *value, ref_list *args)
{
    ilc__ir_func *callee = p->func;
    value->again = take_keyword(p, "again");
    bool is_self = value->again || take_keyword(p, "self");
    if (is_self && !value->again) p->func->cycle = 1;
    if (!is_self) {
        callee = ilc__ir_func_create(p->ctx, p->arena, NULL);
        ILC__TRY(parse_result(p, callee));
        callee->may_trap = take_keyword(p, "traps");
        ILC__TRY(take_quoted(p, &callee->name));
    }
    if (!take(p, "(")) return fault(p, "'(' was expected");
    ILC__TRY(parse_refs(p, args));
    if (!take(p, ")")) return fault(p, "')' was expected");
    if (!is_self) callee->param_count = args->count;
    value->u.callee = callee;
    value->type = ilc__ir_ret_type(callee);
    if (callee->ret_to) value->storage = callee->ret_to->storage, value->layout = callee->ret_to->layout;
    if (callee->ret_array) value->storage = callee->ret_array->storage, value->layout = callee->ret_array->layout;
    return ILC_OK;
}

/* What print.c's print_exception writes, from behind the parenthesis on. */
static ilc_status parse_open_exception(parser *p, ilc__exception *exception, ref_list *args)
{
    char     kinds[ILC__EXCEPTION_ARGS + 1] = {0};
    uint32_t count = 0, strings = 0;
    do {
        if (count == ILC__EXCEPTION_ARGS) return fault(p, "an exception has at most three arguments");
        if (take_keyword(p, "x")) {
            kinds[count++] = 'x';
            continue;
        }
        if (take_keyword(p, "i")) {
            kinds[count++] = 'i';
            continue;
        }
        kinds[count++] = take_keyword(p, "o") ? 'o' : 's';
        skip_space(p);
        if (*p->at == '%') {
            ilc__ref ref;
            ILC__TRY(take_ref(p, &ref));
            ILC__PUSH(p->arena, args, ref);
            exception->open[strings] = true;
        } else if (!take_keyword(p, "null")) {
            ILC__TRY(take_quoted(p, &exception->strings[strings]));
        }
        strings++;
    } while (take(p, ","));
    exception->kinds = ilc__arena_strdup(p->arena, kinds);
    return take(p, ")") ? ILC_OK : fault(p, "')' was expected");
}

static ilc_status parse_newexc(parser *p, ilc__ir_value *value, ref_list *args)
{
    ilc__exception *exception = ILC__NEW(p->arena, ilc__exception);
    value->type = ILC__IR_EXC;
    value->u.exc = exception;
    ILC__TRY(take_quoted(p, &exception->type));
    if (take_keyword(p, "of")) {
        ILC__TRY(take_quoted(p, &exception->base));
        if (!take(p, "(")) return fault(p, "'(' was expected");
        return parse_open_exception(p, exception, args);
    }
    if (take(p, "(")) return parse_open_exception(p, exception, args);
    ILC__TRY(take_quoted(p, &exception->message));
    return ILC_OK;
}

static ilc_status parse_targets(parser *p)
{
    do {
        uint32_t target = 0;
        ILC__TRY(take_block(p, &target));
        ILC__PUSH(p->arena, &p->func->blocks.items[p->block].succs, target);
    } while (take(p, ","));
    return ILC_OK;
}

/* "phi.f32": the operation's own text, then the type or the element where the row does not say it. */
static ilc_status parse_op(parser *p, ilc__ir_value *value)
{
    const char *word = take_word(p);
    if (!word) return fault(p, "an operation was expected");
    value->op = ilc__op_by_text(word);
    if (value->op && value->op < ILC__OP_LAST_COMPUTE) {
        value->type = ilc__op_info_of(value->op)->result;
        return ILC_OK;
    }
    const char *dot = strchr(word, '.');
    if (dot) value->op = ilc__op_by_text(ilc__arena_strndup(p->arena, word, (size_t)(dot - word)));
    switch (value->op) {
    case ILC__OP_CONST:
    case ILC__OP_PHI:
    case ILC__OP_COPY:
    case ILC__OP_LEN:
        for (int t = ILC__IR_I32; dot && t <= ILC__IR_ADDR; t++)
            if (t != ILC__IR_EXC && strcmp(dot + 1, ilc__ir_type_name((ilc__ir_type)t)) == 0)
                value->type = (ilc__ir_type)t;
        return value->type ? ILC_OK : fault(p, "the operation needs a type");
    case ILC__OP_SLOTADDR:
    case ILC__OP_FIELDADDR: value->type = ILC__IR_ADDR; break;
    case ILC__OP_SPANOF:
    case ILC__OP_SPAN:
    case ILC__OP_SPANAT:
    case ILC__OP_ELEMADDR:
    case ILC__OP_DATAADDR:
    case ILC__OP_ADDADDR:
    case ILC__OP_NEWARR:
        value->type = value->op == ILC__OP_SPANOF || value->op == ILC__OP_SPAN || value->op == ILC__OP_SPANAT || value->op == ILC__OP_NEWARR ? ILC__IR_REF : ILC__IR_ADDR;
        if (dot && strcmp(dot, ".struct") == 0) {
            ILC__TRY(parse_pointee(p, value));
            if (value->op == ILC__OP_NEWARR) value->storage = ILC_STRUCT;
            return ILC_OK;
        }
        /* fall through */
    case ILC__OP_LOAD:
    case ILC__OP_STORE:
    case ILC__OP_LOADIND:
    case ILC__OP_STOREIND:
        for (int s = ILC_VOID + 1; dot && s < ILC_STORAGE_COUNT; s++)
            if (strcmp(dot + 1, ilc_storage_name((ilc_storage)s)) == 0 && ilc_storage_size((ilc_storage)s))
                value->storage = (ilc_storage)s;
        if (!value->storage) return fault(p, "the operation needs an element type");
        if (value->op == ILC__OP_LOAD || value->op == ILC__OP_LOADIND)
            value->type = ilc__storage_ir_type(value->storage);
        if (value->op == ILC__OP_LOAD) {
            ilc__ir_var loaded = {0};
            take_brackets(p, &loaded);
            if (loaded.rank) return fault(p, "a jagged array holds arrays of one dimension");
            if (loaded.is_array) value->type = ILC__IR_REF;
            value->nested = loaded.nested;
        }
        return ILC_OK;
    case ILC__OP_ADDRINT: value->type = ILC__IR_I64; break;
    case ILC__OP_ISNULL:
    case ILC__OP_SAMEREF:
    case ILC__OP_DIM: value->type = ILC__IR_I32; break;
    default: break;
    }
    if (value->op == ILC__OP_NONE || dot) return fault(p, "no such operation");
    return ILC_OK;
}

static ilc_status parse_operands(parser *p, ilc__ir_value *value, ref_list *args)
{
    switch (value->op) {
    case ILC__OP_CONST: return parse_const(p, value);
    case ILC__OP_PARAM:
        ILC__TRY(take_var(p, &value->var));
        value->type = ilc__ir_var_type(&p->func->vars.items[value->var]);
        return ILC_OK;
    case ILC__OP_NEWARR:
    case ILC__OP_SLOTADDR: {
        const char *label = take_label(p);
        uintptr_t   slot = label ? (uintptr_t)ilc__map_get(&p->slot_labels, label, strlen(label)) : 0;
        value->u.slot = (uint32_t)slot;
        if (!slot) return fault(p, "no such slot");
        if (value->op == ILC__OP_SLOTADDR) return ILC_OK;
        return take(p, ",") ? parse_refs(p, args) : fault(p, "',' was expected");
    }
    case ILC__OP_FIELDADDR: {
        const char *name;
        ILC__TRY(parse_refs(p, args));
        if (!take(p, ",")) return fault(p, "',' was expected");
        ILC__TRY(take_field_name(p, &name));
        value->u.field = p->field_names.count;
        ILC__PUSH(p->arena, &p->field_names, name);
        return ILC_OK;
    }
    case ILC__OP_PHI: return parse_phi(p, args);
    case ILC__OP_CALL: return parse_call(p, value, args);
    case ILC__OP_NEWEXC: return parse_newexc(p, value, args);
    case ILC__OP_JUMP: return parse_targets(p);
    case ILC__OP_BRANCH:
    case ILC__OP_SWITCH:
        ILC__TRY(parse_refs(p, args));
        if (!take(p, ",")) return fault(p, "',' was expected");
        return parse_targets(p);
    default: return parse_refs(p, args);
    }
}

static ilc_status parse_tail(parser *p, ilc__ir_value *value)
{
    value->safe = take(p, "safe");
    value->nonzero = take(p, "nonzero");
    if (take(p, "[")) {
        ILC__TRY(take_var(p, &value->var));
        if (!take(p, "]")) return fault(p, "']' was expected");
    }
    if (take(p, "@")) {
        if (!take_u32(p, 16, &value->il)) return fault(p, "an IL offset was expected");
        value->has_il = true;
    }
    skip_space(p);
    return *p->at == '\n' || *p->at == 0 ? ILC_OK : fault(p, "the end of the line was expected");
}

static ilc_status parse_value(parser *p)
{
    ilc__ref      ref = 0;
    ref_list      args = {0};
    ilc__ir_value value = {0};
    if (p->block == ILC__NO_BLOCK) return fault(p, "a block was expected");
    skip_space(p);
    if (*p->at == '%') {
        ILC__TRY(take_ref(p, &ref));
        if (p->func->values.items[ref].op) return fault(p, "the value is defined twice");
        if (!take(p, "=")) return fault(p, "'=' was expected");
    }
    ILC__TRY(parse_op(p, &value));
    uint32_t first_pred = p->phi_preds.count;
    ILC__TRY(parse_operands(p, &value, &args));
    ILC__TRY(parse_tail(p, &value));
    if ((value.type != ILC__IR_VOID) != (ref != 0))
        return fault(p, "a value is named exactly where it has a type");
    if (!ref) ref = ilc__ir_add(p->func, (ilc__ir_value){0});
    value.args = args.items;
    value.arg_count = args.count;
    if (value.type == ILC__IR_REF && value.var) value.storage = p->func->vars.items[value.var].storage;
    p->func->values.items[ref] = value;
    ilc__ir_append(p->func, p->block, ref);
    if (value.op == ILC__OP_PHI) {
        ILC__PUSH(p->arena, &p->phis, ref);
        ILC__PUSH(p->arena, &p->phis, first_pred);
    }
    return ILC_OK;
}

static ilc_status parse_block(parser *p)
{
    uint32_t number, il = 0;
    if (!take_u32(p, 10, &number) || number != p->func->blocks.count)
        return fault(p, "blocks are numbered in the order in which they stand");
    if (!take(p, ":")) return fault(p, "':' was expected");
    if (take(p, "@") && !take_u32(p, 16, &il)) return fault(p, "an IL offset was expected");
    skip_space(p);
    if (*p->at != '\n' && *p->at) return fault(p, "the end of the line was expected");
    p->block = ilc__ir_add_block(p->func, il);
    return ILC_OK;
}

/* --- the whole -------------------------------------------------------------------------------------------
 */

static ilc_status check_names(parser *p)
{
    ilc__ir_func *f = p->func;
    for (ilc__ref ref = 1; ref < f->values.count; ref++)
        if (!f->values.items[ref].op)
            return ilc__fail(p->ctx, ILC_FORMAT, NULL, "IR text: a value is used but not defined");
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t i = 0; i < f->blocks.items[b].succs.count; i++)
            if (f->blocks.items[b].succs.items[i] >= f->blocks.count)
                return ilc__fail(p->ctx, ILC_FORMAT, NULL, "IR text: block b%u does not exist",
                                 f->blocks.items[b].succs.items[i]);
    return f->blocks.count ? ILC_OK : ilc__fail(p->ctx, ILC_FORMAT, NULL, "IR text: there is no block");
}

/* Puts the arguments of a phi, read with their blocks, into the order of the predecessors. */
static ilc_status order_phi(parser *p, ilc__ref ref, const uint32_t *from)
{
    ilc__ir_func        *f = p->func;
    ilc__ir_value       *phi = &f->values.items[ref];
    const ilc__ir_block *block = &f->blocks.items[phi->block];
    if (phi->arg_count != block->preds.count)
        return ilc__fail(p->ctx, ILC_FORMAT, NULL,
                         "IR text: a phi of b%u has %u arguments for %u predecessors", phi->block,
                         phi->arg_count, block->preds.count);
    ilc__ref *ordered = ILC__NEW_ARRAY(p->arena, ilc__ref, phi->arg_count);
    ilc__map  places = {.arena = p->arena}; /* block -> 1 + the first argument from it that is not yet used */
    uint32_t *next = ILC__NEW_ARRAY(p->arena, uint32_t, phi->arg_count);
    for (uint32_t i = phi->arg_count; i-- > 0;) {
        next[i] = (uint32_t)(uintptr_t)ilc__map_get(&places, &from[i], sizeof from[i]);
        ilc__map_put(&places, &from[i], sizeof from[i], (void *)(uintptr_t)(i + 1));
    }
    for (uint32_t i = 0; i < phi->arg_count; i++) {
        uint32_t  pred = block->preds.items[i];
        uintptr_t place = (uintptr_t)ilc__map_get(&places, &pred, sizeof pred);
        if (!place || place > phi->arg_count)
            return ilc__fail(p->ctx, ILC_FORMAT, NULL, "IR text: a phi of b%u has no argument from b%u",
                             phi->block, pred);
        ordered[i] = phi->args[place - 1];
        uint32_t after = next[place - 1];
        ilc__map_put(&places, &pred, sizeof pred, (void *)(uintptr_t)(after ? after : phi->arg_count + 1));
    }
    phi->args = ordered;
    return ILC_OK;
}

/* What a value takes over from its operands: the element type of an array. */
static void infer_elements(ilc__ir_func *f)
{
    for (ilc__ref ref = 1; ref < f->values.count; ref++) {
        ilc__ir_value *value = &f->values.items[ref];
        if (value->op == ILC__OP_LEN && value->arg_count)
            value->storage = ilc__ir_array(f, value->args[0]).elem;
        if ((value->op == ILC__OP_COPYMEM || value->op == ILC__OP_ZEROMEM) && value->arg_count)
            value->layout = ilc__ir_pointee(f, value->args[0]).layout;
    }
}

/* What a FIELDADDR is of is known from its operand, which may itself be one. */
static ilc_status infer_fields(parser *p)
{
    ilc__ir_func *f = p->func;
    bool         *seen = ILC__NEW_ARRAY(p->arena, bool, f->values.count);
    for (ilc__ref ref = 1; ref < f->values.count; ref++) {
        ref_list chain = {0};
        for (ilc__ref at = ref;
             f->values.items[at].op == ILC__OP_FIELDADDR && f->values.items[at].arg_count && !seen[at];) {
            seen[at] = true;
            ILC__PUSH(p->arena, &chain, at);
            at = f->values.items[at].args[0];
        }
        for (uint32_t i = chain.count; i-- > 0;) {
            ilc__ir_value *value = &f->values.items[chain.items[i]];
            const char    *name = p->field_names.items[value->u.field];
            ilc__pointee   of = ilc__ir_pointee(f, value->args[0]);
            value->u.field = of.layout ? ilc__layout_field_named(of.layout, name) : UINT32_MAX;
            if (value->u.field == UINT32_MAX)
                return ilc__fail(p->ctx, ILC_FORMAT, NULL, "IR text: there is no field %s", name);
            value->layout = of.layout;
        }
    }
    return ILC_OK;
}

ilc_status ilc__ir_parse(ilc__context *ctx, ilc__arena *arena, const char *text, ilc__ir_func **out)
{
    parser p = {.ctx = ctx,
                .arena = arena,
                .at = text,
                .line_start = text,
                .line = 1,
                .block = ILC__NO_BLOCK,
                .values = {.arena = arena},
                .labels = {.arena = arena},
                .slot_labels = {.arena = arena},
                .layouts = {.arena = arena}};
    p.func = ilc__ir_func_create(ctx, arena, NULL);
    ILC__TRY(parse_head(&p));
    for (skip_lines(&p); *p.at; skip_lines(&p)) {
        const char *before = p.at;
        if (take(&p, "b") && isdigit((unsigned char)*p.at)) {
            ILC__TRY(parse_block(&p));
            continue;
        }
        p.at = before;
        ILC__TRY(parse_value(&p));
    }
    ILC__TRY(check_names(&p));
    ilc__ir_compute_cfg(p.func);
    for (uint32_t i = 0; i < p.phis.count; i += 2)
        ILC__TRY(order_phi(&p, p.phis.items[i], p.phi_preds.items + p.phis.items[i + 1]));
    ILC__TRY(infer_fields(&p));
    infer_elements(p.func);
    *out = p.func;
    return ILC_OK;
}
