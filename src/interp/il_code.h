/* il_code.h - a body as the judge runs it, and the machine that holds it. Private to il_*.c.
 *
 * A frame is a row of slots: arguments, locals, evaluation stack. Where each operand lies is known from the
 * IL alone, so an operation names its slots by number: operands from d on, result in d. A callee's frame
 * begins at its arguments on the caller's stack, and its result lies where the first argument was.
 *
 * Slots move when there are more of them, so what has an address lies in the frame's memory, which does not: numbers
 * whose address is taken, all structures, and for each depth of the stack the structure that stands there. A slot
 * behind the locals holds where that memory begins. A structure on the stack is its copy's address. */
#ifndef ILC_INTERP_IL_CODE_H
#define ILC_INTERP_IL_CODE_H

#include "interp/il_arith.h"
#include "interp/il_interp.h"
#include "il/statics.h"
#include "meta/layout.h"

/* How array elements are read onto the stack and written: by width, sign and kind. */
#define ILC__ELEMENTS(X)                                                                                     \
    X(I1, int8_t, I4) X(U1, uint8_t, I4) X(I2, int16_t, I4) X(U2, uint16_t, I4)                               \
    X(I4, int32_t, I4) X(I8, int64_t, I8) X(R4, float, R4) X(R8, double, R8)

typedef enum ilc__il_element {
#define X(id, ctype, kind) ILC__E_##id,
    ILC__ELEMENTS(X)
#undef X
} ilc__il_element;

/* Operations beside the rows of il_arith.def. Those of elements come in the order of ilc__il_element, for an
 * int32 index and, one behind, for a native int. */
