/* body.c - a whole method body (ECMA-335 II.25.4): header, code, locals, exception clauses, all checked. */
#include "il/decode.h"
#include "il/instance.h"
#include "meta/image.h"

enum {
    TINY = 2,
    FAT = 3,
    FORMAT_MASK = 3,
    MORE_SECTIONS = 8,
    INIT_LOCALS = 0x10,
    FAT_WORDS = 3,
    TINY_STACK = 8
};
enum { SECTION_CLAUSES = 1, SECTION_FAT = 0x40, SECTION_MORE = 0x80, SMALL_CLAUSE = 12, FAT_CLAUSE = 24 };
enum { CODE_MAX = 16 << 20, LOCALS_MAX = 0xFFFF, SECTIONS_MAX = 16 };
enum { CLAUSE_CATCH = 0, CLAUSE_FILTER = 1, CLAUSE_FINALLY = 2, CLAUSE_FAULT = 4 };
enum { IMPL_CODE_TYPE = 3, IMPL_INTERNAL_CALL = 0x1000 };

typedef struct loader {
    ilc__context      *ctx;
    ilc__arena        *arena;
    const ilc__method *method;
    const uint8_t     *start; /* of the header */
    ilc__reader        r;     /* header, then the sections after the code */
    ilc__reader        code;
    bool               more_sections;
    uint32_t           locals_token;
    ilc__body         *out;
} loader;

static ilc_status fail(const loader *l, const char *what)
{
    ilc__where where = {.path = ilc__image_path(l->method->image),
                        .method = l->method->full_name,
                        .token = 0x06000000u | l->method->row};
    return ilc__fail(l->ctx, ILC_FORMAT, &where, "the body was broken: %s", what);
}

static ilc_status fail_at(const loader *l, uint32_t il, const char *what)
{
    ilc__where where = ilc__method_where(l->method, il);
    return ilc__fail(l->ctx, ILC_FORMAT, &where, "the body was broken: %s", what);
}

/* II.25.4.2, II.25.4.3 */
static ilc_status read_header(loader *l)
{
    uint8_t  first;
    uint16_t flags, max_stack;
    if (!ilc__read_u8(&l->r, &first)) return fail(l, "its header was cut short");
    if ((first & FORMAT_MASK) == TINY) {
        l->out->max_stack = TINY_STACK;
        l->out->code_size = first >> 2;
        return ILC_OK;
    }
    if ((first & FORMAT_MASK) != FAT) return fail(l, "its header was of an unknown kind");
    l->r.at--;
    if (!ilc__read_u16(&l->r, &flags) || !ilc__read_u16(&l->r, &max_stack) ||
        !ilc__read_u32(&l->r, &l->out->code_size) || !ilc__read_u32(&l->r, &l->locals_token))
        return fail(l, "its header was cut short");
    unsigned words = flags >> 12;
    if (words < FAT_WORDS || !ilc__skip(&l->r, (size_t)(words - FAT_WORDS) * 4))
        return fail(l, "its header was cut short");
    l->out->max_stack = max_stack;
    l->out->init_locals = flags & INIT_LOCALS;
    l->more_sections = flags & MORE_SECTIONS;
    return ILC_OK;
}

static ilc_status read_code(loader *l)
{
    static const char *const faults[] = {"", "an instruction was cut short", "there was no such instruction",
                                         "a switch had more targets than there is code"};
    ilc__body               *out = l->out;
    ILC__VEC(ilc__insn) insns = {0};
    uint32_t *index = ILC__NEW_ARRAY(l->arena, uint32_t, out->code_size);
    memset(index, 0xFF, out->code_size * sizeof *index);
    const uint8_t *base = l->code.at;
    while (ilc__left(&l->code)) {
        ilc__insn         insn;
        ilc__decode_fault fault = ilc__insn_decode(l->arena, &l->code, base, &insn);
        if (fault != ILC__DECODE_OK) return fail_at(l, insn.offset, faults[fault]);
        index[insn.offset] = insns.count;
        ILC__PUSH(l->arena, &insns, insn);
    }
    out->insns = insns.items;
    out->insn_count = insns.count;
    out->index = index;
    return ILC_OK;
}

static bool is_start(const ilc__body *body, uint32_t offset)
{
    return offset < body->code_size && body->index[offset] != UINT32_MAX;
}

static bool is_branch(ilc__operand operand)
{
    return operand == ILC__OPERAND_BR1 || operand == ILC__OPERAND_BR4 || operand == ILC__OPERAND_SWITCH;
}

