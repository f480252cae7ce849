#include "ignore.h"
#include "file.h"
#include "pattern.h"
#include "path.h"

typedef struct Rule {
    Text pattern;
    bool takes_back; /* starts with `!` */
    bool folders;    /* ends with a slash: matches folders only */
    bool anchored;   /* has a slash elsewhere: matched from the folder of its file */
} Rule;

typedef struct Rules {
    VEC(Rule) rules;
    bool read;
} Rules;

struct Ignores {
    Arena *arena;
    Inputs *inputs;
    Text root;
    bool in_repository;
    Names folders;        /* absolute */
    VEC(Rules) by_folder; /* by id - 1 */
    Rules exclude;        /* .git/info/exclude */
    VEC(Text) unread;     /* ignore files that exist but cannot be read: path and reason */
};

/* ---- a file ---- */

static Text trimmed(Text line) {
    if (line.length && line.bytes[line.length - 1] == '\r') line.length--;
    while (line.length && line.bytes[line.length - 1] == ' ' &&
           !(line.length > 1 && line.bytes[line.length - 2] == '\\'))
        line.length--;
    return line;
}

static void read_line(Arena *arena, Rules *rules, Text line) {
    Rule rule = {.pattern = trimmed(line)};
    if (!rule.pattern.length || rule.pattern.bytes[0] == '#') return;
    if (rule.pattern.bytes[0] == '!') {
        rule.takes_back = true;
        rule.pattern = text_slice(rule.pattern, 1, rule.pattern.length);
    }
    if (text_ends(rule.pattern, TEXT("/"))) {
        rule.folders = true;
        rule.pattern.length--;
    }
    rule.anchored = rule.pattern.length && memchr(rule.pattern.bytes, '/', rule.pattern.length) != NULL;
    if (text_starts(rule.pattern, TEXT("/"))) rule.pattern = text_slice(rule.pattern, 1, rule.pattern.length);
    if (rule.pattern.length) vec_push(arena, &rules->rules, rule);
}

/* A folder of that name is ignored by git too. */
static void note_unread(Ignores *self, Text path, Text why) {
    if (!file_exists(self->arena, path)) return;
    Text words = text_format(self->arena, "%.*s: %.*s; nothing is left out for it", SHOWN(path), SHOWN(why));
    vec_push(self->arena, &self->unread, words);
}

static void read_rules(Ignores *self, Rules *rules, Text path) {
    Text bytes, why;
    rules->read = true;
    inputs_file(self->inputs, path);
    if (!file_read(self->arena, path, &bytes, &why)) {
        note_unread(self, path, why);
        return;
    }
    if (text_starts(bytes, TEXT("\xEF\xBB\xBF"))) bytes = text_slice(bytes, 3, bytes.length);
    for (uint32_t start = 0, end; start < bytes.length; start = end + 1) {
        for (end = start; end < bytes.length && bytes.bytes[end] != '\n';) end++;
        read_line(self->arena, rules, text_slice(bytes, start, end));
    }
}

static const Rules *rules_of(Ignores *self, Text folder) {
    Sym id = names_intern(&self->folders, folder);
    while (self->by_folder.count < id) vec_push(self->arena, &self->by_folder, (Rules){0});
    Rules *rules = &self->by_folder.items[id - 1];
    if (!rules->read) read_rules(self, rules, path_join(self->arena, folder, TEXT(".gitignore")));
    return rules;
}

Ignores *ignores_new(Arena *result, const Repository *repository, Inputs *inputs) {
    Ignores *self = arena_new(result, Ignores, 1);
    *self = (Ignores){
        .arena = result, .inputs = inputs, .root = repository->root, .in_repository = repository->found};
    self->folders.arena = result;
    if (repository->found)
        read_rules(self, &self->exclude, path_join(result, repository->root, TEXT(".git/info/exclude")));
    return self;
}

/* ---- a path ---- */

typedef enum Verdict { UNTOLD, IGNORED, TAKEN_BACK } Verdict;

/* The last matching rule wins. */
static Verdict judge(const Rules *rules, Text folder, Text absolute, bool is_folder) {
    Text below = path_below(absolute, folder), base = path_base(absolute);
    for (uint32_t i = rules->rules.count; i-- > 0;) {
        const Rule *rule = &rules->rules.items[i];
        if (rule->folders && !is_folder) continue;
        if (pattern_match(rule->pattern, rule->anchored ? below : base, false))
            return rule->takes_back ? TAKEN_BACK : IGNORED;
    }
    return UNTOLD;
}

bool ignores_path(Ignores *self, Text absolute, bool is_folder) {
    if (!self->in_repository || !path_is_below(absolute, self->root)) return false;
    for (Text folder = path_folder(absolute); path_is_below(folder, self->root); folder = path_folder(folder)) {
        Verdict verdict = judge(rules_of(self, folder), folder, absolute, is_folder);
        if (verdict != UNTOLD) return verdict == IGNORED;
        if (folder.length <= 1) break;
    }
    return judge(&self->exclude, self->root, absolute, is_folder) == IGNORED;
}

Text ignores_unread(const Ignores *self, uint32_t nth) {
    return nth < self->unread.count ? self->unread.items[nth] : (Text){0};
}
