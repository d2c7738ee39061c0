/* fold.c - what is decided once a method's types are known: typeof(T) = typeof(X), whether a boxed T is null, boxes that
 * are opened again, vector instructions (none is supported here), sizes; then the branches that depend on it. So what an
 * instantiation never reaches is never looked at. Judge and lifter get the same body, as they get the same form. */
#include "il/fold.h"

#include "il/statics.h"

#include "meta/image.h"
#include "meta/layout.h"

enum { MAX_DEPTH = 2, MAX_ROUNDS = 64, SMALL_BODY = 64, EXTRA_STACK = 4 };

static ilc_status fold(ilc__context *ctx, ilc__arena *arena, ilc__body *body, unsigned depth, bool *decided);

/* --- writing ---------------------------------------------------------------------------------------------- */

ilc__insn *ilc__fold_add(ilc__folder *f, ilc__opcode op)
{
    const ilc__insn *like = &f->body->insns[f->at];
    ILC__PUSH(f->arena, &f->insns, ((ilc__insn){.offset = like->offset, .next = like->next, .op = op}));
    return &f->insns.items[f->insns.count - 1];
}

void ilc__fold_number(ilc__folder *f, int32_t number)
{
    ilc__fold_add(f, ILC__IL_LDC_I4)->u.i = number;
    f->decided = true;
}

uint32_t ilc__fold_local(ilc__folder *f, const ilc__type *type)
{
    ILC__PUSH(f->arena, &f->locals, type);
    return f->body->local_count + f->locals.count - 1;
}

uint32_t ilc__fold_next(const ilc__folder *f, uint32_t at)
{
    for (at++; at < f->body->insn_count && !f->targets[at]; at++)
        if (f->body->insns[at].op != ILC__IL_NOP) return at;
    return UINT32_MAX;
}

static const ilc__insn *insn_at(const ilc__folder *f, uint32_t at)
{
    static const ilc__insn none = {.op = ILC__IL_COUNT};
    return at < f->body->insn_count ? &f->body->insns[at] : &none;
}

static bool is_call(const ilc__insn *insn)
{
    return insn->op == ILC__IL_CALL || insn->op == ILC__IL_CALLVIRT;
}

static bool *find_targets(ilc__arena *arena, const ilc__body *body, const bool *reached)
{
    bool *targets = ILC__NEW_ARRAY(arena, bool, body->insn_count);
    for (uint32_t i = 0; i < body->insn_count; i++) {
        ilc__operand operand = ilc__opcode_operand(body->insns[i].op);
        bool branches = operand == ILC__OPERAND_BR1 || operand == ILC__OPERAND_BR4 || operand == ILC__OPERAND_SWITCH;
        if (!branches || (reached && !reached[i])) continue;
        for (uint32_t k = 0; k < body->insns[i].u.branch.count; k++)
            targets[body->index[body->insns[i].u.branch.targets[k]]] = true;
    }
    for (uint32_t c = 0; c < body->clause_count; c++) {
        const ilc__clause *clause = &body->clauses[c];
        targets[body->index[clause->try_start]] = targets[body->index[clause->handler_start]] = true;
    }
    return targets;
}

/* --- types ------------------------------------------------------------------------------------------------ */

static bool is_open(const ilc__type *type)
{
    return strchr(type->name, '!') != NULL;
}

static bool is_number(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    return storage != ILC_STORAGE_COUNT && storage != ILC_VOID;
}

static bool is_nullable(const ilc__type *type)
{
    return type->kind == ILC__ET_GENERICINST && strcmp(type->elem->name, "System.Nullable`1") == 0;
}

/* A value that is no object, and never null. */
static bool is_value(const ilc__type *type)
{
    return !is_open(type) && (is_number(type) || (ilc__type_is_struct(type) && !is_nullable(type)));
}

/* Types of assemblies that were not found are known by name only. */
static bool is_known(const ilc__type *type)
{
    return !is_open(type) && (is_number(type) || type->def || type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT);
}

bool ilc__fold_size(const ilc__folder *f, const ilc__type *type, uint32_t *size)
{
    const ilc__layout *layout;
    ilc_storage        storage = ilc__type_storage(type);
    if (is_open(type)) return false;
    if (is_number(type)) *size = ilc_storage_size(storage);
    if (is_number(type)) return true;
    uint32_t diags = f->ctx->diags.count;
    bool     fits = ilc__type_is_struct(type) &&
                ilc__layout_of(ilc__image_layouts(f->body->method->image), type, NULL, &layout) == ILC_OK;
    f->ctx->diags.count = diags;
    if (fits) *size = layout->size;
    return fits;
}

