/* ast_code.h - the flat form of a tree that ast_eval.c runs: registers instead of nesting, jumps instead of
 * structure. One instruction for each node that computes; order is the tree's. Private to ast_*.c. */
#ifndef ILC_INTERP_AST_CODE_H
#define ILC_INTERP_AST_CODE_H

#include "interp/interp.h"

typedef enum ilc__ast_do {
    ILC__AST_OP,      /* to = op(a, b, c)                                     */
    ILC__AST_MOVE,    /* to = a                                               */
    ILC__AST_NOT,     /* to = a is 0                                          */
    ILC__AST_LOAD,    /* to = a[b]                                            */
    ILC__AST_STORE,   /* a[b] = to                                            */
    ILC__AST_NEWARR,  /* to = the array at register a, as long as b says    */
    ILC__AST_NEWDYN,  /* to = a new array of a elements of `size` bytes, of variable b */
    ILC__AST_LEN,     /* to = length of a                                     */
    ILC__AST_DIM,     /* to = length of a's dimension b                       */
    ILC__AST_INDEX,   /* to = where args[b .. b + size] lie in a, an i64      */
    ILC__AST_ISNULL,  /* to = a is null                                       */
    ILC__AST_SAMEREF, /* to = a is b                                          */
    ILC__AST_SPANOF,  /* to = a, or an empty array for null                   */
    ILC__AST_SPAN,    /* to = c elements of a from b on, of `size` bytes each */
    ILC__AST_SPANAT,  /* to = b elements of `size` bytes from address a on    */
    ILC__AST_DATAADDR, /* to = the address of a's first element, or null       */
    ILC__AST_SLOTADDR,  /* to = address of register a                         */
    ILC__AST_ELEMADDR,  /* to = address of a[b], elements of `size` bytes     */
    ILC__AST_FIELDADDR, /* to = a + size                                      */
    ILC__AST_ADDADDR,   /* to = a + b                                         */
    ILC__AST_NONNULL,   /* raises when a is null                              */
    ILC__AST_LOADIND,   /* to = what a points to                              */
    ILC__AST_STOREIND,  /* what a points to = b                               */
    ILC__AST_COPYMEM,   /* `size` bytes at a = those at b                     */
    ILC__AST_ZEROMEM,   /* `size` bytes at a = 0                              */
    ILC__AST_COPYBYTES, /* `to` bytes at a = those at b                       */
    ILC__AST_FILLBYTES, /* `to` bytes at a = b                                */
    ILC__AST_CALL,    /* to = function a with args[b ..]                      */
    ILC__AST_JUMP,    /* to instruction a                                     */
    ILC__AST_JUMP_IF, /* to instruction b when a is not 0                     */
    ILC__AST_JUMP_NOT,
    ILC__AST_SWITCH,  /* to the case of table b that a is in, or the default  */
    ILC__AST_RETURN,  /* a                                                    */
    ILC__AST_LEAVE,   /* without a value                                      */
    ILC__AST_THROW    /* exception a; b, to: its open strings                 */
} ilc__ast_do;

typedef struct ilc__ast_insn {
    uint8_t     what;
    bool        has_il, wide_index; /* LOAD, STORE, ELEMADDR, SWITCH: the index is an i64 */
    bool        proved;             /* LEN: opt proved that the array is not null  */
    ilc_storage storage;
    ilc__op     op;
    uint32_t    to, a, b, c, size, il;
} ilc__ast_insn;

typedef struct ilc__ast_case {
    ilc__interval range;
    uint32_t      label;
} ilc__ast_case;

typedef struct ilc__ast_table { /* of a SWITCH: sorted */
    uint32_t       count, otherwise;
    ilc__ast_case *cases;
} ilc__ast_table;

typedef struct ilc__ast_code {
    const ilc__func *func;
    ILC__VEC(ilc__ast_insn) insns;
    ILC__VEC(uint32_t) args;       /* registers: arguments of calls, subscripts */
    ILC__VEC(ilc__ast_table) tables;
    ILC__VEC(const ilc__exception *) thrown;
    uint64_t *consts;              /* copied behind the variables at entry */
    uint32_t  var_count, const_count, frame; /* registers */
    uint32_t *slot_at;             /* per variable that is a slot in the frame: its first register */
    uint32_t  first_slot, slot_words;
    uint64_t  need;                /* registers of it and its deepest callees */
    uint32_t  call_depth;          /* frames, likewise; a cycle has as many as it may have activations */
} ilc__ast_code;

