/* intrinsics.c - methods of System.Runtime.CompilerServices.Unsafe and RuntimeHelpers, and Math.SinCos, whose IL says
 * nothing: the runtime has their meaning, which is a few instructions. */
#include "il/fold.h"

#include "meta/image.h"

enum { MAX_STEPS = 8 };

/* What one becomes: instructions, some of which name the call's type argument or a new local of it. */
typedef enum step {
    END,
    POP, POINTER,          /* conv.u: an address of anything                                     */
    INTEGER, SCALE, ADD, SUB, EQUAL, BELOW, ABOVE, ZERO, COPY, FILL,
    LOAD_FIRST, LOAD_LAST, /* ldobj of the first, the last type argument                         */
    STORE, KEEP, TAKE,     /* stobj; to and from a local of the first type argument              */
    ADDRESS                /* of that local                                                      */
} step;

typedef struct row {
    const char *name;
    uint8_t     type_args, params;
    step        steps[MAX_STEPS];
} row;

static const row rows[] = {
    {"As", 2, 1, {POINTER}},
    {"AsPointer", 1, 1, {POINTER}},
    {"AsRef", 1, 1, {POINTER}},
    {"Add", 1, 2, {INTEGER, SCALE, ADD}},
    {"Subtract", 1, 2, {INTEGER, SCALE, SUB}},
    {"AddByteOffset", 1, 2, {INTEGER, ADD}},
    {"SubtractByteOffset", 1, 2, {INTEGER, SUB}},
    {"ByteOffset", 1, 2, {END}}, /* add_byte_offset */
    {"AreSame", 1, 2, {EQUAL}},
    {"IsAddressGreaterThan", 1, 2, {ABOVE}},
    {"IsAddressLessThan", 1, 2, {BELOW}},
    {"NullRef", 1, 0, {ZERO, POINTER}},
    {"IsNullRef", 1, 1, {POINTER, ZERO, POINTER, EQUAL}},
    {"SkipInit", 1, 1, {POP}},
    {"BitCast", 2, 1, {KEEP, ADDRESS, POINTER, LOAD_LAST}},
    {"Read", 1, 1, {POINTER, LOAD_FIRST}},
    {"ReadUnaligned", 1, 1, {POINTER, LOAD_FIRST}},
    {"Write", 1, 2, {KEEP, POINTER, TAKE, STORE}},
    {"WriteUnaligned", 1, 2, {KEEP, POINTER, TAKE, STORE}},
    {"CopyBlock", 0, 3, {COPY}},
    {"CopyBlockUnaligned", 0, 3, {COPY}},
    {"InitBlock", 0, 3, {FILL}},
    {"InitBlockUnaligned", 0, 3, {FILL}},
};

static const row *find_row(const ilc__callee *callee, uint32_t type_args)
{
    if (callee->sig.has_this) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, callee->name) == 0 && rows[i].type_args == type_args && rows[i].params == callee->sig.param_count)
            return &rows[i];
    return NULL;
}

static void add_typed(ilc__folder *f, ilc__opcode op, const ilc__type *type)
{
    ilc__fold_add(f, op)->u.named.type = type;
}

static void add_local(ilc__folder *f, ilc__opcode op, uint32_t local)
{
    ilc__fold_add(f, op)->u.i = local;
}

static void add_step(ilc__folder *f, step what, const ilc__type *const *args, uint32_t arg_count, uint32_t size, uint32_t local)
{
    static const ilc__opcode plain[] = {[POP] = ILC__IL_POP, [POINTER] = ILC__IL_CONV_U, [INTEGER] = ILC__IL_CONV_I, [ADD] = ILC__IL_ADD,
                                        [SUB] = ILC__IL_SUB, [EQUAL] = ILC__IL_CEQ,      [BELOW] = ILC__IL_CLT_UN,   [ABOVE] = ILC__IL_CGT_UN,
                                        [COPY] = ILC__IL_CPBLK, [FILL] = ILC__IL_INITBLK};
    switch (what) {
    case SCALE:
        ilc__fold_add(f, ILC__IL_LDC_I4)->u.i = (int64_t)size;
        ilc__fold_add(f, ILC__IL_CONV_I);
        ilc__fold_add(f, ILC__IL_MUL);
        break;
    case ZERO: ilc__fold_add(f, ILC__IL_LDC_I4)->u.i = 0; break;
    case LOAD_FIRST: add_typed(f, ILC__IL_LDOBJ, args[0]); break;
    case LOAD_LAST: add_typed(f, ILC__IL_LDOBJ, args[arg_count - 1]); break;
    case STORE: add_typed(f, ILC__IL_STOBJ, args[0]); break;
    case KEEP: add_local(f, ILC__IL_STLOC, local); break;
    case TAKE: add_local(f, ILC__IL_LDLOC, local); break;
    case ADDRESS: add_local(f, ILC__IL_LDLOCA, local); break;
    default: ilc__fold_add(f, plain[what]); break;
    }
}

static bool uses_local(const row *r)
{
    for (unsigned i = 0; i < MAX_STEPS; i++)
        if (r->steps[i] == KEEP) return true;
    return false;
}

/* ByteOffset(from, to) is to - from, but from lies below: both are kept as they came. */
static void add_byte_offset(ilc__folder *f, const ilc__callee *callee)
{
    uint32_t to = ilc__fold_local(f, callee->sig.params[1]), from = ilc__fold_local(f, callee->sig.params[0]);
    add_local(f, ILC__IL_STLOC, to);
    add_local(f, ILC__IL_STLOC, from);
    add_local(f, ILC__IL_LDLOC, to);
    add_local(f, ILC__IL_LDLOC, from);
    ilc__fold_add(f, ILC__IL_SUB);
}

