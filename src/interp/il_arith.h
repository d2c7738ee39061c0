/* il_arith.h - what single IL instructions compute, by hand from ECMA-335 III and CoreCLR 10 on x64.
 *
 * Stack kinds are CoreCLR's on x64: native int is I8, float32 and float64 are apart. il_arith.def has one row
 * for each (instruction, stack kinds); here are the functions its rows use and what runs one row alone. */
#ifndef ILC_INTERP_IL_ARITH_H
#define ILC_INTERP_IL_ARITH_H

#include <math.h>

#include "il/il.h"
#include "lib/functions.h"

typedef enum ilc__il_kind {
    ILC__K_NONE,
    ILC__K_I4, ILC__K_I8, ILC__K_R4, ILC__K_R8,
    ILC__K_ARRAY, /* an array, or null                */
    ILC__K_NULL,  /* ldnull                           */
    ILC__K_STRING, ILC__K_EXCEPTION,
    ILC__K_ADDR,   /* a by-ref: the address of a number or a structure            */
    ILC__K_TOKEN,  /* what ldtoken named: the data of a field                     */
    ILC__K_STRUCT, /* a structure: the address of the slot's own copy (il_code.h) */
    ILC__K_COUNT
} ilc__il_kind;

typedef enum ilc__il_trap {
    ILC__IL_TRAP_NONE,
    ILC__IL_TRAP_OVERFLOW, ILC__IL_TRAP_DIVIDE, ILC__IL_TRAP_INDEX, ILC__IL_TRAP_NULL, ILC__IL_TRAP_ABS,
    ILC__IL_TRAP_NAN, ILC__IL_TRAP_STACK, ILC__IL_TRAP_CHAR, ILC__IL_TRAP_DIMENSION,
    ILC__IL_TRAP_RANGE, ILC__IL_TRAP_SHORT,
    ILC__IL_TRAP_MEMORY, /* too many arrays: no exception either */
    ILC__IL_TRAP_FAULT, /* an address outside every array: no exception, the call is wrong */
    ILC__IL_TRAP_COUNT
} ilc__il_trap;
/* Exception and message of a trap. */
void ilc__il_trap_text(ilc__il_trap trap, const char **exception, const char **message);

/* A stack, argument or local slot. References and addresses are kept in i8. */
typedef union ilc__il_slot {
    int32_t i4;
    int64_t i8;
    float   r4;
    double  r8;
} ilc__il_slot;

/* Operations of the machine's code (il_code.h has the others). */
typedef enum ilc__il_row {
    ILC__ROW_NONE,
#define UNARY(id, opcode, kind, result, expr) ILC__ROW_##id,
#define BINARY(id, opcode, left, right, result, expr) ILC__ROW_##id,
#define FUNC1(id, kind, result, expr) ILC__ROW_##id,
#define FUNC2(id, kind, result, expr) ILC__ROW_##id,
#define BRANCH(id, opcode, kind, expr) ILC__ROW_##id,
#define BRANCH1(id, opcode, kind, expr) ILC__ROW_##id,
#include "interp/il_arith.def"
    ILC__ROW_COUNT
} ilc__il_row;

/* How an instruction works on operands of given kinds: widenings first, then the row. */
typedef struct ilc__il_plan {
    ilc__il_row  row, widen_left, widen_right; /* ILC__ROW_NONE: nothing to do */
    ilc__il_kind result;                       /* ILC__K_NONE for branches     */
} ilc__il_plan;

/* right is ILC__K_NONE for one operand. Short branches count as their long forms. has_ldc: the operand that is to be
 * widened is a constant. False: no such meaning. */
bool ilc__il_plan_find(ilc__opcode opcode, ilc__il_kind left, ilc__il_kind right, bool has_ldc, ilc__il_plan *out);
ilc__il_kind ilc__il_row_result(ilc__il_row row);
/* The row that brings a value of a kind to what a storage keeps, as a store and a load would (III.1.1.1, implicit
 * conversions of III.1.6). ILC__ROW_NONE with *same set when there is nothing to do; false: not assignable. */
bool ilc__il_coerce(ilc__il_kind from, ilc_storage to, ilc__il_row *row, bool *same);
/* The kind a storage has on the stack (I.12.1); ILC__K_NONE for Void. */
ilc__il_kind ilc__il_storage_kind(ilc_storage storage);
/* Runs one row over slots[0] (and slots[1]), the result to slots[0]; a branch gives 0 or 1 as i4. */
ilc__il_trap ilc__il_row_run(ilc__il_row row, ilc__il_slot *slots);
/* A method of the framework that the judge computes itself, of `count` parameters of one storage. */
ilc__il_row ilc__il_known_callee(const char *type_name, const char *name, ilc_storage storage, uint32_t count);
/* The row that asks the C library where row asks lib/functions.h; any other row itself. */
ilc__il_row ilc__il_host_row(ilc__il_row row);

