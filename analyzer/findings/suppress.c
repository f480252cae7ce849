#include "suppress.h"
#include "selection.h"

/* A cursor in a comment, starting at its '#'. */
typedef struct Reader {
    Arena *arena;
    Text text;
    uint32_t at;
} Reader;

/* ---- one comment ---- */

static char peek(const Reader *reader) {
    return reader->at < reader->text.length ? reader->text.bytes[reader->at] : '\0';
}

static void skip_any(Reader *reader, const char *set) {
    while (peek(reader) && strchr(set, peek(reader))) reader->at++;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Reads a word, given in lower case here and in any case there. */
static bool take(Reader *reader, const char *word) {
    uint32_t at = reader->at;
    for (; *word; word++, at++)
        if (at >= reader->text.length || lower(reader->text.bytes[at]) != *word) return false;
    reader->at = at;
    return true;
}

static Text take_until(Reader *reader, const char *set) {
    uint32_t from = reader->at;
    while (reader->at < reader->text.length && !(peek(reader) && strchr(set, peek(reader)))) reader->at++;
    return text_slice(reader->text, from, reader->at);
}

typedef VEC(Text) Words;

static void keep_words(Arena *arena, Allowance *allowance, const Words *words) {
    allowance->rules = words->items;
    allowance->rule_count = words->count;
    allowance->rule_used = arena_new(arena, bool, words->count + 1u);
}

static Text trimmed(Text text) {
    while (text.length && strchr(" \t\r", text.bytes[text.length - 1])) text.length--;
    return text;
}

/* Reads `allow[a, b] reason`. */
static bool read_allow(Reader *reader, Allowance *allowance) {
    Words words = {0};
    skip_any(reader, " \t");
    if (peek(reader) == '[') {
        reader->at++;
        for (skip_any(reader, " \t,"); peek(reader) && peek(reader) != ']'; skip_any(reader, " \t,"))
            vec_push(reader->arena, &words, take_until(reader, " \t,]"));
        if (peek(reader) != ']' || words.count == 0) return false;
        reader->at++;
    }
    skip_any(reader, " \t:,-");
    allowance->reason = trimmed(take_until(reader, "#"));
    keep_words(reader->arena, allowance, &words);
    return true;
}

static bool is_code(Text word) {
    uint32_t at = 0;
    while (at < word.length && word.bytes[at] >= 'A' && word.bytes[at] <= 'Z') at++;
    uint32_t letters = at;
    while (at < word.length && word.bytes[at] >= '0' && word.bytes[at] <= '9') at++;
    return letters > 0 && at > letters && at == word.length;
}

/* Reads `noqa: E501, SYN101`: only our codes count, and words after the codes are prose. */
static bool read_noqa(Reader *reader, Allowance *allowance) {
    Words words = {0};
    allowance->is_noqa = true;
    for (skip_any(reader, " \t,"); reader->at < reader->text.length; skip_any(reader, " \t,")) {
        Text word = take_until(reader, " \t,#");
        if (!is_code(word)) break;
        if (text_starts(word, TEXT("SYN"))) vec_push(reader->arena, &words, word);
    }
    keep_words(reader->arena, allowance, &words);
    return words.count > 0;
}

/* Reads the pragma at a '#'. A comment may hold several, each after its own '#'. */
static bool read_pragma(Reader *reader, Allowance *allowance) {
    skip_any(reader, "# \t");
    allowance->pragma.start = allowance->comment.start + reader->at;
    if (take(reader, "noqa:")) return read_noqa(reader, allowance);
    if (!take(reader, "syncl:")) return false;
    skip_any(reader, " \t");
    if (take(reader, "skip-file")) {
        allowance->line = 0;
        skip_any(reader, " \t:,-");
        allowance->reason = trimmed(take_until(reader, "#"));
        return true;
    }
    return take(reader, "allow") && read_allow(reader, allowance);
}

/* ---- all comments ---- */

static void read_comment(Arena *arena, const SourceFile *file, FileId id, Span span, Suppressions *found) {
    Reader reader = {arena, text_slice(file->bytes, span.start, span.end), 0};
    while (reader.at < reader.text.length) {
        Allowance allowance = {.file = id, .line = model_line(file->model, span.start), .comment = span};
        bool good = read_pragma(&reader, &allowance);
        Text rest = trimmed(text_slice(reader.text, 0, (take_until(&reader, "#"), reader.at)));
        allowance.pragma.end = span.start + rest.length;
        if (good) vec_push(arena, &found->allowances, allowance);
    }
}

static void read_comments(Arena *arena, const Program *program, Suppressions *found) {
    for (FileId id = 1; id < program->files.count; id++) {
        const SourceFile *file = &program->files.items[id];
        for (uint32_t i = 0; file->reported && i < file->model->comments.count; i++)
            if (file->model->comments.items[i].span.end > 0)
                read_comment(arena, file, id, file->model->comments.items[i].span, found);
    }
}

/* ---- sites ---- */

static bool names_rule(const Allowance *allowance, const Rulebook *book, HazardId hazard) {
    for (uint32_t i = 0; i < allowance->rule_count; i++)
        if (selection_precision(book, hazard, allowance->rules[i])) return true;
    return allowance->rule_count == 0;
}

static void note_use(Allowance *allowance, const Rulebook *book, HazardId hazard) {
    allowance->used++;
    for (uint32_t i = 0; i < allowance->rule_count; i++)
        if (selection_precision(book, hazard, allowance->rules[i])) allowance->rule_used[i] = true;
}

static bool stands_at(const Allowance *allowance, const FileModel *model, const Site *site) {
    if (allowance->line == 0) return true;
    Lines lines = site_lines(model, site);
    return allowance->line >= lines.first && allowance->line <= lines.last;
}

static bool allow_site(Suppressions *found, const Program *program, const Rulebook *book, const Site *site) {
    bool allowed = false;
    for (uint32_t i = 0; i < found->allowances.count; i++) {
        Allowance *allowance = &found->allowances.items[i];
        if (allowance->file != site->file || !names_rule(allowance, book, site->hazard)) continue;
        if (!stands_at(allowance, program->files.items[site->file].model, site)) continue;
        note_use(allowance, book, site->hazard);
        allowed = true;
    }
    return allowed;
}

Suppressions *suppress_sites(Arena *result, const Program *program, const Rulebook *book,
                             const Findings *findings) {
    Suppressions *found = arena_new(result, Suppressions, 1);
    bool *allowed = arena_new(result, bool, findings->sites.count + 1u);
    read_comments(result, program, found);
    for (SiteId id = 1; id < findings->sites.count; id++)
        allowed[id] = allow_site(found, program, book, &findings->sites.items[id]);
    for (uint32_t i = 0; i < found->allowances.count; i++)
        found->unused += found->allowances.items[i].used == 0;
    found->allowed = allowed;
    return found;
}
