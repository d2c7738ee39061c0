/* lift.h - the parts of the lifter (lift*.c) among themselves.
 *
 * lift.c        a root and its callees; cycles; order        lift_flow.c   blocks of IL, reachability, liveness
 * lift_func.c   one method: blocks, variables, phis          lift_stack.c  the typed stack, implicit conversions
 * lift_edges.c  stack values across edges                    lift_ops.c    arithmetic, compares, branches, ...
 * lift_conv.c   conv.*                                       lift_call.c   calls
 * lift_exception.c exceptions that code makes and throws
 * lift_guard.c  ArgumentNullException.ThrowIfNull and its kind
 * lift_memory.c addresses, slots, ldind, stind               lift_struct.c structs and their fields
 * lift_array.c  arrays of higher rank, arrays in arrays     subset.c      which instructions are taken
 * lift_pointer.c unmanaged pointers                         lift_new.c    arrays that a method makes
 * lift_span.c   spans
 * lift_result.c no address of the frame is returned         lift_names.c  names of locals */
#ifndef ILC_IR_LIFT_H
#define ILC_IR_LIFT_H

#include "ir/ir.h"
#include "meta/layout.h"

/* One place of the evaluation stack. VOID is a string, which only an exception's constructor and parameters may take:
 * a constant (text), or its number in the unit's strings (ref). A REF whose element is VOID is the null constant. A struct is the ADDR of a temporary slot of its own,
 * which nothing else refers to. */
typedef struct ilc__lift_slot {
    ilc__ir_type type;
    ilc_storage  elem; /* REF; ADDR: what it points to when layout is NULL */
    uint8_t      rank, nested; /* REF: as in ilc__ir_var */
    bool         is_struct;
    bool         is_span;      /* REF */
    uint32_t     span_var;     /* ADDR, is_struct, without layout: the address of this variable, a span */
    const ilc__layout *layout; /* ADDR; REF: of the elements, elem is STRUCT */
    bool         is_pointer;   /* ADDR: unmanaged: whatever is read there says its own type */
    ilc__ref     ref;  /* 0 for strings */
    const char  *text; /* strings */
    const ilc__field *field; /* of type VOID: the field that ldtoken named */
    bool         is_ldc;       /* as an ldc.i4 pushed it, in this block and not duplicated since */
} ilc__lift_slot;

/* The edges from one block of IL to another (a switch may have several). */
typedef struct ilc__lift_edge {
    uint32_t  from;       /* block of IL */
    uint32_t  place;      /* IR block that ends in a jump to the target: where its copies go; NO_BLOCK at first */
    ilc__ref *stack_args; /* what the target's stack phis get, by stack slot */
} ilc__lift_edge;

typedef struct ilc__lift_phi {
    uint32_t var;
    ilc__ref ref;
} ilc__lift_phi;

/* Versions by variable stand in pages; what a block does not change it shares with the block before it. */
enum { ILC__LIFT_PAGE = 32 };

typedef struct ilc__lift_block {
    uint32_t        first, end;  /* instructions                                               */
    uint32_t        succ_count;
    uint32_t       *succs;       /* blocks of IL, as the terminator lists them; case targets.. */
    ILC__VEC(ilc__lift_edge) edges; /* into it, one for each source                            */
    bool            reachable, lifted, has_stack, branches; /* branches: to more than one block */
    uint32_t        order;       /* in reverse postorder                                       */
    uint32_t        ir;
    uint32_t        depth, exit_depth;
    ilc__lift_slot *stack, *exit_stack;
    uint32_t       *temps;       /* by stack slot: its temporary variable, or 0                */
    uint32_t       *temp_slots;  /* the same for structs                                       */
    ilc__ref       *stack_phis;  /* by stack slot                                              */
    ILC__VEC(ilc__lift_phi) phis; /* of variables                                              */
    uint32_t        next_edge;   /* the first of edges whose source has not been left yet      */
    const ilc__ref **exit_vars;  /* pages: of each variable its version at the end             */
    uint64_t       *live;        /* variables live at its start, a bit set                     */
} ilc__lift_block;