static ilc_status type_of(const ilc__folder *f, const ilc__insn *insn, const ilc__type **out)
{
    return ilc__body_type(f->body, insn, out);
}

/* --- typeof ----------------------------------------------------------------------------------------------- */

static ilc_status callee_at(const ilc__folder *f, uint32_t at, ilc__callee *out)
{
    *out = (ilc__callee){.type_name = "", .name = ""};
    return is_call(insn_at(f, at)) ? ilc__body_callee(f->body, insn_at(f, at), out) : ILC_OK;
}

static bool is_method(const ilc__callee *callee, const char *type, const char *name)
{
    return strcmp(callee->type_name, type) == 0 && strcmp(callee->name, name) == 0;
}

/* `ldtoken T; call GetTypeFromHandle` from *at on, which moves to the call; *out NULL where it is none. */
static ilc_status match_typeof(const ilc__folder *f, uint32_t *at, const ilc__type **out)
{
    const ilc__insn *insn = insn_at(f, *at);
    uint32_t         table = insn->u.token >> 24;
    ilc__callee      callee;
    *out = NULL;
    if (insn->op != ILC__IL_LDTOKEN || (table != ILC__T_TYPEREF && table != ILC__T_TYPEDEF && table != ILC__T_TYPESPEC)) return ILC_OK;
    uint32_t next = ilc__fold_next(f, *at);
    ILC__TRY(callee_at(f, next, &callee));
    if (!is_method(&callee, "System.Type", "GetTypeFromHandle")) return ILC_OK;
    *at = next;
    return type_of(f, insn, out);
}

static bool ask_type(const ilc__callee *callee, const ilc__type *type, bool *answer)
{
    if (is_method(callee, "System.Type", "get_IsValueType")) *answer = is_number(type) || ilc__type_is_struct(type);
    else if (is_method(callee, "System.Type", "get_IsEnum")) *answer = type->is_enum;
    else if (is_method(callee, "System.Type", "get_IsPrimitive")) *answer = is_number(type) && !type->is_enum;
    else return false;
    return is_known(type);
}

static ilc_status fold_typeof(ilc__folder *f, uint32_t *taken)
{
    const ilc__type *a, *b;
    ilc__callee      callee;
    uint32_t         at = f->at;
    bool             answer;
    ILC__TRY(match_typeof(f, &at, &a));
    if (!a) return ILC_OK;
    at = ilc__fold_next(f, at);
    ILC__TRY(callee_at(f, at, &callee));
    if (ask_type(&callee, a, &answer)) {
        ilc__fold_number(f, answer);
        *taken = at + 1 - f->at;
        return ILC_OK;
    }
    if (is_method(&callee, "System.Reflection.MemberInfo", "get_Name")) { /* for a message */
        ilc__fold_add(f, ILC__IL_LDSTR)->u.named.text = "...";
        *taken = at + 1 - f->at;
        return ILC_OK;
    }
    ILC__TRY(match_typeof(f, &at, &b));
    if (!b) return ILC_OK;
    at = ilc__fold_next(f, at);
    ILC__TRY(callee_at(f, at, &callee));
    bool equal = is_method(&callee, "System.Type", "op_Equality");
    if ((!equal && !is_method(&callee, "System.Type", "op_Inequality")) || is_open(a) || is_open(b)) return ILC_OK;
    if (a != b && (!is_known(a) || !is_known(b))) return ILC_OK;
    ilc__fold_number(f, (a == b) == equal);
    *taken = at + 1 - f->at;
    return ILC_OK;
}

/* --- boxes ------------------------------------------------------------------------------------------------ */

static bool tests_true(ilc__opcode op)
{
    return op == ILC__IL_BRTRUE || op == ILC__IL_BRTRUE_S;
}

static bool tests_false(ilc__opcode op)
{
    return op == ILC__IL_BRFALSE || op == ILC__IL_BRFALSE_S;
}

/* The boxed value goes; what stands for it is known to be an object, or of the type asked for, or not. */
static void drop_box(ilc__folder *f, bool answer)
{
    ilc__fold_add(f, ILC__IL_POP);
    ilc__fold_number(f, answer);
}

