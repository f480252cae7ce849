#include "mend.h"
#include "place.h"
#include "snippet.h"
#include "source_names.h"

enum { NAMED_AT_MOST = 3, LOOKED_AT = 16, NAME_LIMIT = 48, CALL_LIMIT = 96, RAW_LIMIT = 24 };

/* The inputs for the placeholders of a template. */
typedef struct Filling {
    Arena *arena;
    const Report *report;
    const Finding *const *findings;
    uint32_t count;
    MendCause cause;
    bool brief;
} Filling;

static bool names(Text template, const char *place) { return text_holds(template, place); }

static Text expression(const Finding *finding) { return source_text(finding->file, finding->site->span); }

/* Whether every placeholder can be filled in: a loop without a loader takes no advice about one. */
static bool can_be_filled(const Report *report, const Finding *finding, Text template) {
    const Site *site = finding->site;
    if (names(template, "{loader") && !report->loaders[site->loop].length) return false;
    if (names(template, "{index") && !source_index(finding->file, site).length) return false;
    return !names(template, "+") || text_ends(expression(finding), TEXT(")")) || !names(template, "{expr");
}

Text mend_template(const Report *report, const Finding *finding) {
    const Rulebook *book = report->analysis->rulebook;
    const Hazard *hazard = &book->hazards[finding->site->hazard];
    Text lines = finding->own_advice ? (Text){0} : rulebook_text(book, hazard->mend);
    bool called = finding->site->frequency.unit == UNIT_CALL;
    Word purpose, sent = WORD_NONE;
    if (finding->site->loop && rulebook_does(book, finding->site->hazard, DOES_BIT(sends) | DOES_BIT(makes)))
        sent = source_sent(finding->file, report->bindings[finding->site->file], finding->site,
                           &report->analysis->findings->loops.items[finding->site->loop]);
    while (lines.length) {
        Text template = rulebook_mend(&lines, &purpose);
        bool meant = !purpose || purpose == finding->site->purpose || (purpose == PURPOSE_called && called) ||
                     purpose == sent ||
                     (purpose == PURPOSE_passed && source_caller(report->analysis, finding->site));
        if (meant && can_be_filled(report, finding, template)) return template;
    }
    return (Text){0};
}

bool mend_names_loader(const Rulebook *book, HazardId hazard) {
    return names(rulebook_text(book, book->hazards[hazard].mend), "{loader");
}

MendCause mend_cause(const Report *report, const Finding *finding) {
    const Analysis *analysis = report->analysis;
    Text template = mend_template(report, finding);
    const Site *site = finding->site;
    MendCause cause = {.file = finding->file};
    if (names(template, "{index"))
        cause.name = source_index(finding->file, site), cause.func = source_function(finding->file, site);
    if (names(template, "{loader")) {
        cause.file = &analysis->program->files.items[analysis->findings->loops.items[site->loop].file];
        cause.name = report->loaders[site->loop];
    }
    if (names(template, "{caller")) {
        const Reason *caller = source_caller(analysis, site);
        cause.file = &analysis->program->files.items[caller->file];
        cause.name = source_text(cause.file, caller->span), cause.at = caller->span.start;
    }
    return cause;
}

bool mend_place(const Report *report, const MendCause *cause, const Finding *finding, uint32_t *at) {
    const HotLoop *loops = report->analysis->findings->loops.items;
    if (cause->at) return *at = cause->at, true;
    bool index = names(mend_template(report, finding), "{index");
    uint32_t before = index ? finding->site->span.start : loops[finding->site->loop].head.start;
    const Bindings *bindings = report->bindings[index ? finding->site->file : loops[finding->site->loop].file];
    StmtId maker = cause->name.length ? bindings_maker(bindings, cause->name, before) : 0;
    *at = cause->file->model->stmts.items[maker].span.start;
    return maker != 0;
}