typedef struct ilc__lift_func ilc__lift_func;
struct ilc__lift_func { /* one function of the unit */
    ilc__ir_func *func;
    ILC__VEC(ilc__lift_func *) callees; /* once for each call, but for those that are loops (opt/tail.c) */
    uint32_t next;          /* of the walk that orders them: the callee to go to */
    uint32_t number, low;   /* of that walk, from 1: Tarjan 1972                 */
    bool     on_stack, calls_itself;
    const ilc__lift_func *from; /* who called it first, and where; NULL of the root */
    uint32_t              from_il;
    const ilc__method    *place; /* of the framework's: the program's method that calls it, and where; else NULL */
    uint32_t              place_il;
};

typedef struct ilc__lifter { /* of the unit */
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__map      by_method; /* method and place -> ilc__lift_func *          */
    ilc__map      by_func;   /* const ilc__ir_func * -> ilc__lift_func *      */
    ILC__VEC(ilc__lift_func *) funcs;
    ilc__layouts *layouts;
    ilc__statics *statics;
    ilc__strings *strings;
} ilc__lifter;

typedef struct ilc__lift { /* one method being lifted */
    ilc__lifter        *unit;
    ilc__lift_func     *entry;
    ilc__ir_func       *func;
    ilc__arena         *arena;
    const ilc__method  *method;
    ilc__body           body;
    const ilc__insn    *insn;  /* the current one */
    uint32_t            block_count;
    ilc__lift_block    *blocks;
    uint32_t           *block_at; /* instruction -> the block that starts there, or NO_BLOCK */
    ILC__VEC(uint32_t)  order;    /* reachable blocks in reverse postorder */
    uint32_t            var_count; /* parameters and locals: 1.. */
    uint32_t           *local_vars; /* local -> variable, 0 where it is a slot or its type is not supported */
    uint32_t           *local_slots; /* local -> slot, or 0 */
    uint32_t           *first_use;  /* local -> IL offset of the first instruction that names it, or UINT32_MAX */
    uint32_t            arg_count;
    uint32_t           *arg_slots;  /* argument -> slot, or 0 */
    uint32_t            temp_count;
    uint64_t            cell_count; /* stack values at block borders so far */
    uint32_t            current;  /* block of IL */
    uint32_t            ir;       /* IR block that values are added to */
    ilc__ref           *vars;     /* the current version of each variable, in whole pages */
    const ilc__ref    **pages;    /* what vars held at the start of the block, where another block has it; or NULL */
    ilc__lift_slot     *stack;
    uint32_t            depth;
    ilc__ref           *initial;  /* versions at the entry */
    ilc__ref            condition; /* of the branch or switch that ends the block */
    bool                inverted;  /* the branch is taken where condition is 0    */
    bool                skip_next; /* conv.r.un took the conv.r4 behind it */
} ilc__lift;

/* lift.c */
/* The function of a method that the current instruction calls, made (its signature, not yet its body) when it is asked for
 * first. The framework's are made for each place of the program that calls them, whose line an exception names. */
ilc_status ilc__lift_function(ilc__lift *l, const ilc__method *method, ilc__lift_func **out);
ilc_status ilc__lift_root(ilc__lifter *unit, const ilc__method *method, ilc__lift_func **out); /* no instruction calls it */

/* lift_func.c */
ilc_status ilc__lift_method(ilc__lifter *unit, ilc__lift_func *entry);
ilc_status ilc__lift_decoded(ilc__lift *l); /* unit, entry, func, arena, method and body are set */
ilc_status ilc__lift_signature(ilc__lifter *unit, ilc__ir_func *func);
uint32_t   ilc__lift_arg_count(const ilc__ir_func *func); /* without the place of a struct result */
ilc_status ilc__lift_refuse(ilc__lift *l, ilc_status status, const char *format, ...) ILC__PRINTF(3, 4);

