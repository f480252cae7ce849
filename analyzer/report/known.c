#include "known.h"
#include "fingerprint.h"
#include "glyph.h"
#include "snippet.h"

/* ---- keys of a finding ---- */

static bool holds(Span outer, Span inner) { return outer.start <= inner.start && inner.end <= outer.end; }

static FuncId innermost(const FileModel *model, Span span) {
    FuncId found = 0;
    for (FuncId id = 2; id < model->funcs.count; id++) {
        const Func *func = &model->funcs.items[id];
        if (func->name && holds(func->span, span)) found = id; /* nested functions come later */
    }
    return found;
}

static Text function_name(Arena *arena, const FileModel *model, FuncId id) {
    Text name = TEXT("");
    for (; id > 1; id = model->funcs.items[id].parent) {
        const Func *func = &model->funcs.items[id];
        Text own = model_name(model, func->name);
        if (!func->name) continue;
        if (func->class_id) {
            Text class_name = model_name(model, model->classes.items[func->class_id].name);
            own = text_format(arena, "%.*s.%.*s", SHOWN(class_name), SHOWN(own));
        }
        name = name.length ? text_format(arena, "%.*s.%.*s", SHOWN(own), SHOWN(name)) : own;
    }
    return name;
}

KnownFinding known_of(Arena *result, const Report *report, const Finding *finding) {
    const SourceFile *file = finding->file;
    const Site *site = finding->site;
    Text bytes = text_slice(file->bytes, site->span.start, site->span.end);
    Text path = repository_path(result, &report->options->repository, file->path);
    FuncId function = innermost(file->model, site->span);
    return (KnownFinding){
        .id = finding->fingerprint,
        .rule = finding->rule,
        .file = glyph_utf8(result, path),
        .function = glyph_utf8(result, function_name(result, file->model, function)),
        .expression = glyph_utf8(result, snippet_canonical(result, bytes)),
        .statement =
            text_format(result, "%016llx", (unsigned long long)fingerprint_source(file, site->statement)),
        .level = site->level,
        .finding = finding,
    };
}

/* ---- matching ---- */

typedef Text Key(Arena *arena, const KnownFinding *finding);

static Text key_id(Arena *arena, const KnownFinding *finding) {
    (void)arena;
    return finding->id;
}

static Text joined(Arena *arena, Text a, Text b, Text c, Text d) {
    return text_format(arena, "%.*s\n%.*s\n%.*s\n%.*s", SHOWN(a), SHOWN(b), SHOWN(c), SHOWN(d));
}

static Text key_function(Arena *arena, const KnownFinding *finding) {
    return joined(arena, finding->rule, finding->file, finding->function, finding->expression);
}

static Text key_statement(Arena *arena, const KnownFinding *finding) {
    return joined(arena, finding->rule, finding->function, finding->statement, finding->expression);
}

typedef struct Matcher {
    Arena scratch;
    const KnownList *known;
    bool *used;        /* [known] */
    uint32_t *matches; /* [now] */
} Matcher;

static void match_by(Matcher *self, const KnownFinding *now, uint32_t count, Key *key) {
    Names keys = {.arena = &self->scratch};
    uint32_t total = self->known->count;
    uint32_t *first = arena_new(&self->scratch, uint32_t, total + 1u); /* [Sym - 1] index + 1 */
    uint32_t *next = arena_new(&self->scratch, uint32_t, total + 1u);  /* [index] */
    for (uint32_t i = total; i-- > 0;) {
        if (self->used[i]) continue;
        Sym sym = names_intern(&keys, key(&self->scratch, &self->known->items[i]));
        next[i] = first[sym - 1];
        first[sym - 1] = i + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        Sym sym = self->matches[i] ? 0 : names_find(&keys, key(&self->scratch, &now[i]));
        uint32_t found = sym ? first[sym - 1] : 0;
        if (!found) continue;
        self->matches[i] = found;
        self->used[found - 1] = true;
        first[sym - 1] = next[found - 1];
    }
}

uint32_t *known_match(Arena *result, const KnownList *known, const KnownFinding *now, uint32_t count) {
    static Key *const keys[] = {key_id, key_function, key_statement};
    Matcher self = {.known = known};
    self.used = arena_new(&self.scratch, bool, known->count + 1u);
    self.matches = arena_new(result, uint32_t, count + 1u);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) match_by(&self, now, count, keys[i]);
    arena_free(&self.scratch);
    return self.matches;
}
