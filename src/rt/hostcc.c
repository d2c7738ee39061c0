/* hostcc.c - finds gcc, clang or tcc and compiles C to a shared object (hostcc.h). No shell is involved. */
#include "rt/hostcc.h"

#include "rt/rt.h"

#include <stdlib.h>

enum { LOG_MAX = 64 * 1024 };
static const double ask_limit = 20, compile_limit = 120; /* seconds */

/* Mode exact (docs/semantics.md, Modes and arithmetic). Not -fno-trapping-math (measured slower), never -ffast-math. */
static const char *const meaning[] = {
    "-std=c11",        "-ffp-contract=off",
    "-fwrapv",         "-fno-strict-aliasing",
    "-fno-math-errno", "-fno-delete-null-pointer-checks",
};
/* -O2: as fast as -O1 on the reduction loops that kernels are made of (the chain of additions decides), and
 * it inlines the device functions. -O3 is slower there: it unrolls around sums whose order is fixed. */
static const char default_optimise[] = "-O2";

/* --- who is it? -------------------------------------------------------------------------------------------
 */

/* The word after the first `after` in text, up to a blank; NULL if there is none. */
static const char *word_after(ilc__arena *arena, const char *text, const char *after)
{
    const char *at = strstr(text, after);
    if (!at) return NULL;
    at += strlen(after);
    size_t length = strcspn(at, " \t\r\n()");
    return length ? ilc__arena_strndup(arena, at, length) : NULL;
}

static bool recognise(ilc__arena *arena, const char *text, ilc__hostcc *cc)
{
    if (strncmp(text, "tcc version ", 12) == 0) {
        cc->kind = ILC__CC_TCC;
        cc->name = "tcc";
        cc->version = word_after(arena, text, "tcc version ");
    } else if (strstr(text, "clang version ")) {
        cc->kind = ILC__CC_CLANG;
        cc->name = "clang";
        cc->version = word_after(arena, text, "clang version ");
    } else if (strstr(text, "Free Software Foundation")) {
        cc->kind = ILC__CC_GCC;
        cc->name = "gcc";
        cc->version = word_after(arena, text, ") "); /* "gcc (Debian 12.2.0-14) 12.2.0" */
    } else {
        return false;
    }
    return cc->version != NULL;
}

/* Which compilers know -march=x86-64-v2 and up. */
static bool knows_levels(const ilc__hostcc *cc)
{
    long major = strtol(cc->version, NULL, 10);
    return (cc->kind == ILC__CC_GCC && major >= 11) || (cc->kind == ILC__CC_CLANG && major >= 12);
}

static void add_option(ilc__hostcc *cc, const char *option)
{
    if (cc->option_count < sizeof cc->options / sizeof cc->options[0])
        cc->options[cc->option_count++] = option;
}

/* gcc 12's vectorizers make fmaddsub of a product beside a sum and a difference, whatever -ffp-contract says (-mno-fma
 * does not hold under AVX-512). Levels from x86-64-v3 on have that instruction. */
static const char *const no_vectorizer[] = {"-fno-tree-slp-vectorize", "-fno-tree-loop-vectorize"};

static bool contracts_all_the_same(const ilc__hostcc *cc)
{
    return cc->kind == ILC__CC_GCC && (strcmp(cc->isa, "x86-64-v3") == 0 || strcmp(cc->isa, "x86-64-v4") == 0);
}

/* gcc for Windows puts what it spills of 32-byte registers where the stack is aligned to 16 only (gcc bug 54412): so no AVX. */
static bool spills_unaligned(const ilc__hostcc *cc)
{
    return ILC__WINDOWS && cc->kind == ILC__CC_GCC;
}

/* tcc has no optimiser, no contraction and no levels; it takes the meaning options to be on or ignores them.
 */