/* lift_flow.c */
ilc_status ilc__lift_flow(ilc__lift *l);     /* blocks, edges, order */
ilc_status ilc__lift_liveness(ilc__lift *l);
bool       ilc__lift_is_live(const ilc__lift_block *block, uint32_t var);
/* The variable that an ldloc, stloc, ldarg or starg names; 0 for other instructions. */
uint32_t   ilc__lift_variable(const ilc__lift *l, const ilc__insn *insn, bool *writes);

/* lift_stack.c */
ilc__ref   ilc__lift_emit(ilc__lift *l, ilc__op op, ilc__ir_type type, uint32_t count, ilc__ref a, ilc__ref b);
ilc__ref   ilc__lift_const(ilc__lift *l, ilc__ir_type type, uint64_t bits);
ilc_status ilc__lift_push(ilc__lift *l, ilc__lift_slot slot);
ilc_status ilc__lift_push_ref(ilc__lift *l, ilc__ref ref); /* a number */
ilc_status ilc__lift_pop(ilc__lift *l, ilc__lift_slot *out);
ilc_status ilc__lift_pop_number(ilc__lift *l, ilc__lift_slot *out);
const char *ilc__lift_slot_name(ilc__lift *l, ilc__lift_slot slot); /* "int32", "an array of Single" */
ilc_status ilc__lift_refuse_pair(ilc__lift *l, ilc__lift_slot a, ilc__lift_slot b);
ilc_status ilc__lift_pop_pair(ilc__lift *l, ilc__lift_slot *a, ilc__lift_slot *b); /* brought to one type */
ilc__ref   ilc__lift_widen(ilc__lift *l, ilc__lift_slot slot, ilc__ir_type to); /* i32 to i64, f32 to f64  */
/* A string's number in the unit's strings; 0 when it is none. */
ilc__ref   ilc__lift_string_ref(ilc__lift *l, const ilc__lift_slot *slot);
bool       ilc__lift_is_null(const ilc__lift_slot *slot);
/* III.1.6: the value as a variable, argument, element or result of this storage holds it. */
ilc_status ilc__lift_coerce(ilc__lift *l, ilc__lift_slot slot, ilc_storage storage, ilc__ref *out);
/* The same for an array variable or parameter. */
ilc_status ilc__lift_coerce_array(ilc__lift *l, ilc__lift_slot slot, const ilc__ir_var *var, ilc__ref *out);
/* The same for a variable or parameter of any type but a struct. */
ilc_status ilc__lift_coerce_var(ilc__lift *l, ilc__lift_slot slot, const ilc__ir_var *var, ilc__ref *out);
uint32_t   ilc__lift_new_temp(ilc__lift *l, ilc__lift_slot like);
ilc__ref   ilc__lift_copy(ilc__lift *l, ilc__ref ref, uint32_t var);
ilc_status ilc__lift_push_array(ilc__lift *l, ilc__ref ref, const ilc__ir_var *like); /* no span */
ilc_status ilc__lift_load_var(ilc__lift *l, uint32_t var);
ilc_status ilc__lift_store_var(ilc__lift *l, uint32_t var);

/* lift_memory.c */
ilc_status ilc__lift_make_slots(ilc__lift *l); /* for arguments and locals; before the variables of locals */
/* The slot that an instruction of a local or argument names, or 0. */
/* lift_names.c: before versions are made; when all are */
void       ilc__lift_name_locals(ilc__lift *l);
void       ilc__lift_part_names(ilc__lift *l);
uint32_t   ilc__lift_named_slot(const ilc__lift *l, const ilc__insn *insn);
ilc__ref   ilc__lift_slot_addr(ilc__lift *l, uint32_t slot);
ilc_status ilc__lift_push_addr(ilc__lift *l, ilc__ref ref, ilc_storage elem, const ilc__layout *layout);
ilc_status ilc__lift_pop_addr(ilc__lift *l, ilc__lift_slot *out);
/* The address of an element; layout: of the structs that an instruction names. */
ilc_status ilc__lift_element_of(ilc__lift *l, ilc__lift_slot array, ilc__lift_slot index, const ilc__layout *layout,
                                ilc__ref *out);