Text mend_clause(Text text) {
    bool code = false;
    for (uint32_t at = 0; at < text.length; at++) {
        if (text.bytes[at] == '`') code = !code;
        bool ends = at + 1 == text.length ? text.bytes[at] == '.'
                                          : text.bytes[at + 1] == ' ' && strchr(":;.", text.bytes[at]);
        if (!code && ends) return text_slice(text, 0, at);
    }
    return text;
}

/* ---- placeholders ---- */

static Text quoted(Arena *arena, Text name, uint32_t limit) {
    Text line = snippet_line(arena, name, limit);
    return text_format(arena, "`%.*s`", SHOWN(line));
}

/* `name` (line 12), with the file if it differs from the first finding's. */
static Text with_line(const Filling *self, Text text, const SourceFile *file, uint32_t at) {
    Arena *arena = self->arena;
    Text line = place_text(arena, file, at);
    if (file == self->findings[0]->file)
        return text_format(arena, "%.*s (%s%.*s)", SHOWN(text), text_starts(line, TEXT("cell")) ? "" : "line ",
                           SHOWN(line));
    return text_format(arena, "%.*s (%.*s:%.*s)", SHOWN(text), SHOWN(file->path), SHOWN(line));
}

/* The call with one more argument. */
static Text with_argument(Arena *arena, Text call, Text argument) {
    if (!argument.length || !text_ends(call, TEXT(")"))) return call;
    uint32_t end = call.length - 1;
    while (end && (call.bytes[end - 1] == ' ' || call.bytes[end - 1] == ',')) end--;
    const char *between = end && call.bytes[end - 1] == '(' ? "" : ", ";
    return text_format(arena, "%.*s%s%.*s)", (int)end, call.bytes, between, SHOWN(argument));
}

static Text words_of(const Filling *self, uint32_t i, bool value, Text argument) {
    const Finding *finding = self->findings[i];
    Text words = value ? source_value(finding->file, finding->site) : expression(finding);
    words = snippet_line(self->arena, words, 0);
    if (!text_ends(argument, TEXT("@"))) return with_argument(self->arena, words, argument);
    Text where = source_destination(finding->file, finding->site);
    return with_argument(
        self->arena, words,
        text_format(self->arena, "%.*s%.*s", (int)argument.length - 1, argument.bytes, SHOWN(where)));
}

static bool told_before(const Filling *self, uint32_t i, bool value) {
    for (uint32_t j = 0; j < i; j++)
        if (text_equal(words_of(self, j, value, (Text){0}), words_of(self, i, value, (Text){0}))) return true;
    return false;
}

/* "`a` (line 3), `b` (line 5) and 2 more"; a single finding without its line. */
static Text listed(const Filling *self, bool value, Text argument) {
    Text all = {0};
    uint32_t told = 0, more = self->count > LOOKED_AT ? self->count - LOOKED_AT : 0;
    uint32_t looked = self->count < LOOKED_AT ? self->count : LOOKED_AT;
    for (uint32_t i = 0; i < looked; i++) {
        if (told_before(self, i, value)) continue;
        if (told == (self->brief ? 1u : NAMED_AT_MOST)) {
            more++;
            continue;
        }
        const Finding *finding = self->findings[i];
        uint32_t limit = argument.length && !self->brief ? CALL_LIMIT : NAME_LIMIT;
        Text words = quoted(self->arena, words_of(self, i, value, argument), limit);
        if (self->count > 1) words = with_line(self, words, finding->file, finding->site->span.start);
        all = text_format(self->arena, "%.*s%s%.*s", (int)all.length, all.length ? all.bytes : "",
                          told++ ? ", " : "", SHOWN(words));
    }
    return more ? text_format(self->arena, "%.*s and %u more", SHOWN(all), more) : all;
}

