/* rulec: the build-time program that compiles the rule pages into static tables.
   rulec [-o FILE] PAGE...    writes them as C, to standard output without -o
   rulec --dump PAGE...       prints what was understood instead
   Pages whose names begin with a capital (FORMAT.md, README.md) are about the pages, and skipped.
   Exit 2 with one line a mistake when a page is wrong; nothing is written then. */
#include "conventions.h"
#include "dump_rulebook.h"
#include "rulepage.h"
#include "size_rules.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Command {
    const char *output;
    bool dump;
    PageSource *sources;
    size_t count;
    PageSource sizes; /* rules/sizes.py */
} Command;

static Text read_file(Arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "rulec: cannot read %s\n", path);
        exit(2);
    }
    long size = ftell(file);
    rewind(file);
    char *bytes = arena_alloc(arena, (size_t)size + 1);
    size_t count = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    return (Text){bytes, (uint32_t)count};
}

static bool is_page(const char *path) {
    const char *slash = strrchr(path, '/');
    char first = slash ? slash[1] : path[0];
    return !(first >= 'A' && first <= 'Z');
}

static Command read_command(Arena *arena, int argc, char **argv) {
    Command command = {.sources = arena_new(arena, PageSource, argc)};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            command.output = argv[++i];
        else if (strcmp(argv[i], "--dump") == 0)
            command.dump = true;
        else if (text_ends(text_of(argv[i]), TEXT(".py")))
            command.sizes = (PageSource){text_of(argv[i]), read_file(arena, argv[i])};
        else if (is_page(argv[i]))
            command.sources[command.count++] = (PageSource){text_of(argv[i]), read_file(arena, argv[i])};
    }
    return command;
}

/* ---- C ---- */
/* Octal escapes have three digits, whatever follows them; a break after each line keeps the file readable. */
static void write_string(FILE *out, Text text) {
    fputc('"', out);
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        if (c == '\n' && i + 1 < text.length)
            fputs("\\n\"\n    \"", out);
        else if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void write_texts(FILE *out, const Rulebook *book) {
    fprintf(out, "static const Text TEXTS[] = {\n");
    for (uint32_t i = 0; i < book->text_count; i++) {
        fputs("    {", out);
        write_string(out, book->texts[i]);
        fprintf(out, ", %u},\n", book->texts[i].length);
    }
    fputs("};\n\n", out);
}

static void write_ids(FILE *out, const char *name, const uint32_t *ids, uint32_t count) {
    fprintf(out, "static const uint32_t %s[] = {", name);
    for (uint32_t i = 0; i < count; i++) fprintf(out, "%s%u,", i % 20 ? " " : "\n    ", ids[i]);
    fputs("\n};\n\n", out);
}

static void write_row(FILE *out, const int64_t *fields, size_t count) {
    for (size_t i = 0; i < count; i++) fprintf(out, "%s%" PRId64, i ? ", " : "    {", fields[i]);
    fputs("},\n", out);
}

static void write_tables(FILE *out, const Rulebook *book) {
#define FIELD(name) row->name
#define TABLE(type, name, items, count, ...)                    \
    fprintf(out, "static const %s %s[] = {\n", #type, #name);   \
    for (uint32_t i = 0; i < book->count; i++) {                \
        const type *row = &book->items[i];                      \
        const int64_t fields[] = {__VA_ARGS__};                 \
        write_row(out, fields, sizeof fields / sizeof *fields); \
    }                                                           \
    fputs("};\n\n", out);
#include "tables.def"
}

static void write_conventions(FILE *out, const Rulebook *book) {
    fprintf(out, "static const ConventionRow CONVENTIONS[] = {\n");
    for (uint32_t i = 0; i < book->convention_count; i++) {
        const ConventionRow *row = &book->conventions[i];
        fprintf(out, "    {%u, %u, %u},\n", row->text, row->word, row->shape);
    }
    fputs("    {0, 0, 0},\n};\n\n", out);
    fprintf(out, "static const ConventionRows CONVENTION_ROWS[] = {\n");
    for (unsigned i = 0; i < NAMED_LIMIT; i++) {
        const ConventionRows *r = &book->convention_rows[i];
        fprintf(out, "    {%u, %u, %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ", %u},\n", r->first,
                r->count, r->lengths, r->heads, r->starts, r->ends, r->patterns);
    }
    fputs("};\n\n", out);
}

static void write_book(FILE *out, const Rulebook *book) {
    fputs("/* Written by rulec from the pages in rules/. Do not edit. */\n#include \"rulebook.h\"\n\n", out);
    write_texts(out, book);
    write_tables(out, book);
    write_ids(out, "ENTRY_LINKS", book->entry_links, book->entry_link_count);
    write_ids(out, "TERM_LINKS", book->term_links, book->term_link_count);
    write_ids(out, "PAGES", book->pages, book->page_count);
    write_conventions(out, book);
    fprintf(out,
            "static const Rulebook BOOK = {\n"
            "    ENTRIES, %u, ENTRY_LINKS, %u, CLAUSES, %u, PARAMS, %u, EFFECTS, %u,\n"
            "    TERMS, %u, TERM_LINKS, %u, HAZARDS, %u, REMEDIES, %u, PAGES, %u,\n"
            "    CONVENTIONS, %u, CONVENTION_ROWS, TEXTS, %u, %u, 0,\n"
            "};\n\nconst Rulebook *rulebook_builtin(void) { return &BOOK; }\n",
            book->entry_count, book->entry_link_count, book->clause_count, book->param_count,
            book->effect_count, book->term_count, book->term_link_count, book->hazard_count, book->remedy_count,
            book->page_count, book->convention_count, book->text_count, book->root);
}

/* Writes a temporary file first, so that an interrupted build leaves no half-written table. */
static int write_output(Arena *arena, const Command *command, const Rulebook *book) {
    if (!command->output) {
        write_book(stdout, book);
        bool sized = size_rules_write(stdout, arena, command->sizes.path, command->sizes.bytes);
        return !sized || ferror(stdout) ? 2 : 0;
    }
    Text temporary = text_format(arena, "%s.new", command->output);
    FILE *out = fopen(temporary.bytes, "w");
    if (out) write_book(out, book);
    bool fine = out && size_rules_write(out, arena, command->sizes.path, command->sizes.bytes) && !ferror(out);
    if (out) fine = fclose(out) == 0 && fine;
    if (!fine || rename(temporary.bytes, command->output)) {
        fprintf(stderr, "rulec: cannot write %s\n", command->output);
        return 2;
    }
    return 0;
}

int main(int argc, char **argv) {
    Arena arena = {0};
    Command command = read_command(&arena, argc, argv);
    Text error = {0};
    int status = 0;
    const Rulebook *book = rulepage_read(&arena, NULL, command.sources, command.count, &error);
    if (!book) {
        fprintf(stderr, "%.*s\n", SHOWN(error));
        status = 2;
    } else if (command.dump) {
        dump_rulebook(stdout, book);
    } else {
        status = write_output(&arena, &command, book);
    }
    arena_free(&arena);
    return status;
}