/* III.1.7.2: targets are the first bytes of instructions; III.1.7.4: code never ends in an ordinary one. */
static ilc_status check_flow(const loader *l)
{
    const ilc__body *body = l->out;
    for (uint32_t i = 0; i < body->insn_count; i++) {
        const ilc__insn *insn = &body->insns[i];
        if (!is_branch(ilc__opcode_operand(insn->op))) continue;
        for (uint32_t k = 0; k < insn->u.branch.count; k++)
            if (!is_start(body, insn->u.branch.targets[k]))
                return fail_at(l, insn->offset, "a branch led to no instruction");
    }
    if (!body->insn_count) return fail(l, "it had no code");
    const ilc__insn *last = &body->insns[body->insn_count - 1];
    ilc__flow        flow = ilc__opcode_flow(last->op);
    if (flow != ILC__FLOW_BRANCH && flow != ILC__FLOW_RETURN && flow != ILC__FLOW_THROW)
        return fail_at(l, last->offset, "control ran off its end");
    return ILC_OK;
}

static ilc_status check_variables(const loader *l)
{
    const ilc__body *body = l->out;
    uint32_t args = l->method->sig.param_count + (l->method->sig.has_this && !l->method->sig.explicit_this);
    for (uint32_t i = 0; i < body->insn_count; i++) {
        const ilc__insn *insn = &body->insns[i];
        ilc__variable    variable = ilc__opcode_variable(insn->op);
        if (variable == ILC__VARIABLE_ARG && insn->u.i >= args)
            return fail_at(l, insn->offset, "there was no such argument");
        if (variable == ILC__VARIABLE_LOCAL && insn->u.i >= body->local_count)
            return fail_at(l, insn->offset, "there was no such local");
    }
    return ILC_OK;
}

/* --- clauses -------------------------------------------------------------------------------------------- */

static bool read_clause(ilc__reader *r, bool fat, ilc__clause *out, uint32_t *try_length,
                        uint32_t *handler_length)
{
    uint64_t             v[6];
    static const uint8_t sizes[2][6] = {{2, 2, 1, 2, 1, 4}, {4, 4, 4, 4, 4, 4}};
    for (int i = 0; i < 6; i++)
        if (!ilc__read_uint(r, sizes[fat][i], &v[i])) return false;
    *out =
        (ilc__clause){.kind = (uint32_t)v[0], .try_start = (uint32_t)v[1], .handler_start = (uint32_t)v[3]};
    *try_length = (uint32_t)v[2];
    *handler_length = (uint32_t)v[4];
    if (out->kind == CLAUSE_FILTER) out->filter_start = (uint32_t)v[5];
    if (out->kind == CLAUSE_CATCH) out->class_token = (uint32_t)v[5];
    return true;
}

static bool check_range(const ilc__body *body, uint32_t start, uint32_t length, uint32_t *end)
{
    if (!is_start(body, start) || length == 0 || length > body->code_size - start) return false;
    *end = start + length;
    return *end == body->code_size || is_start(body, *end);
}

static ilc_status add_clause(loader *l, bool fat, ilc__reader *r, ilc__clause *clause)
{
    uint32_t try_length, handler_length;
    if (!read_clause(r, fat, clause, &try_length, &handler_length)) return fail(l, "a clause was cut short");
    bool known = clause->kind <= CLAUSE_FINALLY || clause->kind == CLAUSE_FAULT;
    if (!known || !check_range(l->out, clause->try_start, try_length, &clause->try_end) ||
        !check_range(l->out, clause->handler_start, handler_length, &clause->handler_end) ||
        (clause->kind == CLAUSE_FILTER && !is_start(l->out, clause->filter_start)))
        return fail_at(l, clause->try_start, "an exception clause was not valid");
    return ILC_OK;
}