/* Member and C type of a kind, for the code made from the rows. */
#define ILC__SLOT_I4 i4
#define ILC__SLOT_I8 i8
#define ILC__SLOT_R4 r4
#define ILC__SLOT_R8 r8
#define ILC__CTYPE_I4 int32_t
#define ILC__CTYPE_I8 int64_t
#define ILC__CTYPE_R4 float
#define ILC__CTYPE_R8 double

/* --- integers --------------------------------------------------------------------------------------------- */

static inline int32_t ilc__il_wrap4(uint32_t a)
{
    return a <= INT32_MAX ? (int32_t)a : (int32_t)(a - 0x80000000u) + INT32_MIN;
}

static inline int64_t ilc__il_wrap8(uint64_t a)
{
    return a <= INT64_MAX ? (int64_t)a : (int64_t)(a - 0x8000000000000000u) + INT64_MIN;
}

/* III.3.31: division by zero, and MinValue / -1, which x64 and so CoreCLR make an OverflowException. */
static inline int32_t ilc__il_div4(int32_t a, int32_t b, ilc__il_trap *t)
{
    if (b == 0) return *t = ILC__IL_TRAP_DIVIDE, 0;
    if (a == INT32_MIN && b == -1) return *t = ILC__IL_TRAP_OVERFLOW, 0;
    return a / b;
}

static inline int64_t ilc__il_div8(int64_t a, int64_t b, ilc__il_trap *t)
{
    if (b == 0) return *t = ILC__IL_TRAP_DIVIDE, 0;
    if (a == INT64_MIN && b == -1) return *t = ILC__IL_TRAP_OVERFLOW, 0;
    return a / b;
}

static inline int32_t ilc__il_rem4(int32_t a, int32_t b, ilc__il_trap *t)
{
    if (b == 0) return *t = ILC__IL_TRAP_DIVIDE, 0;
    if (a == INT32_MIN && b == -1) return *t = ILC__IL_TRAP_OVERFLOW, 0;
    return a % b;
}

static inline int64_t ilc__il_rem8(int64_t a, int64_t b, ilc__il_trap *t)
{
    if (b == 0) return *t = ILC__IL_TRAP_DIVIDE, 0;
    if (a == INT64_MIN && b == -1) return *t = ILC__IL_TRAP_OVERFLOW, 0;
    return a % b;
}

static inline uint32_t ilc__il_udiv4(uint32_t a, uint32_t b, ilc__il_trap *t)
{
    return b ? a / b : (*t = ILC__IL_TRAP_DIVIDE, 0u);
}

static inline uint64_t ilc__il_udiv8(uint64_t a, uint64_t b, ilc__il_trap *t)
{
    return b ? a / b : (*t = ILC__IL_TRAP_DIVIDE, (uint64_t)0);
}

static inline uint32_t ilc__il_urem4(uint32_t a, uint32_t b, ilc__il_trap *t)
{
    return b ? a % b : (*t = ILC__IL_TRAP_DIVIDE, 0u);
}

static inline uint64_t ilc__il_urem8(uint64_t a, uint64_t b, ilc__il_trap *t)
{
    return b ? a % b : (*t = ILC__IL_TRAP_DIVIDE, (uint64_t)0);
}

/* The exact result, if it lies within [low, high]; else the trap. */
static inline int64_t ilc__il_within(int64_t a, int64_t low, int64_t high, ilc__il_trap *t)
{
    if (a < low || a > high) *t = ILC__IL_TRAP_OVERFLOW;
    return a;
}

static inline uint64_t ilc__il_uwithin(uint64_t a, uint64_t high, ilc__il_trap *t)
{
    if (a > high) *t = ILC__IL_TRAP_OVERFLOW;
    return a;
}

static inline int64_t ilc__il_add_ovf8(int64_t a, int64_t b, ilc__il_trap *t)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) *t = ILC__IL_TRAP_OVERFLOW;
    return ilc__il_wrap8((uint64_t)a + (uint64_t)b);
}

static inline int64_t ilc__il_sub_ovf8(int64_t a, int64_t b, ilc__il_trap *t)
{
    if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) *t = ILC__IL_TRAP_OVERFLOW;
    return ilc__il_wrap8((uint64_t)a - (uint64_t)b);
}

static inline uint64_t ilc__il_umul_ovf8(uint64_t a, uint64_t b, ilc__il_trap *t)
{
    if (a != 0 && b > UINT64_MAX / a) *t = ILC__IL_TRAP_OVERFLOW;
    return a * b;
}