static ilc_status fold_unsafe(ilc__folder *f, const ilc__callee *callee, bool *done)
{
    const ilc__type *const *args = callee->def ? callee->def->method_args : NULL;
    uint32_t                count = callee->def ? callee->def->method_arg_count : 0, size = 0, local = 0;
    const row              *r = find_row(callee, count);
    if (!r) return ILC_OK;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t each;
        if (!ilc__fold_size(f, args[i], &each)) return ILC_OK;
        if (i && strcmp(r->name, "BitCast") == 0 && each != size) return ILC_OK;
        size = each;
    }
    *done = true;
    if (strcmp(r->name, "ByteOffset") == 0) {
        add_byte_offset(f, callee);
        return ILC_OK;
    }
    if (uses_local(r)) local = ilc__fold_local(f, args[0]);
    for (unsigned i = 0; i < MAX_STEPS && r->steps[i] != END; i++) add_step(f, r->steps[i], args, count, size, local);
    return ILC_OK;
}

static bool is_float(const ilc__type *type)
{
    return type->kind == ILC__ET_R4 || type->kind == ILC__ET_R8;
}

static ilc_status fold_helper(ilc__folder *f, const ilc__callee *callee, bool *done)
{
    uint32_t         size;
    const ilc__type *type = callee->def && callee->def->method_arg_count == 1 ? callee->def->method_args[0] : NULL;
    if (strcmp(callee->name, "IsKnownConstant") == 0 && callee->sig.param_count == 1) {
        ilc__fold_add(f, ILC__IL_POP);
        ilc__fold_number(f, 0);
        *done = true;
    } else if (type && callee->sig.param_count == 0 && ilc__fold_size(f, type, &size)) {
        bool asks_references = strcmp(callee->name, "IsReferenceOrContainsReferences") == 0;
        bool asks_bits = strcmp(callee->name, "IsBitwiseEquatable") == 0 && ilc__type_storage(type) != ILC_STORAGE_COUNT;
        if (asks_references) ilc__fold_number(f, 0);
        if (asks_bits) ilc__fold_number(f, !is_float(type));
        *done = asks_references || asks_bits;
    }
    return ILC_OK;
}

/* The method of a type by name and parameters; NULL where there is none. */
static ilc_status method_of(const ilc__typedef *def, const char *name, const ilc__generics *generics, const ilc__type *const *params,
                            uint32_t count, const ilc__method **out)
{
    *out = NULL;
    for (uint32_t i = 0; def && i < def->method_count; i++) {
        const ilc__method *method;
        ILC__TRY(ilc__image_method(def->image, ilc__typedef_member(def, ILC__T_METHODDEF, i), &method));
        if (strcmp(method->name, name) != 0 || method->sig.param_count != count) continue;
        ILC__TRY(ilc__method_instance(method, generics, &method));
        bool same = true;
        for (uint32_t k = 0; k < count; k++) same = same && ilc__type_same(method->sig.params[k], params[k]);
        if (same) *out = method;
        if (same) return ILC_OK;
    }
    return ILC_OK;
}

/* Math.SinCos(x), which the runtime has: (Sin(x), Cos(x)). */
static ilc_status fold_sincos(ilc__folder *f, const ilc__callee *callee, bool *done)
{
    const ilc__method   *sin, *cos, *tuple;
    const ilc__type     *ret = callee->sig.ret;
    const ilc__generics  none = {0};
    bool known = strcmp(callee->name, "SinCos") == 0 && callee->def && callee->sig.param_count == 1 && ret->kind == ILC__ET_GENERICINST &&
                 ret->def && ret->arg_count == 2;
    if (!known) return ILC_OK;
    const ilc__generics args = {.type_args = ret->args, .type_arg_count = 2};
    ILC__TRY(method_of(callee->def->owner, "Sin", &none, callee->sig.params, 1, &sin));
    ILC__TRY(method_of(callee->def->owner, "Cos", &none, callee->sig.params, 1, &cos));
    ILC__TRY(method_of(ret->def, ".ctor", &args, ret->args, 2, &tuple));
    if (!sin || !cos || !tuple) return ILC_OK;
    uint32_t local = ilc__fold_local(f, callee->sig.params[0]);
    add_local(f, ILC__IL_STLOC, local);
    add_local(f, ILC__IL_LDLOC, local);
    ilc__fold_add(f, ILC__IL_CALL)->u.call.form = sin;
    add_local(f, ILC__IL_LDLOC, local);
    ilc__fold_add(f, ILC__IL_CALL)->u.call.form = cos;
    ilc__fold_add(f, ILC__IL_NEWOBJ)->u.call.form = tuple;
    *done = true;
    return ILC_OK;
}

ilc_status ilc__fold_intrinsic(ilc__folder *f, const ilc__callee *callee, bool *done)
{
    uint32_t size;
    if (strcmp(callee->type_name, "System.Runtime.CompilerServices.RuntimeHelpers") == 0) return fold_helper(f, callee, done);
    if (strcmp(callee->type_name, "System.Math") == 0 || strcmp(callee->type_name, "System.MathF") == 0) return fold_sincos(f, callee, done);
    if (strcmp(callee->type_name, "System.Runtime.CompilerServices.Unsafe") != 0) return ILC_OK;
    if (strcmp(callee->name, "SizeOf") == 0 && callee->def && callee->def->method_arg_count == 1 &&
        ilc__fold_size(f, callee->def->method_args[0], &size)) {
        ilc__fold_number(f, (int32_t)size);
        *done = true;
        return ILC_OK;
    }
    return fold_unsafe(f, callee, done);
}