/* What an instruction's token names: a scalar or a struct. */
ilc_status ilc__lift_token_type(ilc__lift *l, ilc__pointee *out);
/* What lies at an address goes onto the stack; a value of the stack is kept there, converted as a variable does. */
ilc_status ilc__lift_push_at(ilc__lift *l, ilc__ref addr, ilc__pointee what);
ilc_status ilc__lift_keep_at(ilc__lift *l, ilc__ref addr, ilc__pointee what, ilc__lift_slot value);
/* An argument for a by-ref parameter. */
ilc_status ilc__lift_coerce_addr(ilc__lift *l, ilc__lift_slot slot, const ilc__ir_var *param, ilc__ref *out);
bool       ilc__lift_is_memory(ilc__opcode op);
ilc_status ilc__lift_memory(ilc__lift *l);
ilc_status ilc__lift_load_slot(ilc__lift *l, uint32_t slot);
ilc_status ilc__lift_store_slot(ilc__lift *l, uint32_t slot);

/* lift_pointer.c */
bool       ilc__lift_has_address(const ilc__lift *l); /* among the two on top of the stack */
ilc_status ilc__lift_address_arithmetic(ilc__lift *l, ilc__op like); /* ADD_I32, SUB_I32, ...   */
ilc_status ilc__lift_address_compare(ilc__lift *l, ilc__op wide, ilc__ref *out); /* the operation on i64 */
ilc__ref   ilc__lift_address_test(ilc__lift *l, ilc__ref addr);       /* 1 when it is not null     */
ilc_status ilc__lift_address_conversion(ilc__lift *l);
ilc__ref   ilc__lift_retype(ilc__lift *l, ilc__ref addr, ilc__pointee what);
/* A pointer to another type, or a constant 0, as an address of what is wanted; false where it is neither. */
bool       ilc__lift_to_pointer(ilc__lift *l, ilc__lift_slot slot, ilc__pointee want, ilc__ref *out);
void       ilc__lift_test_null(ilc__lift *l, ilc__ref addr); /* before an access, where it may be null */
ilc_status ilc__lift_localloc(ilc__lift *l);
bool       ilc__lift_is_block(ilc__opcode op);
ilc_status ilc__lift_bytes(ilc__lift *l);

/* lift_new.c */
ilc_status ilc__lift_newarr(ilc__lift *l);
ilc_status ilc__lift_token(ilc__lift *l);
bool       ilc__lift_is_initializer(const ilc__callee *callee); /* RuntimeHelpers.InitializeArray */
ilc_status ilc__lift_initialize(ilc__lift *l);
ilc_status ilc__lift_static(ilc__lift *l);        /* ldsfld */
ilc_status ilc__lift_static_address(ilc__lift *l); /* ldsflda */
ilc__ref   ilc__lift_table(ilc__lift *l, const ilc__static *table); /* the array */
ilc_status ilc__lift_static_value(ilc__lift *l, const ilc__static **out);
void       ilc__lift_place_arrays(ilc__lift *l);  /* when all is lifted */
ilc_status ilc__lift_check_results(ilc__lift *l); /* lift_result.c: no address of the frame is returned */

/* lift_struct.c */
uint32_t   ilc__lift_new_temp_slot(ilc__lift *l, const ilc__layout *layout);
ilc_status ilc__lift_push_struct(ilc__lift *l, ilc__ref temp, const ilc__layout *layout); /* temp is its own */
void       ilc__lift_copy_struct(ilc__lift *l, ilc__ref to, ilc__ref from, const ilc__layout *layout);
void       ilc__lift_zero_struct(ilc__lift *l, ilc__ref addr, const ilc__layout *layout);
ilc_status ilc__lift_check_struct(ilc__lift *l, ilc__lift_slot value, const ilc__layout *layout); /* is it one? */
bool       ilc__lift_is_field(ilc__opcode op);
ilc_status ilc__lift_field(ilc__lift *l);
/* `newobj`, or `call` with an address, of System.ValueTuple's constructor, which only stores its arguments. */
bool       ilc__lift_is_tuple(const ilc__callee *callee);
ilc_status ilc__lift_tuple(ilc__lift *l, const ilc__callee *callee);

