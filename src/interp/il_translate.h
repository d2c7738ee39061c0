/* il_translate.h - the state shared by the parts of the translator: the walk over blocks (il_translate.c) and single
 * instructions (il_step.c, il_calls.c). */
#ifndef ILC_INTERP_IL_TRANSLATE_H
#define ILC_INTERP_IL_TRANSLATE_H

#include "interp/il_code.h"

/* What is known of a stack slot before it runs. */
typedef struct ilc__il_cell {
    uint8_t     kind;   /* ilc__il_kind                                     */
    uint8_t     elem;   /* ARRAY, ADDR without layout: ilc_storage          */
    uint8_t     rank, nested; /* ARRAY: as of ilc__il_variable              */
    bool        known;  /* I4: number; STRING: text                         */
    bool        is_ldc; /* as an ldc.i4 pushed it, in this block and not duplicated since */
    int32_t     number;
    const char *text;
    bool        own;    /* ADDR: may be of the frame's memory               */
    bool        pointer; /* ADDR: unmanaged                                 */
    bool        span;    /* ARRAY: a span; ADDR: of a variable that holds one */
    const ilc__layout *layout; /* STRUCT; ARRAY of, ADDR to a structure     */
} ilc__il_cell;

/* Where the structure on the stack at a depth has its copy. */
typedef struct ilc__il_temporary {
    uint32_t size, offset;
} ilc__il_temporary;

typedef struct ilc__il_entry { /* the stack where an instruction is branched to */
    bool     present, queued;
    uint32_t depth;
    ilc__il_cell *cells;
} ilc__il_entry;

typedef struct ilc__il_translator {
    ilc__il_machine *machine;
    ilc__il_code    *code;
    ilc__arena      *arena;
    const ilc__insn *insn; /* at work   */
    uint32_t         number;
    bool             emitting;
    ilc__il_cell    *cells; /* max_stack */
    uint32_t         depth;
    ilc__il_temporary *temporaries; /* max_stack + 1 */
    bool            *leaders, *reached;
    ilc__il_entry   *entries;
    uint64_t         cell_count; /* of all entries */
    ILC__VEC(uint32_t) work;
    uint32_t        *op_at; /* first op of each instruction */
    bool             first; /* the next op is its instruction's first */
    ILC__VEC(uint32_t) patches; /* ops whose target is still an instruction's number */
    ilc__il_op       nowhere;
} ilc__il_translator;

ilc_status ilc__il_step(ilc__il_translator *t);
ilc_status ilc__il_step_call(ilc__il_translator *t);
/* il_throw_if.c: methods of the framework that throw if something holds */
bool       ilc__il_is_throw_if(const ilc__callee *callee);
ilc_status ilc__il_throw_if(ilc__il_translator *t, const ilc__callee *callee);
ilc_status ilc__il_step_new(ilc__il_translator *t);
/* il_own.c: classes of the program's own that derive from known exceptions; objects of numbers */
bool       ilc__il_is_own_exception(const ilc__type *type);
ilc_status ilc__il_step_box(ilc__il_translator *t);
/* il_memory.c: addresses. il_struct.c: fields, and what else there is of structures. */
ilc_status ilc__il_step_address(ilc__il_translator *t, bool local);
ilc_status ilc__il_step_memory(ilc__il_translator *t); /* ILC_UNSUPPORTED for all that is not known */
ilc_status ilc__il_step_field(ilc__il_translator *t);
/* il_pointer.c. Operands of which one is an address; *result: the address that comes of them, or of no kind. */
bool       ilc__il_has_address(ilc__il_translator *t, uint32_t count);
ilc_status ilc__il_pointer_operands(ilc__il_translator *t, uint32_t count, ilc__il_plan *plan, ilc__il_cell *result);
void       ilc__il_keep_zero(ilc__il_translator *t, const ilc__il_cell *before);
/* Before an access of v's size at `below`'s address + offset, where that is a pointer. */
void       ilc__il_check_access(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v, uint32_t offset);
/* A pointer, or a constant 0, for a pointer or by-ref variable; false: it is neither. */
bool       ilc__il_assign_address(ilc__il_translator *t, const ilc__il_cell *value, uint32_t slot,
                                  const ilc__il_variable *to);
/* il_init.c: a field of the type whose initialiser is run */
ilc_status ilc__il_step_place(ilc__il_translator *t, const ilc__field *field, bool is_store);
/* il_new.c */
ilc_status ilc__il_step_static(ilc__il_translator *t);
ilc_status ilc__il_step_data(ilc__il_translator *t); /* ldsflda */
ilc_status ilc__il_step_new_array(ilc__il_translator *t);
ilc_status ilc__il_step_localloc(ilc__il_translator *t);
ilc_status ilc__il_step_token(ilc__il_translator *t);
bool       ilc__il_is_initializer(const ilc__callee *callee);
ilc_status ilc__il_step_initialize(ilc__il_translator *t);
ilc_status ilc__il_step_bytes(ilc__il_translator *t);
ilc_status ilc__il_step_sizeof(ilc__il_translator *t);
ilc_status ilc__il_step_struct_element(ilc__il_translator *t, const ilc__il_variable *element);
/* newobj and call of a structure's constructor: its arguments are on the stack and are of their types already. */
ilc_status ilc__il_new_struct(ilc__il_translator *t, const ilc__callee *callee, const ilc__method *body);
bool       ilc__il_is_tuple_constructor(const ilc__callee *callee);
ilc_status ilc__il_fill_tuple(ilc__il_translator *t, const ilc__callee *callee);