static ilc_status fold_box(ilc__folder *f, uint32_t *taken)
{
    const ilc__type *type, *to;
    uint32_t         next = ilc__fold_next(f, f->at);
    const ilc__insn *insn = insn_at(f, next);
    ILC__TRY(type_of(f, insn_at(f, f->at), &type));
    if (!is_value(type)) return ILC_OK;
    if (insn->op == ILC__IL_UNBOX_ANY) {
        ILC__TRY(type_of(f, insn, &to));
        if (to != type) return ILC_OK;
        ilc__fold_add(f, ILC__IL_NOP);
    } else if (insn->op == ILC__IL_UNBOX) { /* the address of the value in a box that nobody else has */
        ILC__TRY(type_of(f, insn, &to));
        if (to != type) return ILC_OK;
        uint32_t local = ilc__fold_local(f, type);
        ilc__fold_add(f, ILC__IL_STLOC)->u.i = local;
        ilc__fold_add(f, ILC__IL_LDLOCA)->u.i = local;
    } else if (insn->op == ILC__IL_ISINST) {
        uint32_t test = ilc__fold_next(f, next);
        ILC__TRY(type_of(f, insn, &to));
        bool tests = tests_true(insn_at(f, test)->op) || tests_false(insn_at(f, test)->op);
        if (!tests || !is_value(to)) return ILC_OK;
        drop_box(f, to == type);
    } else if (tests_true(insn->op) || tests_false(insn->op)) {
        drop_box(f, true);
        next--; /* the branch stays, on a constant */
    } else if (insn->op == ILC__IL_LDNULL) {
        next = ilc__fold_next(f, next);
        ilc__opcode op = insn_at(f, next)->op;
        if (op != ILC__IL_CEQ && op != ILC__IL_CGT_UN) return ILC_OK;
        drop_box(f, op == ILC__IL_CGT_UN);
    } else {
        return ILC_OK;
    }
    *taken = next + 1 - f->at;
    return ILC_OK;
}

/* --- calls and fields ------------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* X86.Avx2.IsSupported, Vector128.IsHardwareAccelerated; not Vector128(Of T).IsSupported, which asks for T. */
static bool is_hardware(const ilc__callee *callee)
{
    bool vectors = starts(callee->type_name, "System.Runtime.Intrinsics.") && !strchr(callee->type_name, '`');
    if (strcmp(callee->name, "get_IsSupported") == 0) return vectors;
    return strcmp(callee->name, "get_IsHardwareAccelerated") == 0 && (vectors || strcmp(callee->type_name, "System.Numerics.Vector") == 0);
}

/* The one number that a method without parameters returns; false where it does more. */
static bool returns_number(const ilc__body *body, int32_t *number)
{
    uint32_t at = 0, stored = UINT32_MAX;
    bool     has = false;
    for (unsigned step = 0; step < SMALL_BODY && at < body->insn_count; step++) {
        const ilc__insn *insn = &body->insns[at++];
        ilc__opcode      op = insn->op;
        bool             is_load = op >= ILC__IL_LDLOC_0 && op <= ILC__IL_LDLOC_3, is_store = op >= ILC__IL_STLOC_0 && op <= ILC__IL_STLOC_3;
        if (op == ILC__IL_RET) return has;
        if (op >= ILC__IL_LDC_I4_M1 && op <= ILC__IL_LDC_I4 && !has) *number = (int32_t)insn->u.i, has = true;
        else if (op == ILC__IL_BR || op == ILC__IL_BR_S) at = body->index[insn->u.branch.targets[0]];
        else if (is_store && has) stored = (uint32_t)insn->u.i, has = false;
        else if (is_load && !has && insn->u.i == stored) has = true;
        else if (op != ILC__IL_NOP) return false;
    }
    return false;
}

