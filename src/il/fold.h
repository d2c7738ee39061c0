/* fold.h - what the types of a method decide in its body, once they are known. Private to il, but for ilc__body_fold. */
#ifndef ILC_IL_FOLD_H
#define ILC_IL_FOLD_H

#include "il/il.h"

/* A body being written anew. */
typedef struct ilc__folder {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__body    *body;    /* as decoded                                             */
    bool         *targets; /* by instruction: something branches there               */
    ILC__VEC(ilc__insn) insns;
    ILC__VEC(const ilc__type *) locals; /* behind the body's own                     */
    uint32_t *index;
    uint32_t  at;      /* the instruction that is looked at                          */
    uint32_t  deepest; /* how many values what was written may have on the stack     */
    unsigned  depth;   /* of methods whose answers are asked for                     */
    bool      changed, decided; /* decided: by a constant where there was none       */
} ilc__folder;

/* fold.c: an instruction in the place of the one at f->at; its operand is set by the caller. */
ilc__insn *ilc__fold_add(ilc__folder *f, ilc__opcode op);
void       ilc__fold_number(ilc__folder *f, int32_t number);
uint32_t   ilc__fold_local(ilc__folder *f, const ilc__type *type); /* a new one */
/* The instruction behind `at`, without nops; UINT32_MAX where there is none, or something branches in between. */
uint32_t   ilc__fold_next(const ilc__folder *f, uint32_t at);
/* Is it a value type whose bytes hold no references? Then its size. */
bool       ilc__fold_size(const ilc__folder *f, const ilc__type *type, uint32_t *size);

/* intrinsics.c: calls that have no IL of meaning, as the instructions that they are; *done false for others. */
ilc_status ilc__fold_intrinsic(ilc__folder *f, const ilc__callee *callee, bool *done);
/* comparers.c: the comparers that a type has by itself. */
ilc_status ilc__fold_comparer(ilc__folder *f, const ilc__callee *callee, bool *done);
/* texts.c: the text of a framework's message, and other texts, which nothing but an exception may get. */
ilc_status ilc__fold_text(ilc__folder *f, const ilc__callee *callee, bool *done);

#endif