/* lift_array.c: arrays of higher rank, arrays in arrays, members of System.Array */
bool       ilc__lift_is_array_call(const ilc__callee *callee);
ilc_status ilc__lift_array_call(ilc__lift *l, const ilc__callee *callee);
ilc_status ilc__lift_ldelem_ref(ilc__lift *l);
/* lift_guard.c: the framework's helpers that throw if something holds */
bool       ilc__lift_is_guard(const ilc__callee *callee);
ilc_status ilc__lift_guard(ilc__lift *l, const ilc__callee *callee);
/* What follows stands in a block of its own. */
ilc_status ilc__lift_throw_unless(ilc__lift *l, ilc__ref condition, const char *type, const char *message);

/* lift_span.c. What a span type is to a variable; false for other types. */
bool       ilc__lift_span_type(ilc__lifter *unit, const ilc__type *type, const ilc__where *where, ilc__ir_var *out, ilc_status *status);
bool       ilc__lift_is_span_call(const ilc__callee *callee);
ilc_status ilc__lift_span_element(ilc__lift *l, const ilc__type *span, ilc__lift_slot *out); /* a slot of it, ref not set */
ilc__ref   ilc__lift_span_value(ilc__lift *l, ilc__op op, const ilc__lift_slot *like, uint32_t count, ilc__ref a, ilc__ref b, ilc__ref c);
/* lift_data.c. A property whose body gives what a literal's data is: `static ReadOnlySpan<byte> Table => new byte[] {..}`. */
bool       ilc__lift_is_data(ilc__lift *l, const ilc__callee *callee);
ilc_status ilc__lift_data(ilc__lift *l, const ilc__callee *callee);
ilc_status ilc__lift_field_data(ilc__lift *l, const ilc__field *field, ilc__lift_slot *span); /* span.ref of its element */
ilc_status ilc__lift_span_call(ilc__lift *l, const ilc__callee *callee);
ilc__ref   ilc__lift_empty_span(ilc__lift *l, ilc_storage elem, const ilc__layout *layout);
bool       ilc__lift_is_span_place(const ilc__lift *l); /* ldobj, stobj, initobj of a span's variable */
ilc_status ilc__lift_span_place(ilc__lift *l);

/* lift_exception.c: exceptions are made and thrown */
const char *ilc__lift_exception_base(const ilc__callee *constructor); /* the class of lib.h that it is of; NULL */
ilc_status  ilc__lift_new_exception(ilc__lift *l, const ilc__callee *constructor);
ilc_status  ilc__lift_exception(ilc__lift *l, const ilc__callee *callee, const char *type);
ilc_status  ilc__lift_box(ilc__lift *l);
ilc_status  ilc__lift_throw(ilc__lift *l);

/* lift_edges.c */
uint32_t   ilc__lift_page_count(const ilc__lift *l);
ilc__ref  *ilc__lift_new_versions(ilc__lift *l); /* of all variables, none of them */
ilc_status ilc__lift_enter(ilc__lift *l, uint32_t block); /* versions and stack at a block's start */
ilc_status ilc__lift_leave(ilc__lift *l);                 /* its terminator and edges               */
void       ilc__lift_finish_phis(ilc__lift *l);
void       ilc__lift_settle_again(ilc__lift *l); /* lift_call.c: which calls of itself are loops */

/* subset.c */
bool       ilc__lift_in_subset(ilc__opcode op); /* as subset.def says: else it is refused before lifting */

/* lift_ops.c, lift_conv.c, lift_call.c */
bool       ilc__lift_handles(ilc__opcode op); /* is there code for it? */
ilc_status ilc__lift_insn(ilc__lift *l);
bool       ilc__lift_is_conversion(ilc__opcode op);
ilc_status ilc__lift_conversion(ilc__lift *l);
ilc_status ilc__lift_call(ilc__lift *l);
ilc_status ilc__lift_check_call(ilc__lift *l); /* refuses what cannot be called, before anything is lifted */
ilc_status ilc__lift_newobj(ilc__lift *l);
ilc_status ilc__lift_refuse_object(ilc__lift *l, const ilc__callee *constructor);

#endif