/* A property of the program's own that only asks whether there are vectors. */
static ilc_status ask_method(ilc__folder *f, const ilc__callee *callee, int32_t *number, bool *known)
{
    const ilc__method *def = callee->def;
    ilc__body          body;
    uint32_t           diags = f->ctx->diags.count;
    bool               decided = false;
    *known = false;
    if (!def || !def->rva || !(def->flags & ILC__METHOD_STATIC) || callee->sig.param_count || f->depth == MAX_DEPTH) return ILC_OK;
    if (callee->sig.ret->kind != ILC__ET_BOOLEAN) return ILC_OK;
    if (ilc__body_decode(f->ctx, f->arena, def, &body) == ILC_OK && body.code_size <= SMALL_BODY && !body.clause_count &&
        fold(f->ctx, f->arena, &body, f->depth + 1, &decided) == ILC_OK)
        *known = decided && returns_number(&body, number);
    f->ctx->diags.count = diags;
    return ILC_OK;
}

static ilc_status fold_call(ilc__folder *f, uint32_t *taken)
{
    ilc__callee callee;
    int32_t     number = 0;
    bool        done = false, known = false;
    ILC__TRY(ilc__body_callee(f->body, insn_at(f, f->at), &callee));
    if (callee.sig.ret->kind == ILC__ET_BOOLEAN && callee.sig.param_count == 0 && !callee.sig.has_this) {
        known = is_hardware(&callee);
        if (!known) ILC__TRY(ask_method(f, &callee, &number, &known));
        if (known) ilc__fold_number(f, number);
        done = known;
    }
    if (!done) ILC__TRY(ilc__fold_intrinsic(f, &callee, &done));
    if (!done) ILC__TRY(ilc__fold_comparer(f, &callee, &done));
    if (!done) ILC__TRY(ilc__fold_text(f, &callee, &done));
    if (done) *taken = 1;
    return ILC_OK;
}

/* The value of a read-only field, made where it is read. */
static ilc_status make_static(ilc__folder *f, const ilc__field *field, uint32_t *taken)
{
    const ilc__insn *code = NULL;
    uint32_t         count;
    bool             is_zero;
    ILC__TRY(ilc__static_code(ilc__image_statics(f->body->method->image), field, &code, &count, &is_zero));
    for (uint32_t i = 0; i < count; i++) ilc__fold_add(f, code[i].op)->u = code[i].u;
    if (is_zero) {
        uint32_t local = ilc__fold_local(f, field->type);
        ilc__fold_add(f, ILC__IL_LDLOCA)->u.i = local;
        ilc__fold_add(f, ILC__IL_INITOBJ)->u.named.type = field->type;
        ilc__fold_add(f, ILC__IL_LDLOC)->u.i = local;
    }
    if (count || is_zero) *taken = 1;
    if (count > f->deepest) f->deepest = count;
    return ILC_OK;
}

static ilc_status fold_field(ilc__folder *f, uint32_t *taken)
{
    const ilc__field *field;
    const char       *type_name, *name;
    ILC__TRY(ilc__resolve_field(f->body->method->image, insn_at(f, f->at)->u.token, f->body->method, &field, &type_name, &name));
    if (strcmp(type_name, "System.BitConverter") == 0 && strcmp(name, "IsLittleEndian") == 0) {
        ilc__fold_number(f, 1);
        *taken = 1;
        return ILC_OK;
    }
    return field ? make_static(f, field, taken) : ILC_OK;
}

static ilc_status fold_sizeof(ilc__folder *f, uint32_t *taken)
{
    const ilc__type *type;
    uint32_t         size;
    ILC__TRY(type_of(f, insn_at(f, f->at), &type));
    if (!ilc__fold_size(f, type, &size)) return ILC_OK;
    ilc__fold_number(f, (int32_t)size);
    *taken = 1;
    return ILC_OK;
}

/* *taken: how many instructions what was written stands for; 0: the one here stays. */
static ilc_status fold_here(ilc__folder *f, uint32_t *taken)
{
    *taken = 0;
    switch (f->body->insns[f->at].op) {
    case ILC__IL_LDTOKEN: return fold_typeof(f, taken);
    case ILC__IL_BOX: return fold_box(f, taken);
    case ILC__IL_LDSFLD: return fold_field(f, taken);
    case ILC__IL_SIZEOF: return fold_sizeof(f, taken);
    case ILC__IL_CALL:
    case ILC__IL_CALLVIRT: return fold_call(f, taken);
    default: return ILC_OK;
    }
}

/* --- branches --------------------------------------------------------------------------------------------- */

static bool ends(const ilc__insn *insn)
{
    ilc__flow flow = ilc__opcode_flow(insn->op);
    return flow == ILC__FLOW_BRANCH || flow == ILC__FLOW_RETURN || flow == ILC__FLOW_THROW;
}