typedef enum ilc__il_do {
    ILC__DO_NOP = ILC__ROW_COUNT,
    ILC__DO_MOVE,   /* d = slot u.from      */
    ILC__DO_CONST,  /* d = u.bits           */
    ILC__DO_JUMP,   /* to u.target          */
    ILC__DO_SWITCH, /* d by u.table         */
    ILC__DO_LENGTH,
    ILC__DO_OTHER_NAN_R4, /* d, when it is a NaN, gets other bits */
    ILC__DO_OTHER_NAN_R8,
    ILC__DO_CALL,   /* u.callee, arguments from d on                                       */
    ILC__DO_AGAIN,  /* the method calls itself and returns the result: arguments from d on */
    ILC__DO_RETURN, /* d                    */
    ILC__DO_RETURN_VOID,
    ILC__DO_THROW,  /* d                    */
    ILC__DO_THROW_IF, /* what u.test says */
    ILC__DO_EXCEPTION, /* d = a new exception by u.constructor, whose arguments are from d on */
    ILC__DO_OBJECT,    /* d = a new exception of u.constructor's type, nothing of it constructed */
    ILC__DO_CONSTRUCT, /* exception d by u.constructor, whose arguments are from d + 1 on */
    ILC__DO_LOAD_FIRST,
#define X(id, ctype, kind) ILC__DO_LOAD_##id = ILC__DO_LOAD_FIRST + 2 * ILC__E_##id, ILC__DO_LOAD_WIDE_##id,
    ILC__ELEMENTS(X)
#undef X
    ILC__DO_STORE_FIRST,
#define X(id, ctype, kind) ILC__DO_STORE_##id = ILC__DO_STORE_FIRST + 2 * ILC__E_##id, ILC__DO_STORE_WIDE_##id,
    ILC__ELEMENTS(X)
#undef X
    /* ilc__il_memory_run's */
    ILC__DO_ADDRESS,      /* d = slot u.place.from + u.place.offset                                */
    ILC__DO_TEMPORARY,    /* d = the frame's u.copy.to, where u.copy.size bytes from d are copied  */
    ILC__DO_COPY,         /* u.copy.size bytes from slot u.copy.to's address to d's                */
    ILC__DO_ZERO,         /* u.copy.size bytes at d                                                */
    ILC__DO_ELEMENT,      /* d = address of an element of u.bits bytes of array d, by index d + 1  */
    ILC__DO_ELEMENT_WIDE,
    ILC__DO_PLACE,        /* d = address of an element of u.copy.size bytes, by u.copy.to subscripts behind the array */
    ILC__DO_BOUND,        /* d = 0: length, 1: upper, 2: lower bound of array d's dimension d + 1 */
    ILC__DO_CHECK,        /* u.copy.size bytes at slot d + u.copy.to may be accessed: il_pointer.c */
    ILC__DO_CHECK_REF,    /* the same, or d is null                                          */
    ILC__DO_CHECK_RESULT, /* d is not within u.copy.size bytes of slot u.copy.to's address   */
    ILC__DO_OFFSET,       /* as ADDRESS, of any number                                       */
    ILC__DO_COPY_BYTES,   /* slot d + 2 bytes from d + 1's address to d's                    */
    ILC__DO_FILL_BYTES,   /* slot d + 2 bytes of d + 1 to d's address                        */
    ILC__DO_NEW,          /* d = a new array like u.like, of d elements                      */
    ILC__DO_NEW_WIDE,
    ILC__DO_ALLOC,        /* d = the address of d bytes, zero; null for none                 */
    ILC__DO_ALLOC_WIDE,
    ILC__DO_FILL,         /* array d from the bytes that slot d + 1 names                    */
    /* il_span.c, of elements of u.copy.size bytes */
    ILC__DO_SPAN_ITEM,    /* d = address of span d's element d + 1                           */
    ILC__DO_SPAN_LENGTH,  /* d = span d's length; u.copy.to: whether it is 0                 */
    ILC__DO_SPAN_PART,    /* d = span d from d + 1 on; u.copy.to: d + 2 elements             */
    ILC__DO_SPAN_AT,      /* d = span of d + 1 elements at address d                         */
    ILC__DO_SPAN_FIRST,   /* d = address of span d's first element, or null                  */
    ILC__DO_SPAN_COPY,    /* span d to span d + 1                                            */
    ILC__DO_SPAN_FILL,    /* d + 1, an ilc_storage u.copy.to, to all of span d               */
    ILC__DO_SPAN_CLEAR,
    ILC__DO_SPAN_DATA,    /* d = span of the bytes that d names, as an ilc_storage u.copy.to */
    ILC__DO_ROW,          /* d = row d + 1 of matrix d, whose elements are of an ilc_storage u.copy.to */
    ILC__DO_GET_FIRST,    /* d = what is at u.place */
#define X(id, ctype, kind) ILC__DO_GET_##id = ILC__DO_GET_FIRST + ILC__E_##id,
    ILC__ELEMENTS(X)
#undef X
    ILC__DO_PUT_FIRST,    /* d to u.place           */
#define X(id, ctype, kind) ILC__DO_PUT_##id = ILC__DO_PUT_FIRST + ILC__E_##id,
    ILC__ELEMENTS(X)
#undef X
    ILC__DO_COUNT
} ilc__il_do;

typedef struct ilc__il_code ilc__il_code;

/* A noted kind (ilc__il_code.kinds): the kind, above it ilc_storage, or ILC_STORAGE_COUNT + number of a layout. */
enum { ILC__KIND_BITS = 4 };
_Static_assert(ILC__K_COUNT <= 1 << ILC__KIND_BITS, "a kind fits its bits");

typedef struct ilc__il_table { /* III.3.66 */
    uint32_t        count;
    const uint32_t *targets;
} ilc__il_table;

typedef struct ilc__il_constructor { /* of an exception class: its parameters by letter, as il_exceptions.h */
    const char *type, *kinds;
} ilc__il_constructor;

typedef enum ilc__il_relation { ILC__IL_LESS = 1, ILC__IL_EQUAL = 2, ILC__IL_GREATER = 4 } ilc__il_relation;

typedef struct ilc__il_test { /* throws where the numbers at d and d + 1 (or 0) stand so (il_throw_if.c) */
    uint32_t throws;          /* relations */
    bool     wide, is_unsigned, has_other, is_single, is_double;
    const struct ilc__il_exception *exception;
} ilc__il_test;