/* II.25.4.5, II.25.4.6: sections follow the code, each at a multiple of four. */
static ilc_status read_sections(loader *l)
{
    ILC__VEC(ilc__clause) clauses = {0};
    bool more = l->more_sections;
    for (unsigned i = 0; more; i++) {
        uint8_t  kind, small_size;
        uint64_t size;
        size_t   position = (size_t)(l->r.at - l->start);
        if (i == SECTIONS_MAX) return fail(l, "it had too many sections");
        if (!ilc__skip(&l->r, (4 - position % 4) % 4)) return fail(l, "a section was cut short");
        if (!ilc__read_u8(&l->r, &kind)) return fail(l, "a section was cut short");
        bool fat = kind & SECTION_FAT;
        if (fat ? !ilc__read_uint(&l->r, 3, &size)
                : !(ilc__read_u8(&l->r, &small_size) && ilc__skip(&l->r, 2)))
            return fail(l, "a section was cut short");
        if (!fat) size = small_size;
        more = kind & SECTION_MORE;
        if (size < 4 || size - 4 > ilc__left(&l->r)) return fail(l, "a section was cut short");
        ilc__reader r = ilc__reader_of(l->r.at, (size_t)size - 4);
        ilc__skip(&l->r, (size_t)size - 4);
        if (!(kind & SECTION_CLAUSES)) continue;
        for (size_t count = ilc__left(&r) / (fat ? FAT_CLAUSE : SMALL_CLAUSE); count; count--) {
            ilc__clause clause;
            ILC__TRY(add_clause(l, fat, &r, &clause));
            ILC__PUSH(l->arena, &clauses, clause);
        }
    }
    l->out->clauses = clauses.items;
    l->out->clause_count = clauses.count;
    return ILC_OK;
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static ilc_status refuse_without_code(ilc__context *ctx, const ilc__method *method)
{
    ilc__where  where = {.path = ilc__image_path(method->image),
                         .method = method->full_name,
                         .token = 0x06000000u | method->row};
    const char *what = NULL;
    if (method->flags & ILC__METHOD_ABSTRACT)
        what = "the method is abstract";
    else if (method->flags & ILC__METHOD_PINVOKE)
        what = "the method is in a native library";
    else if (method->impl_flags & (IMPL_CODE_TYPE | IMPL_INTERNAL_CALL) || method->rva == 0)
        what = "the method has no IL: the runtime provides it";
    return what ? ilc__fail(ctx, ILC_UNSUPPORTED, &where, "%s", what) : ILC_OK;
}

ilc_status ilc__body_decode(ilc__context *ctx, ilc__arena *arena, const ilc__method *method, ilc__body *out)
{
    const uint8_t *bytes;
    size_t         size;
    if (method->form_of) {
        ILC__TRY(ilc__body_decode(ctx, arena, method->form_of, out));
        return ilc__form_body(arena, method, out);
    }
    *out = (ilc__body){.method = method};
    ILC__TRY(refuse_without_code(ctx, method));
    ILC__TRY(ilc__image_body_bytes(method->image, method, &bytes, &size));
    loader l = {.ctx = ctx,
                .arena = arena,
                .method = method,
                .start = bytes,
                .r = ilc__reader_of(bytes, size),
                .out = out};
    ILC__TRY(read_header(&l));
    if (out->code_size > CODE_MAX || out->code_size > ilc__left(&l.r))
        return fail(&l, "its code ran past the end");
    l.code = ilc__reader_of(l.r.at, out->code_size);
    ilc__skip(&l.r, out->code_size);
    ILC__TRY(read_code(&l));
    ILC__TRY(check_flow(&l));
    if (l.locals_token)
        ILC__TRY(ilc__resolve_locals(method->image, l.locals_token, method, &out->local_count, &out->locals,
                                     &out->pinned));
    ILC__TRY(check_variables(&l));
    return read_sections(&l);
}

bool ilc__body_makes_arrays(const ilc__body *body)
{
    for (uint32_t i = 0; i < body->insn_count; i++)
        if (body->insns[i].op == ILC__IL_NEWARR) return true;
    return false;
}

/* --- what stands behind a call -------------------------------------------------------------------------------------- */

/* The local that the instruction loads, or stores into; UINT32_MAX for others. */
static uint32_t local_of(const ilc__insn *insn, bool stores)
{
    uint32_t first = stores ? ILC__IL_STLOC_0 : ILC__IL_LDLOC_0;
    if (insn->op >= first && insn->op <= first + 3) return insn->op - first;
    bool named = stores ? insn->op == ILC__IL_STLOC_S || insn->op == ILC__IL_STLOC : insn->op == ILC__IL_LDLOC_S || insn->op == ILC__IL_LDLOC;
    return named ? (uint32_t)insn->u.i : UINT32_MAX;
}

bool ilc__body_only_returns(const ilc__body *body, uint32_t number)
{
    enum { MOST = 16 }; /* instructions on the way: a ring of jumps has no end */
    const ilc__type *ret = body->method->sig.ret;
    uint32_t         holds = UINT32_MAX; /* the local that has the value; none: it lies on the stack */
    for (uint32_t step = 0; step < MOST && number < body->insn_count; step++) {
        const ilc__insn *insn = &body->insns[number++];
        uint32_t         stored = local_of(insn, true);
        if (insn->op == ILC__IL_RET) return holds == UINT32_MAX;
        if (insn->op == ILC__IL_NOP) continue;
        if (insn->op == ILC__IL_BR || insn->op == ILC__IL_BR_S) {
            number = body->index[insn->u.branch.targets[0]];
        } else if (holds == UINT32_MAX && stored < body->local_count && ilc__type_same(body->locals[stored], ret)) {
            holds = stored;
        } else if (holds != UINT32_MAX && local_of(insn, false) == holds) {
            holds = UINT32_MAX;
        } else {
            return false;
        }
    }
    return false;
}