static bool *find_reached(ilc__arena *arena, const ilc__body *body)
{
    bool *reached = ILC__NEW_ARRAY(arena, bool, body->insn_count);
    ILC__VEC(uint32_t) work = {0};
    ILC__PUSH(arena, &work, 0);
    for (uint32_t c = 0; c < body->clause_count; c++) ILC__PUSH(arena, &work, body->index[body->clauses[c].handler_start]);
    while (work.count) {
        uint32_t at = work.items[--work.count];
        for (; at < body->insn_count && !reached[at]; at++) {
            const ilc__insn *insn = &body->insns[at];
            ilc__operand     operand = ilc__opcode_operand(insn->op);
            bool branches = operand == ILC__OPERAND_BR1 || operand == ILC__OPERAND_BR4 || operand == ILC__OPERAND_SWITCH;
            reached[at] = true;
            for (uint32_t k = 0; branches && k < insn->u.branch.count; k++)
                ILC__PUSH(arena, &work, body->index[insn->u.branch.targets[k]]);
            if (ends(insn)) break;
        }
    }
    return reached;
}

static bool constant_at(const ilc__folder *f, uint32_t at, int32_t *number)
{
    const ilc__insn *insn = insn_at(f, at);
    if (insn->op < ILC__IL_LDC_I4_M1 || insn->op > ILC__IL_LDC_I4) return false;
    *number = (int32_t)insn->u.i;
    return true;
}

static bool local_at(const ilc__folder *f, uint32_t at, ilc__opcode first, ilc__opcode brief, ilc__opcode wide, int64_t *local)
{
    const ilc__insn *insn = insn_at(f, at);
    *local = insn->u.i;
    return (insn->op >= first && insn->op <= first + 3) || insn->op == brief || insn->op == wide;
}

static void settle(ilc__insn *insn, bool taken)
{
    if (taken) insn->op = ILC__IL_BR;
    else *insn = (ilc__insn){.offset = insn->offset, .next = insn->next, .op = ILC__IL_NOP};
}

static void set_nop(ilc__insn *insns, uint32_t at)
{
    insns[at] = (ilc__insn){.offset = insns[at].offset, .next = insns[at].next, .op = ILC__IL_NOP};
}

/* What an instruction makes of two constants: 0 or 1; -1 for others. */
static int compared(ilc__opcode op, int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (op) {
    case ILC__IL_CEQ: case ILC__IL_BEQ: case ILC__IL_BEQ_S: return a == b;
    case ILC__IL_BNE_UN: case ILC__IL_BNE_UN_S: return a != b;
    case ILC__IL_CGT: case ILC__IL_BGT: case ILC__IL_BGT_S: return a > b;
    case ILC__IL_CLT: case ILC__IL_BLT: case ILC__IL_BLT_S: return a < b;
    case ILC__IL_BGE: case ILC__IL_BGE_S: return a >= b;
    case ILC__IL_BLE: case ILC__IL_BLE_S: return a <= b;
    case ILC__IL_CGT_UN: case ILC__IL_BGT_UN: case ILC__IL_BGT_UN_S: return x > y;
    case ILC__IL_CLT_UN: case ILC__IL_BLT_UN: case ILC__IL_BLT_UN_S: return x < y;
    case ILC__IL_BGE_UN: case ILC__IL_BGE_UN_S: return x >= y;
    case ILC__IL_BLE_UN: case ILC__IL_BLE_UN_S: return x <= y;
    default: return -1;
    }
}