typedef struct ilc__il_op {
    uint16_t code;
    uint16_t first; /* 1 for an instruction's first operation, the one that is counted; 0 for what follows */
    uint32_t d;
    union {
        uint64_t             bits;
        uint32_t             from, target;
        ilc__il_code        *callee;
        const ilc__il_table *table;
        const ilc__il_constructor *constructor;
        const ilc__il_test        *test;
        const ilc_array           *like;
        struct {
            uint32_t from, offset;
        } place;
        struct {
            uint32_t to, size;
        } copy;
    } u;
} ilc__il_op;
_Static_assert(sizeof(ilc__il_op) == 16, "an operation is two words");

/* An exception object. */
typedef struct ilc__il_exception {
    const char *type, *message;
} ilc__il_exception;

/* An argument, a local or a result: a number of a storage, a structure, or an array of or a by-ref to one. */
typedef struct ilc__il_variable {
    ilc__il_kind       kind;    /* ILC__K_NONE: of a type that the judge does not know, or not yet (a local) */
    ilc_storage        storage; /* ILC_STORAGE_COUNT where there is a layout                                 */
    const ilc__layout *layout;
    const ilc__type   *type;
    uint8_t            rank, nested; /* ARRAY: 2 or 3 dimensions, or 0; how many arrays lie between it and storage */
    bool               is_pointer; /* ADDR: unmanaged */
    bool               is_span;    /* ARRAY: a span */
    bool               in_memory, reassigned; /* reassigned: of parameters */
    uint32_t           offset; /* in the frame's memory */
} ilc__il_variable;

struct ilc__il_code {
    const ilc__method *method;
    ilc__body          body;
    ilc__il_variable  *variables; /* arguments, then locals: slots 0 .. memory_slot - 1 */
    uint32_t           param_count, memory_slot, stack_first, frame_size;
    uint32_t           memory_size, zeroed_size; /* of the frame's memory: all of it, its variables */
    ilc__il_variable   result;
    bool               translated;
    bool               is_root; /* may be called from outside */
    uint32_t           checked; /* closure walk that saw it last         */
    bool               ready;   /* it and all it reaches are translated  */
    ILC__VEC(ilc__il_code *) callees;
    ILC__VEC(ilc__il_op) ops;
    ILC__VEC(uint32_t) sources; /* for each op its instruction           */
    ILC__VEC(uint32_t) stacks;  /* for each op where kinds holds the stack's kinds before it: depth, then kinds */
    ILC__VEC(uint16_t) kinds; /* what a trace prints by: ILC__KIND_BITS */
    ILC__VEC(const ilc__layout *) layouts;
    const struct ilc__il_code *from; /* who called it first, and where */
    uint32_t                   from_il;
    uint32_t number, low; /* of the walk that finds cycles (il_cycles.c): from 1; 0 when it has not been there */
    bool     on_stack;
    struct ilc__il_code *cycle; /* the same for all methods that call each other in a cycle; NULL: in none */
    uint64_t epoch;  /* of active */
    uint32_t active; /* of a cycle's first: activations of all its methods */
};

typedef struct ilc__il_frame {
    ilc__il_code *code;
    uint32_t      pc, base;
} ilc__il_frame;

/* The memory of frames, in blocks that never move. */
typedef struct ilc__il_block {
    uint8_t *bytes;
    uint32_t size;
} ilc__il_block;

typedef struct ilc__il_mark { /* where a frame's memory began */
    uint32_t block, used;
} ilc__il_mark;

/* What a call was given: pointers may lead there, and into the frames' memory. */
typedef struct ilc__il_region {
    uint64_t start, size;
} ilc__il_region;

typedef struct ilc__il_memory {
    ILC__VEC(ilc__il_block) blocks;
    ILC__VEC(ilc__il_mark) marks;
    ilc__il_mark at;
    uint64_t     total;
} ilc__il_memory;