/* By magnitudes: the product's is below 2^63, or is 2^63 and the product negative. */
static inline int64_t ilc__il_mul_ovf8(int64_t a, int64_t b, ilc__il_trap *t)
{
    bool     negative = (a < 0) != (b < 0);
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    uint64_t limit = negative ? (uint64_t)1 << 63 : (uint64_t)INT64_MAX;
    if ((x | y) >> 31 != 0 && x != 0 && y > limit / x) *t = ILC__IL_TRAP_OVERFLOW;
    return ilc__il_wrap8((uint64_t)a * (uint64_t)b);
}

/* III.3.58-60: a shift by the width or more is not specified; x64 takes the count modulo the width. */
static inline int32_t ilc__il_shr4(int32_t a, int32_t n)
{
    return a < 0 ? ~(~a >> (n & 31)) : a >> (n & 31);
}

static inline int64_t ilc__il_shr8(int64_t a, int32_t n)
{
    return a < 0 ? ~(~a >> (n & 63)) : a >> (n & 63);
}

/* --- from floating point: .NET 9 and later saturate, NaN is 0 ----------------------------------------------- */

static inline int32_t ilc__il_i4_of(double a)
{
    if (a != a) return 0;
    if (a <= -2147483648.0) return INT32_MIN;
    return a >= 2147483648.0 ? INT32_MAX : (int32_t)a;
}

static inline uint32_t ilc__il_u4_of(double a)
{
    if (!(a > 0.0)) return 0;
    return a >= 4294967296.0 ? UINT32_MAX : (uint32_t)a;
}

static inline int64_t ilc__il_i8_of(double a)
{
    if (a != a) return 0;
    if (a <= -9223372036854775808.0) return INT64_MIN;
    return a >= 9223372036854775808.0 ? INT64_MAX : (int64_t)a;
}

static inline uint64_t ilc__il_u8_of(double a)
{
    if (!(a > 0.0)) return 0;
    return a >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)a;
}

/* III.3.19: the value cut towards zero must fit. below < a < above, both exact; NaN fails. */
static inline int64_t ilc__il_ovf_of(double a, double below, double above, ilc__il_trap *t)
{
    if (a > below && a < above) return (int64_t)a;
    return *t = ILC__IL_TRAP_OVERFLOW, 0;
}

static inline int64_t ilc__il_ovf_i8_of(double a, ilc__il_trap *t)
{
    if (a >= -9223372036854775808.0 && a < 9223372036854775808.0) return (int64_t)a;
    return *t = ILC__IL_TRAP_OVERFLOW, 0;
}

static inline int64_t ilc__il_ovf_u8_of(double a, ilc__il_trap *t)
{
    if (a > -1.0 && a < 18446744073709551616.0) return ilc__il_wrap8(a <= 0.0 ? 0 : (uint64_t)a);
    return *t = ILC__IL_TRAP_OVERFLOW, 0;
}

/* --- System.Math ------------------------------------------------------------------------------------------ */

static inline int64_t ilc__il_abs(int64_t a, int64_t lowest, ilc__il_trap *t)
{
    if (a == lowest) return *t = ILC__IL_TRAP_ABS, 0;
    return a < 0 ? -a : a;
}

/* Microsoft.VisualBasic.Strings.ChrW: the code's low 16 bits */
static inline int32_t ilc__il_chrw(int32_t a, ilc__il_trap *t)
{
    if (a < INT16_MIN || a > UINT16_MAX) *t = ILC__IL_TRAP_CHAR;
    return (uint16_t)a;
}

/* IEEE 754-2019 minimum and maximum: NaN wins, -0 lies below +0. */
static inline float ilc__il_min_r4(float a, float b)
{
    if (a != a || a < b) return a;
    return a == b && signbit(a) ? a : b;
}

static inline float ilc__il_max_r4(float a, float b)
{
    if (a != a || a > b) return a;
    return a == b && !signbit(a) ? a : b;
}

static inline double ilc__il_min_r8(double a, double b)
{
    if (a != a || a < b) return a;
    return a == b && signbit(a) ? a : b;
}

static inline double ilc__il_max_r8(double a, double b)
{
    if (a != a || a > b) return a;
    return a == b && !signbit(a) ? a : b;
}

static inline int32_t ilc__il_count_bits(uint64_t bits)
{
    int32_t count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/* Up to the highest bit that is set. */
static inline int32_t ilc__il_bit_length(uint64_t bits)
{
    int32_t length = 0;
    for (; bits; bits >>= 1) length++;
    return length;
}

static inline int32_t ilc__il_sign(double a, ilc__il_trap *t)
{
    if (a != a) return *t = ILC__IL_TRAP_NAN, 0;
    return (a > 0.0) - (a < 0.0);
}

#endif