static bool decide_at(ilc__folder *f, ilc__insn *insns, uint32_t at)
{
    int32_t  a, b;
    int64_t  kept, loaded;
    uint32_t next = ilc__fold_next(f, at);
    if (!constant_at(f, at, &a) || next == UINT32_MAX) return false;
    if (tests_true(insns[next].op) || tests_false(insns[next].op)) {
        settle(&insns[next], (a != 0) == tests_true(insns[next].op));
        set_nop(insns, at);
        return true;
    }
    if (constant_at(f, next, &b)) {
        uint32_t test = ilc__fold_next(f, next);
        int      answer = test == UINT32_MAX ? -1 : compared(insns[test].op, a, b);
        if (answer < 0) return false;
        if (ilc__opcode_flow(insns[test].op) == ILC__FLOW_COND) settle(&insns[test], answer);
        else insns[test] = (ilc__insn){.offset = insns[test].offset, .next = insns[test].next, .op = ILC__IL_LDC_I4, .u.i = answer};
        set_nop(insns, at);
        set_nop(insns, next);
        return true;
    }
    if (!local_at(f, next, ILC__IL_STLOC_0, ILC__IL_STLOC_S, ILC__IL_STLOC, &kept)) return false; /* Debug builds */
    uint32_t load = ilc__fold_next(f, next), test = load == UINT32_MAX ? load : ilc__fold_next(f, load);
    if (test == UINT32_MAX || !local_at(f, load, ILC__IL_LDLOC_0, ILC__IL_LDLOC_S, ILC__IL_LDLOC, &loaded) || loaded != kept) return false;
    if (!tests_true(insns[test].op) && !tests_false(insns[test].op)) return false;
    settle(&insns[test], (a != 0) == tests_true(insns[test].op));
    set_nop(insns, load);
    return true;
}

/* Branches on constants become jumps, until none is left: what is behind them may be decided then. */
static void decide(ilc__folder *f)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < MAX_ROUNDS; round++) {
        const bool *reached = find_reached(f->arena, f->body);
        f->targets = find_targets(f->arena, f->body, reached);
        changed = false;
        for (uint32_t i = 0; i < f->body->insn_count; i++)
            if (reached[i] && decide_at(f, f->insns.items, i)) changed = true;
    }
}

/* --- the whole -------------------------------------------------------------------------------------------- */

static void keep(ilc__folder *f)
{
    ilc__body        *body = f->body;
    uint32_t          count = body->local_count;
    const ilc__type **locals = ILC__NEW_ARRAY(f->arena, const ilc__type *, count + f->locals.count);
    bool             *pinned = ILC__NEW_ARRAY(f->arena, bool, count + f->locals.count);
    for (uint32_t i = 0; i < count; i++) {
        locals[i] = body->locals[i];
        pinned[i] = body->pinned && body->pinned[i];
    }
    for (uint32_t i = 0; i < f->locals.count; i++) locals[count + i] = f->locals.items[i];
    body->insns = f->insns.items;
    body->insn_count = f->insns.count;
    body->index = f->index;
    body->locals = locals;
    body->pinned = pinned;
    body->local_count = count + f->locals.count;
    body->max_stack += EXTRA_STACK + f->deepest;
}

static ilc_status rewrite(ilc__folder *f)
{
    const ilc__body *body = f->body;
    for (f->at = 0; f->at < body->insn_count;) {
        uint32_t taken, first = f->insns.count;
        ILC__TRY(fold_here(f, &taken));
        f->changed = f->changed || taken;
        if (!taken) ILC__PUSH(f->arena, &f->insns, body->insns[f->at]);
        for (uint32_t end = f->at + (taken ? taken : 1); f->at < end; f->at++) f->index[body->insns[f->at].offset] = first;
    }
    return ILC_OK;
}

static bool may_change(const ilc__body *body)
{
    for (uint32_t i = 0; i < body->insn_count; i++)
        switch (body->insns[i].op) {
        case ILC__IL_LDTOKEN: case ILC__IL_BOX: case ILC__IL_LDSFLD: case ILC__IL_SIZEOF: case ILC__IL_CALL: case ILC__IL_CALLVIRT: return true;
        default: break;
        }
    return false;
}

static ilc_status fold(ilc__context *ctx, ilc__arena *arena, ilc__body *body, unsigned depth, bool *decided)
{
    ilc__folder f = {.ctx = ctx, .arena = arena, .body = body, .depth = depth};
    if (!may_change(body)) return ILC_OK;
    f.targets = find_targets(arena, body, NULL);
    f.index = ILC__NEW_ARRAY(arena, uint32_t, body->code_size);
    memset(f.index, 0xFF, body->code_size * sizeof *f.index);
    ILC__TRY(rewrite(&f));
    if (!f.changed) return ILC_OK;
    keep(&f);
    if (f.decided) decide(&f);
    *decided = f.decided;
    return ILC_OK;
}

ilc_status ilc__body_fold(ilc__context *ctx, ilc__arena *arena, ilc__body *body)
{
    bool decided;
    return fold(ctx, arena, body, 0, &decided);
}