/* Memory that a call may reach by unmanaged pointers. */
typedef struct ilc__ast_region {
    uintptr_t start;
    uint64_t  size;
} ilc__ast_region;

/* The spans that a call makes: as arrays, until it ends. */
enum { ILC__AST_SPANS = 256 };
typedef struct ilc__ast_spans {
    ilc_array              arrays[ILC__AST_SPANS];
    struct ilc__ast_spans *next;
} ilc__ast_spans;

/* The memory of arrays of any length, which live until the call ends, in blocks that the next call uses again. */
typedef struct ilc__ast_heap_block {
    uint8_t *bytes;
    size_t   size;
} ilc__ast_heap_block;
typedef struct ilc__ast_heap {
    ILC__VEC(ilc__ast_heap_block) blocks;
    uint32_t block; /* that new ones go to */
    size_t   used;  /* of it               */
    size_t   taken; /* by this call        */
} ilc__ast_heap;

struct ilc__ast_machine {
    ilc__context  *ctx;
    ilc__arena    *arena;
    uint32_t       count;
    ilc__ast_code *codes; /* as the unit's functions */
    uint64_t      *registers;
    void          *result; /* of a root that returns a struct */
    uint64_t      *copies; /* of the structs that it takes    */
    struct ilc__ast_frame *frames;
    ilc__ast_spans  *spans, *spans_at; /* all blocks; that which new ones go to */
    uint32_t         span_count;       /* made in this call */
    ilc__ast_heap    heap;
    bool             has_pointers; /* some tree has unmanaged ones: every access is looked at */
    uint32_t         region_count, own_regions; /* the machine's own come first: registers, structs given, the result */
    ilc__ast_region *regions;
};

/* --- ast_memory.c --- */
uint64_t   ilc__ast_normalise(ilc_storage storage, uint64_t bits); /* cut, and extended again */
uint64_t   ilc__ast_load(ilc_storage storage, const void *at);
void       ilc__ast_store(ilc_storage storage, void *at, uint64_t bits);
uint32_t   ilc__ast_size_of(ilc_storage storage, const ilc__layout *layout);
ilc_status ilc__ast_place_slots(ilc__context *ctx, ilc__arena *arena, ilc__ast_code *code);
void       ilc__ast_new_array(const ilc__ast_insn *insn, uint64_t *registers);
void       ilc__ast_enter_slots(const ilc__ast_code *code, uint64_t *registers);
/* The length is not negative. False: more memory than a call may take. */
bool       ilc__ast_new_dynamic(ilc__ast_machine *machine, const ilc__var *var, const ilc__ast_insn *insn, uint64_t *registers);
void       ilc__ast_clear_heap(ilc__ast_machine *machine);
/* SPANOF to DATAADDR. False: outside every region, or too many of them. */
bool       ilc__ast_make_span(ilc__ast_machine *machine, const ilc__ast_insn *insn, uint64_t *registers);
/* False: outside every region. */
bool       ilc__ast_touch_memory(const ilc__ast_machine *machine, const ilc__ast_insn *insn, uint64_t *registers);
/* The regions of a call: its arrays, and the frames. */
void       ilc__ast_set_regions(ilc__ast_machine *machine, const ilc_value *args, uint32_t count);
uint64_t   ilc__ast_data_of(const ilc_array *array); /* as a pointer: null for null */
bool       ilc__ast_holds(const ilc__var *var, const ilc_array *array);
/* The address that a by-ref argument is; false when it does not fit the parameter. */
bool       ilc__ast_bind_byref(const ilc__var *var, const ilc_value *arg, uint64_t *bits);

ilc_status ilc__ast_compile(ilc__ast_machine *machine, const ilc__unit *unit, uint32_t index);
void       ilc__ast_sum_needs(ilc__ast_machine *machine); /* of all, when all are compiled */

#endif
