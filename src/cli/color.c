/* color.c - one small lexer for all listings, a table for each language (color.h). No line depends on another. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "platform.h"

#define KEYWORD "\033[1;34m"
#define LITERAL "\033[36m"
#define COMMENT "\033[32m"
#define FAINT   "\033[2m"
#define STRONG  "\033[1m"
#define GONE    "\033[31m"
#define COME    "\033[32m"
#define PLAIN   "\033[0m"

/* Of an assembler, the word in the place of the operation is the keyword; of another language, those of the list. */
typedef enum operations { WORDS, IL_OPERATIONS, IR_OPERATIONS, PTX_OPERATIONS } operations;

struct color_language {
    const char *name, *comment;
    char        escape; /* in strings; 0: none */
    operations  operations;
    const char *words; /* between spaces */
};

#define C_WORDS                                                                                                              \
    " break case char const continue default do double else extern float for goto if inline int long return restrict short "  \
    "signed sizeof static struct switch typedef unsigned void volatile while __device__ __global__ __restrict__ __shared__ "
static const color_language languages[] = {
    {"vb", "'", 0, WORDS,
     " And AndAlso As Boolean ByRef Byte ByVal Case CBool CByte CChar CDbl Char CInt CLng CSByte CShort CSng CUInt CULng CUShort "
     "Continue Dim Do Double Else ElseIf End Exit False For Function GoTo If Integer Is Long Loop Me Mod New Next Not Nothing Of Or "
     "OrElse Return SByte Select Shared Short Single Step String Sub Then Throw To True UInteger ULong Until UShort While Xor "},
    {"cs", "//", '\\', WORDS,
     " bool break byte case char checked const continue decimal default do double else false fixed float for foreach goto if in int is "
     "long new nint not nuint null object or out public ref return sbyte short sizeof static string struct switch this throw true uint "
     "ulong unchecked unsafe ushort var void when while "},
    {"cuda", "//", '\\', WORDS, C_WORDS},
    {"c", "//", '\\', WORDS, C_WORDS},
    {"il", "//", '\\', IL_OPERATIONS, " catch filter finally fault handler init instance pinned static to "},
    {"ir", ";", 0, IR_OPERATIONS, " func layout slot var "},
    {"ptx", "//", '\\', PTX_OPERATIONS, ""},
};

const color_language *color_language_named(const char *name)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strcmp(languages[i].name, name) == 0) return &languages[i];
    return NULL;
}

bool color_wanted(const char *choice)
{
    if (choice && strcmp(choice, "auto") != 0) return strcmp(choice, "always") == 0;
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0) && platform_is_terminal(stdout);
}

static void put(FILE *out, const char *color, const char *text, size_t length)
{
    if (color) fputs(color, out);
    fwrite(text, 1, length, out);
    if (color) fputs(PLAIN, out);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_listed(const char *words, const char *word, size_t length)
{
    for (const char *at = words; (at = strstr(at, " ")) != NULL; at++)
        if (strncmp(at + 1, word, length) == 0 && at[1 + length] == ' ') return true;
    return false;
}

/* The place of the operation: behind "IL_0004: ", behind "%3 = " or the indentation, behind the indentation or a predicate. */
static size_t operation_at(const color_language *language, const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && line[at] == ' ') at++;
    if (language->operations == IL_OPERATIONS) {
        if (at < length && line[at] == '.') return at;
        if (length - at < 9 || strncmp(line + at, "IL_", 3) != 0 || line[at + 7] != ':') return length;
        return at + 9;
    }
    if (language->operations == PTX_OPERATIONS) {
        while (at < length && line[at] == '\t') at++;
        if (at < length && line[at] == '@')
            while (at < length && line[at] != ' ' && line[at] != '\t') at++;
        while (at < length && (line[at] == ' ' || line[at] == '\t')) at++;
        return at;
    }
    if (at == 0) return length;
    if (line[at] != '%') return at;
    while (at < length && line[at] != '=') at++;
    return at + 2 < length ? at + 2 : length;
}

static size_t string_end(const color_language *language, const char *line, size_t length, size_t at)
{
    for (at++; at < length && line[at] != '"'; at++)
        if (language->escape && line[at] == language->escape && at + 1 < length) at++;
    return at < length ? at + 1 : length;
}

/* "1.5e-3f", "0x3f800000", "10UL" */
static size_t number_end(const char *line, size_t length, size_t at)
{
    bool hex = line[at] == '0' && at + 1 < length && (line[at + 1] == 'x' || line[at + 1] == 'X');
    for (; at < length; at++) {
        bool sign = !hex && (line[at] == '-' || line[at] == '+') && (line[at - 1] == 'e' || line[at - 1] == 'E');
        if (!is_word(line[at]) && line[at] != '.' && !sign) break;
    }
    return at;
}

void color_line(FILE *out, const color_language *language, const char *line, size_t length)
{
    size_t at = 0, comment = strlen(language->comment);
    size_t operation = language->operations == WORDS ? length : operation_at(language, line, length);
    bool   begins = true;
    while (at < length) {
        size_t end = at + 1;
        char   c = line[at];
        if (length - at >= comment && memcmp(line + at, language->comment, comment) == 0) {
            put(out, COMMENT, line + at, length - at);
            return;
        }
        if (c == '"') {
            end = string_end(language, line, length, at);
            put(out, LITERAL, line + at, end - at);
        } else if (at == operation || (begins && c == '#')) { /* a directive of C */
            while (end < length && (is_word(line[end]) || line[end] == '.')) end++;
            put(out, KEYWORD, line + at, end - at);
        } else if (isdigit((unsigned char)c)) {
            end = number_end(line, length, at);
            put(out, LITERAL, line + at, end - at);
        } else if (is_word(c) || c == '%' || c == '@' || c == '$') { /* %3, @0004: names, not numbers */
            while (end < length && is_word(line[end])) end++;
            put(out, is_listed(language->words, line + at, end - at) ? KEYWORD : NULL, line + at, end - at);
        } else {
            putc(c, out);
        }
        begins = begins && c == ' ';
        at = end;
    }
}

void color_passes_line(FILE *out, const char *line, size_t length)
{
    bool heading = length > 3 && (strncmp(line, "===", 3) == 0 || strncmp(line, "---", 3) == 0);
    if (heading) put(out, STRONG, line, length);
    else if (length && *line == '-') put(out, GONE, line, length);
    else if (length && *line == '+') put(out, COME, line, length);
    else fwrite(line, 1, length, out);
}

void color_faint(FILE *out, const char *text)
{
    put(out, FAINT, text, strlen(text));
}