static void choose_options(ilc__arena *arena, const char *optimise, const char *isa, ilc__hostcc *cc)
{
    bool        tcc = cc->kind == ILC__CC_TCC;
    const char *level = isa ? isa : ilc__isa_level();
    bool        x86 = strncmp(level, "x86-64", 6) == 0;
    cc->isa = x86 && (tcc || !knows_levels(cc)) ? "x86-64" : level;
    if (spills_unaligned(cc) && contracts_all_the_same(cc)) cc->isa = "x86-64-v2";
    cc->optimise = tcc ? "" : optimise ? optimise : default_optimise;
    add_option(cc, "-w");
    add_option(cc, "-shared");
    if (tcc && ILC__WINDOWS) add_option(cc, "-rdynamic"); /* else it exports nothing */
    if (tcc) return;
    if (!ILC__WINDOWS) add_option(cc, "-fPIC");
    add_option(cc, cc->optimise);
    for (size_t i = 0; i < sizeof meaning / sizeof meaning[0]; i++)
        add_option(cc, meaning[i]);
    if (x86) add_option(cc, ilc__arena_printf(arena, "-march=%s", cc->isa));
    /* Without it gcc 12 takes a converted integer for never -0 and makes 0.0 - (float)i a negation, at -O0, too. */
    if (cc->kind == ILC__CC_GCC) add_option(cc, "-frounding-math");
    for (size_t i = 0; contracts_all_the_same(cc) && i < sizeof no_vectorizer / sizeof no_vectorizer[0]; i++)
        add_option(cc, no_vectorizer[i]);
}

bool ilc__hostcc_ask(ilc__arena *arena, const char *command, const char *optimise, const char *isa, ilc__hostcc *out)
{
    const char *argv[] = {command, "--version", NULL};
    int         exit_code;
    char       *text;
    *out = (ilc__hostcc){.command = command};
    if (!ilc__process_run(arena, argv, ask_limit, 4096, &exit_code, &text) || exit_code != 0) return false;
    if (!recognise(arena, text, out)) return false;
    out->identity = text;
    choose_options(arena, optimise, isa, out);
    return true;
}

bool ilc__hostcc_has_vectors(const ilc__hostcc *cc)
{
    return cc->kind == ILC__CC_CLANG || (cc->kind == ILC__CC_GCC && strtol(cc->version, NULL, 10) >= 9);
}

const char *const *ilc__hostcc_candidates(ilc__arena *arena, const char *wanted)
{
    static const char *const automatic[] = {"cc", "gcc", "clang", "tcc", NULL};
    if (!wanted || strcmp(wanted, "auto") == 0) return automatic;
    const char **one = ILC__NEW_ARRAY(arena, const char *, 2);
    one[0] = ilc__arena_strdup(arena, wanted);
    return one;
}

/* --- tcc's objects ----------------------------------------------------------------------------------------
 */

/* tcc writes no PT_GNU_STACK, which loaders take as a wish for executable stacks (and newer ones refuse). The
 * program headers are copied to the end of the file, with that one added. ELF-64, little-endian: in the
 * file's header e_phoff (8 bytes) at 32, e_phentsize (2) at 54, e_phnum (2) at 56; in a program header p_type
 * (4) at 0, p_flags (4) at 4, p_align (8) at 48. */
static bool add_stack_header(ilc__arena *arena, const void **object, size_t *size)
{
    enum { FILE_HEADER = 64, ENTRY = 56, OFFSET = 32, ENTRY_SIZE = 54, ENTRIES = 56, FLAGS = 4, ALIGN = 48 };
    static const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2, 1};
    const uint32_t       type = 0x6474e551, read_write = 6; /* PT_GNU_STACK, PF_R | PF_W */
    const uint64_t       align = 16;
    const uint8_t       *old = *object;
    uint64_t             offset;
    uint16_t             entry_size, entries;
    if (*size < FILE_HEADER || memcmp(old, ident, sizeof ident) != 0) return false;
    memcpy(&offset, old + OFFSET, sizeof offset);
    memcpy(&entry_size, old + ENTRY_SIZE, sizeof entry_size);
    memcpy(&entries, old + ENTRIES, sizeof entries);
    if (entry_size != ENTRY || entries == 0 || entries > 64) return false;
    size_t table = (size_t)entries * ENTRY;
    if (offset > *size || *size - offset < table) return false;
    uint64_t at = (*size + 15) / 16 * 16;
    uint8_t *bytes = ilc__arena_alloc(arena, at + table + ENTRY);
    uint8_t *stack = bytes + at + table;
    memcpy(bytes, old, *size);
    memcpy(bytes + at, old + offset, table);
    memcpy(stack, &type, sizeof type);
    memcpy(stack + FLAGS, &read_write, sizeof read_write);
    memcpy(stack + ALIGN, &align, sizeof align);
    entries++;
    memcpy(bytes + OFFSET, &at, sizeof at);
    memcpy(bytes + ENTRIES, &entries, sizeof entries);
    *object = bytes;
    *size = at + table + ENTRY;
    return true;
}