/* il_span.c; false: no span type */
bool       ilc__il_describe_span(const ilc__type *type, ilc__il_variable *out);
ilc_status ilc__il_step_span_call(ilc__il_translator *t, const ilc__callee *callee, bool *known);
/* il_array.c */
bool       ilc__il_describe_array(const ilc__type *type, ilc__il_variable *out); /* of numbers */
bool       ilc__il_is_array_of(const ilc__il_cell *cell, const ilc__il_variable *v); /* or null */
ilc_status ilc__il_step_array_call(ilc__il_translator *t, const ilc__callee *callee, bool *known);
ilc_status ilc__il_step_inner_array(ilc__il_translator *t);

/* The stack before it runs. `below` counts from the top, which is 0. */
ilc_status    ilc__il_need(ilc__il_translator *t, uint32_t count);
ilc_status    ilc__il_push(ilc__il_translator *t, ilc__il_kind kind);
ilc_status    ilc__il_push_cell(ilc__il_translator *t, ilc__il_cell value);
uint32_t      ilc__il_slot_at(const ilc__il_translator *t, uint32_t below);
ilc__il_cell *ilc__il_cell_at(ilc__il_translator *t, uint32_t below);
/* Pushes a constant. */
ilc_status ilc__il_constant(ilc__il_translator *t, ilc__il_cell value, uint64_t bits);
/* Emits what makes the value in a slot one of a storage, or of an array type. */
ilc_status ilc__il_assign(ilc__il_translator *t, const ilc__il_cell *value, uint32_t slot, const ilc__il_variable *to);
/* What a type is to the judge; *out's kind is ILC__K_NONE where it is nothing. Fails for a structure whose layout is
 * refused. */
ilc_status ilc__il_describe(ilc__il_translator *t, const ilc__type *type, ilc__il_variable *out);
/* The same for an argument: also the program's own exceptions, and System.Exception, which is always null (K_NULL). */
ilc_status ilc__il_describe_parameter(ilc__il_translator *t, const ilc__type *type, ilc__il_variable *out);
ilc__il_cell ilc__il_cell_of(const ilc__il_variable *v);
/* The slot of an instruction's argument or local, which is of a type that the judge knows. */
ilc_status ilc__il_variable_of_operand(ilc__il_translator *t, bool local, uint32_t *slot);
/* A place in the frame's memory for a variable that has none yet. */
ilc_status ilc__il_place(ilc__il_translator *t, ilc__il_variable *v, uint32_t size);
ilc_status ilc__il_scan_variables(ilc__il_translator *t);
ilc_status ilc__il_place_temporaries(ilc__il_translator *t);
/* Emits what moves parameters to the frame's memory, before the first instruction. */
void ilc__il_take_parameters(ilc__il_translator *t);
/* The type that an instruction's token names; refused where the judge does not know it. */
ilc_status ilc__il_token_type(ilc__il_translator *t, ilc__il_variable *out);
/* Copies the structure whose address is on the stack `below` the top to where its slot has its copy. */
void ilc__il_own(ilc__il_translator *t, uint32_t below, const ilc__layout *layout);
/* Where a structure at a depth has its copy. */
uint32_t ilc__il_temporary_at(ilc__il_translator *t, uint32_t depth, uint32_t size);
/* Moves a value (a number that is already one of the storage, a structure) to or from slot `from`'s address +
 * offset. A structure is read as an address, for ilc__il_own. */
void ilc__il_get(ilc__il_translator *t, const ilc__il_variable *v, uint32_t d, uint32_t from, uint32_t offset);
void ilc__il_put(ilc__il_translator *t, const ilc__il_variable *v, uint32_t d, uint32_t from, uint32_t offset);
void ilc__il_address(ilc__il_translator *t, uint32_t d, uint32_t from, uint32_t offset);
void ilc__il_offset(ilc__il_translator *t, uint32_t d, uint32_t from, uint32_t offset); /* of a pointer, also null */
void ilc__il_copy(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t to, uint32_t size);
/* The address of the element whose index is at `below`, where its array was. */
void ilc__il_element_address(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v);

const char     *ilc__il_kind_name(ilc__il_kind kind);
ilc__il_element ilc__il_element_of(ilc_storage storage);
bool            ilc__il_same_width(ilc_storage a, ilc_storage b); /* and both floats or neither */
/* Index at `below`, array under it: III.4.7, 4.8, 4.26. v: the element. */
ilc_status ilc__il_check_element(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v);
ilc_status ilc__il_wrong_kinds(ilc__il_translator *t, ilc__il_kind left, ilc__il_kind right);
/* ILC_UNSUPPORTED or ILC_FORMAT at the instruction at work. */
ilc_status ilc__il_refuse(ilc__il_translator *t, ilc_status status, const char *format, ...) ILC__PRINTF(3, 4);
/* Adds an operation while emitting; in the first walk an op that is thrown away. */
ilc__il_op *ilc__il_emit(ilc__il_translator *t, uint32_t op, uint32_t d);
/* The stack as it is now reaches an instruction. */
ilc_status ilc__il_reach(ilc__il_translator *t, uint32_t target);
/* A branch operation (a row or DO_JUMP) to an instruction: joins its stack, by way of conversions if need be. */
ilc_status ilc__il_branch(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t target);
ilc_status ilc__il_branch_table(ilc__il_translator *t, uint32_t d, uint32_t count, const uint32_t *targets);

#endif
