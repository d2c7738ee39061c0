/* il_code.h - a body as the judge runs it, and the machine that holds it. Private to il_*.c.
 *
 * A frame is a row of slots: arguments, locals, evaluation stack. Where each operand lies is known from the
 * IL alone, so an operation names its slots by number: operands from d on, result in d. A callee's frame
 * begins at its arguments on the caller's stack, and its result lies where the first argument was. */
#ifndef ILC_INTERP_IL_CODE_H
#define ILC_INTERP_IL_CODE_H

#include "interp/il_arith.h"
#include "interp/il_interp.h"

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
    ILC__DO_CALL,   /* u.callee, arguments from d on                                       */
    ILC__DO_AGAIN,  /* the method calls itself and returns the result: arguments from d on */
    ILC__DO_RETURN, /* d                    */
    ILC__DO_RETURN_VOID,
    ILC__DO_THROW,  /* d                    */
    ILC__DO_LOAD_FIRST,
#define X(id, ctype, kind) ILC__DO_LOAD_##id = ILC__DO_LOAD_FIRST + 2 * ILC__E_##id, ILC__DO_LOAD_WIDE_##id,
    ILC__ELEMENTS(X)
#undef X
    ILC__DO_STORE_FIRST,
#define X(id, ctype, kind) ILC__DO_STORE_##id = ILC__DO_STORE_FIRST + 2 * ILC__E_##id, ILC__DO_STORE_WIDE_##id,
    ILC__ELEMENTS(X)
#undef X
    ILC__DO_COUNT
} ilc__il_do;

typedef struct ilc__il_code ilc__il_code;

typedef struct ilc__il_table { /* III.3.66 */
    uint32_t        count;
    const uint32_t *targets;
} ilc__il_table;

typedef struct ilc__il_op {
    uint16_t code;
    uint16_t first; /* 1 for an instruction's first operation, the one that is counted; 0 for what follows */
    uint32_t d;
    union {
        uint64_t             bits;
        uint32_t             from, target;
        ilc__il_code        *callee;
        const ilc__il_table *table;
    } u;
} ilc__il_op;

/* What newobj of an exception class with constant arguments makes. */
typedef struct ilc__il_exception {
    const char *type, *message;
} ilc__il_exception;

/* An argument or a local: a number of a storage, or an array of it. */
typedef struct ilc__il_variable {
    ilc__il_kind     kind; /* ILC__K_NONE: of a type that the judge does not know */
    ilc_storage      storage;
    const ilc__type *type;
} ilc__il_variable;

struct ilc__il_code {
    const ilc__method *method;
    ilc__body          body;
    ilc__il_variable  *variables; /* arguments, then locals: slots 0 .. stack_first - 1 */
    uint32_t           param_count, stack_first, frame_size;
    ilc_storage        ret;
    bool               translated;
    uint32_t           checked; /* closure walk that saw it last         */
    bool               ready;   /* it and all it reaches are translated  */
    ILC__VEC(ilc__il_code *) callees;
    ILC__VEC(ilc__il_op) ops;
    ILC__VEC(uint32_t) sources; /* for each op its instruction           */
    ILC__VEC(uint32_t) stacks;  /* for each op where kinds holds the stack's kinds before it: depth, then kinds */
    ILC__VEC(uint8_t) kinds;
    uint64_t epoch; /* of active */
    uint32_t active;
};

typedef struct ilc__il_frame {
    ilc__il_code *code;
    uint32_t      pc, base;
} ilc__il_frame;

struct ilc__il_machine {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__map      codes[2]; /* const ilc__method * -> ilc__il_code; [1]: asking the C library */
    bool          host_libm; /* of this call */
    ilc__il_slot *slots;
    uint32_t      slot_count;
    ILC__VEC(ilc__il_frame) frames;
    uint64_t epoch;  /* counts calls */
    uint32_t walk;   /* counts closure walks */
};

/* The code of a method, not yet translated. */
ilc__il_code *ilc__il_code_of(ilc__il_machine *machine, const ilc__method *method);
/* Decodes, checks and translates one body; its callees are named, not translated. */
ilc_status ilc__il_translate(ilc__il_machine *machine, ilc__il_code *code);
/* Translates a method and all it reaches. */
ilc_status ilc__il_prepare(ilc__il_machine *machine, const ilc__method *method, ilc__il_code **out);

/* "Stats.Dot IL_0004 add [1, 2]" to options->trace. */
void ilc__il_trace(const ilc__il_machine *machine, const ilc__il_code *code, uint32_t pc, const ilc__il_slot *fp,
                   const ilc__interp_options *options);

#endif