/* --- compiling --------------------------------------------------------------------------------------------
 */

/* The folder's name is of no use to the reader, and differs each time. */
static char *without_folder(ilc__arena *arena, const char *text, const char *folder)
{
    ilc__text   out = {.arena = arena};
    size_t      length = strlen(folder);
    const char *at = text;
    for (const char *hit; (hit = strstr(at, folder)) != NULL;) {
        ilc__text_add(&out, at, (size_t)(hit - at));
        at = hit + length;
        if (*at == '/' || *at == '\\') at++;
    }
    ilc__text_puts(&out, at);
    return out.data;
}

/* The object's bytes, in arena; what went wrong otherwise. */
static const char *read_object(ilc__context *ctx, ilc__arena *arena, const char *path, const void **object,
                               size_t *size)
{
    uint64_t length;
    int64_t  used;
    if (!ilc__file_stat(path, &length, &used))
        return "the compiler said nothing was wrong, but wrote no object";
    if (length > 256u << 20) return "the object is too large";
    void     *copy = ilc__arena_alloc(arena, (size_t)length);
    ilc__file file;
    uint32_t  diagnostics = ctx->diags.count;
    if (ilc__file_map(ctx, path, &file) != ILC_OK) {
        ctx->diags.count = diagnostics;
        return "the compiler's object could not be read";
    }
    *size = file.size < length ? file.size : (size_t)length;
    memcpy(copy, file.bytes, *size);
    ilc__file_unmap(&file);
    *object = copy;
    return NULL;
}

bool ilc__compiler_run(ilc__context *ctx, ilc__arena *arena, const char *const *argv, const char *folder,
                       const char *input, const char *source, const char *output, const void **bytes,
                       size_t *size, const char **log)
{
    uint32_t diagnostics = ctx->diags.count;
    if (ilc__file_write(ctx, input, source, strlen(source), 0600) != ILC_OK) {
        ctx->diags.count = diagnostics;
        *log = "the source could not be written to a temporary folder";
        return false;
    }
    ilc__file_remove(output);
    int   exit_code;
    char *text;
    if (!ilc__process_run(arena, argv, compile_limit, LOG_MAX, &exit_code, &text)) {
        *log = ilc__arena_printf(arena, "%s could not be started, or ran for more than %.0f seconds", argv[0],
                                 compile_limit);
        return false;
    }
    if (exit_code != 0) {
        *log = without_folder(arena, *text ? text : "the compiler printed nothing", folder);
        return false;
    }
    *log = read_object(ctx, arena, output, bytes, size);
    return *log == NULL;
}

bool ilc__hostcc_compile(const ilc__hostcc *cc, ilc__context *ctx, ilc__arena *arena, const char *folder,
                         const char *source, const void **object, size_t *size, const char **log)
{
    const char *input = ilc__arena_printf(arena, "%s/kernel.c", folder);
    const char *output = ilc__arena_printf(arena, "%s/kernel.%s", folder, ILC__WINDOWS ? "dll" : "so");
    const char *argv[32];
    uint32_t    count = 0;
    argv[count++] = cc->command;
    for (uint32_t i = 0; i < cc->option_count; i++)
        argv[count++] = cc->options[i];
    if (ilc__has_line_directives(source)) argv[count++] = "-g"; /* the code is the same */
    argv[count++] = "-o";
    argv[count++] = output;
    argv[count++] = input;
    argv[count] = NULL;
    if (!ilc__compiler_run(ctx, arena, argv, folder, input, source, output, object, size, log)) return false;
    if (!ILC__WINDOWS && cc->kind == ILC__CC_TCC && !add_stack_header(arena, object, size))
        *log = "the compiler's object is not a 64-bit ELF file";
    return *log == NULL;
}