static Text cause_text(const Filling *self, bool raw) {
    const MendCause *cause = &self->cause;
    if (raw) return snippet_line(self->arena, cause->name, NAME_LIMIT);
    Text name = quoted(self->arena, cause->name, NAME_LIMIT);
    uint32_t at;
    return mend_place(self->report, cause, self->findings[0], &at) ? with_line(self, name, cause->file, at)
                                                                   : name;
}

static Text filled(const Filling *self, Text place) {
    uint32_t end = 0;
    while (end < place.length && place.bytes[end] != ':' && place.bytes[end] != '+') end++;
    Text name = text_slice(place, 0, end), rest = text_slice(place, end, place.length);
    Text argument = text_starts(rest, TEXT("+")) ? text_slice(rest, 1, rest.length) : (Text){0};
    bool raw = text_equal(rest, TEXT(":raw")), value = text_starts(name, TEXT("value"));
    if (text_equal(name, TEXT("once"))) return (Text){"", 0};
    if (text_equal(name, TEXT("destination")))
        return source_destination(self->findings[0]->file, self->findings[0]->site);
    if (text_equal(name, TEXT("index")) || text_equal(name, TEXT("loader")) || text_equal(name, TEXT("caller")))
        return cause_text(self, raw);
    if (text_ends(name, TEXT("s"))) return listed(self, value, argument);
    Text words = words_of(self, 0, value, argument);
    if (!raw) return quoted(self->arena, words, argument.length ? CALL_LIMIT : NAME_LIMIT);
    words = snippet_line(self->arena, words, 0);
    return words.length > RAW_LIMIT ? TEXT("value") : words; /* code that was cut is not valid code */
}

/* `a / b` becomes `(a / b)` before a method call. */
static Text bound(Arena *arena, Text words) {
    int depth = 0;
    bool loose = false;
    for (uint32_t i = 0; i < words.length; i++) {
        char byte = words.bytes[i];
        depth += (strchr("([{", byte) != NULL) - (strchr(")]}", byte) != NULL);
        loose |= depth == 0 && strchr(" +-*/@%<>=&|^", byte);
    }
    return loose ? text_format(arena, "(%.*s)", SHOWN(words)) : words;
}

static Text fill(const Filling *self, Text template) {
    Text text = {"", 0};
    for (uint32_t at = 0, end; at < template.length; at = end) {
        const char *open = memchr(template.bytes + at, '{', template.length - at);
        const char *close =
            open ? memchr(open, '}', template.length - (uint32_t)(open - template.bytes)) : NULL;
        uint32_t until = close ? (uint32_t)(open - template.bytes) : template.length;
        Text place = close ? filled(self, text_slice(template, until + 1, (uint32_t)(close - template.bytes)))
                           : (Text){"", 0};
        end = close ? (uint32_t)(close - template.bytes) + 1 : template.length;
        bool raw = close && close - open > 4 && memcmp(close - 4, ":raw", 4) == 0;
        if (raw && end < template.length && template.bytes[end] == '.') place = bound(self->arena, place);
        text = text_format(self->arena, "%.*s%.*s%.*s", SHOWN(text), (int)(until - at), template.bytes + at,
                           (int)place.length, place.length ? place.bytes : "");
    }
    return text;
}

/* Advice shared by several lines names them at the end of its first clause. */
static Text own_advice(const Filling *self) {
    Text advice = self->findings[0]->suggestion;
    if (self->count < 2) return advice;
    Text names = listed(self, false, (Text){"", 0});
    uint32_t end = mend_clause(advice).length;
    return text_format(self->arena, "%.*s (%.*s)%.*s", (int)end, advice.bytes, SHOWN(names),
                       (int)(advice.length - end), advice.bytes + end);
}

Text mend_text(Arena *arena, const Report *report, const Finding *const *findings, uint32_t count, bool brief) {
    Text template = mend_template(report, findings[0]);
    Filling filling = {arena, report, findings, count, mend_cause(report, findings[0]), brief};
    return template.length ? fill(&filling, template) : own_advice(&filling);
}
