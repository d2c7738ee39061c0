/* il_init.c - a type initialiser run by the judge, for statics.c: what it leaves in the type's fields that hold numbers or
 * arrays of numbers. The fields are places of the run, which code that it calls reads and writes as well; where anything
 * else is set or met, nothing is known. */
#include "interp/il_translate.h"

enum { FUEL = 1 << 20, MAX_BYTES = 1 << 16 };

typedef struct ilc__il_place_of { /* a field */
    const ilc__field *field;
    bool              is_array;
    uint64_t          bits;
} place;

static const ilc__il_variable word = {.kind = ILC__K_I8, .storage = ILC_I64};

static place *place_of(ilc__il_machine *machine, const ilc__field *field, bool is_array)
{
    place *found = ilc__map_get(&machine->places, &field, sizeof field);
    if (found) return found;
    found = ILC__NEW(machine->arena, place);
    *found = (place){.field = field, .is_array = is_array};
    ilc__map_put(&machine->places, &field, sizeof field, found);
    ILC__PUSH(machine->arena, &machine->set, found);
    return found;
}

ilc_status ilc__il_step_place(ilc__il_translator *t, const ilc__field *field, bool is_store)
{
    ilc__il_variable v;
    ILC__TRY(ilc__il_describe(t, field->type, &v));
    bool is_array = v.kind == ILC__K_ARRAY && !v.layout && !v.rank && !v.nested && !v.is_span;
    if (!is_array && (v.kind < ILC__K_I4 || v.kind > ILC__K_R8))
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "the static field %s of type %s", field->name, field->type->name);
    const ilc__il_variable *kept = is_array ? &word : &v;
    uint32_t                scratch = t->code->stack_first + t->code->body.max_stack + 1;
    if (is_store) {
        ILC__TRY(ilc__il_need(t, 1));
        ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), &v));
    } else {
        ILC__TRY(ilc__il_push_cell(t, ilc__il_cell_of(&v)));
    }
    ilc__il_emit(t, ILC__DO_CONST, scratch)->u.bits = (uint64_t)(uintptr_t)&place_of(t->machine, field, is_array)->bits;
    if (is_store) ilc__il_put(t, kept, ilc__il_slot_at(t, 0), scratch, 0);
    else ilc__il_get(t, kept, ilc__il_slot_at(t, 0), scratch, 0);
    if (is_store) t->depth--;
    return ILC_OK;
}

/* An array that the run made, and that no other field holds. */
static bool is_own_array(const ilc__il_machine *machine, const place *p)
{
    const ilc_array *array = (const ilc_array *)(uintptr_t)p->bits;
    if (!array || !ilc__il_is_inside(machine, p->bits, sizeof *array)) return false;
    for (uint32_t i = 0; i < machine->set.count; i++)
        if (machine->set.items[i] != p && machine->set.items[i]->bits == p->bits) return false;
    return (uint64_t)array->length * ilc_storage_size(array->elem) <= MAX_BYTES;
}

static ilc__initialised result_of(ilc__arena *arena, const ilc__il_machine *machine, const place *p)
{
    ilc__initialised out = {.field = p->field, .is_known = true, .bits = p->bits};
    if (!p->is_array) return out;
    out.is_known = is_own_array(machine, p);
    if (!out.is_known) return out;
    out.array = *(const ilc_array *)(uintptr_t)p->bits;
    size_t size = (size_t)out.array.length * ilc_storage_size(out.array.elem);
    void  *data = ILC__NEW_ARRAY(arena, uint64_t, size / 8 + 1);
    if (size) memcpy(data, out.array.data, size);
    out.array.data = data;
    return out;
}

bool ilc__il_initialise(ilc__context *ctx, ilc__arena *arena, const ilc__method *initialiser, uint32_t *count, ilc__initialised **out)
{
    ilc__arena          scratch;
    ilc_outcome         outcome;
    ilc__interp_options options = {.fuel = FUEL};
    uint32_t            before = ctx->diags.count;
    ilc__arena_init(&scratch, &ctx->heap);
    ilc__il_machine *machine = ilc__il_machine_create(ctx, &scratch);
    ilc__statics_run_by(machine->statics, NULL); /* initialisers of other types are only read */
    machine->initialised = initialiser->owner;
    machine->places.arena = &scratch;
    bool done = ilc__il_call(machine, initialiser, NULL, 0, &options, &outcome) == ILC_OK && !outcome.trapped;
    ctx->diags.count = before;
    if (done) {
        *count = machine->set.count;
        *out = ILC__NEW_ARRAY(arena, ilc__initialised, machine->set.count);
        for (uint32_t i = 0; i < machine->set.count; i++) (*out)[i] = result_of(arena, machine, machine->set.items[i]);
    }
    ilc__arena_free(&scratch);
    return done;
}