struct ilc__il_machine {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__map      codes[2][2]; /* const ilc__method * -> ilc__il_code; by host_libm and other_nan */
    bool          host_libm, other_nan; /* of this call: il_interp.h */
    ilc__il_slot *slots;
    uint32_t      slot_count;
    ILC__VEC(ilc__il_frame) frames;
    ilc__il_memory memory;
    ILC__VEC(ilc__il_region) regions;
    ilc__il_memory heap; /* of arrays that methods make; all given back when the call ends */
    ilc__layouts  *layouts;
    ilc__statics  *statics;
    const ilc__typedef *initialised; /* il_init.c: the type whose initialiser is run, and places for its fields; or NULL */
    ilc__map            places;
    ILC__VEC(struct ilc__il_place_of *) set;
    uint64_t epoch;  /* counts calls */
    uint32_t walk;   /* counts closure walks */
    ilc__point traced; /* where the source was last told */
};

/* Sets cycle in methods that are translated, as are all that they reach. */
void ilc__il_find_cycles(ilc__il_machine *machine, ilc__il_code *root);

bool ilc__il_test_holds(const ilc__il_test *test, const ilc__il_slot *d);

/* The code of a method, not yet translated. */
ilc__il_code *ilc__il_code_of(ilc__il_machine *machine, const ilc__method *method);
/* Decodes, checks and translates one body; its callees are named, not translated. */
ilc_status ilc__il_translate(ilc__il_machine *machine, ilc__il_code *code);
/* Translates a method and all it reaches. */
ilc_status ilc__il_prepare(ilc__il_machine *machine, const ilc__method *method, ilc__il_code **out);

static inline const ilc_array *ilc__il_array_at(const ilc__il_slot *slot)
{
    return (const ilc_array *)(uintptr_t)slot->i8;
}

/* III.4.8, 4.26: null before bounds; the index is int32 or native int, negative is out of bounds. */
static inline ilc__il_trap ilc__il_check_index(const ilc_array *array, int64_t index)
{
    if (!array) return ILC__IL_TRAP_NULL;
    return index < 0 || index >= array->length ? ILC__IL_TRAP_INDEX : ILC__IL_TRAP_NONE;
}

static inline uint8_t *ilc__il_address_in(const ilc__il_slot *slot)
{
    return (uint8_t *)(uintptr_t)slot->i8;
}

/* il_new.c, il_own.c: arrays, and exceptions of the code's own classes, are made. */
ilc__il_trap ilc__il_new_run(ilc__il_machine *machine, ilc__il_slot *fp, const ilc__il_op *op);
ilc__il_trap ilc__il_own_run(ilc__il_machine *machine, ilc__il_slot *d, const ilc__il_op *op);
ilc__il_trap ilc__il_span_run(ilc__il_machine *machine, ilc__il_slot *fp, const ilc__il_op *op); /* il_span.c */
/* il_pointer.c. Is all of it memory that the call was given, or its own? */
bool         ilc__il_is_inside(const ilc__il_machine *machine, uint64_t address, uint64_t size);
ilc__il_trap ilc__il_pointer_run(const ilc__il_machine *machine, ilc__il_slot *fp, const ilc__il_op *op);
void         ilc__il_take_regions(ilc__il_machine *machine, const ilc_value *args, uint32_t count);
int64_t      ilc__il_data_of(const ilc_array *array);
/* Runs an operation on memory; ILC__IL_TRAP_COUNT where it is none. */
ilc__il_trap ilc__il_memory_run(ilc__il_machine *machine, const ilc__il_code *code, ilc__il_slot *fp, const ilc__il_op *op);

/* il_memory.c: memory of what the code makes, not zeroed; NULL when there is too much of it. Given back all at once. */
uint8_t *ilc__il_heap_take(ilc__il_machine *machine, uint64_t size);
/* Memory for a frame, not zeroed; NULL when there is too much of it. Given back in the opposite order, or all at
 * once. */
uint8_t *ilc__il_memory_take(ilc__il_machine *machine, uint32_t size);
void     ilc__il_memory_give_back(ilc__il_machine *machine);
void     ilc__il_memory_reset(ilc__il_machine *machine);

/* Methods that a caller from outside cannot give arguments to, or take a result from. */
ilc_status ilc__il_check_root(ilc__il_machine *machine, const ilc__method *method);

/* "Stats.Dot IL_0004 add [1, 2]" to options->trace. */
void ilc__il_trace(ilc__il_machine *machine, const ilc__il_code *code, uint32_t pc, const ilc__il_slot *fp,
                   const ilc__interp_options *options);

#endif
