#include "dump_evidence.h"
#include "evidence.h"
#include "place.h"

typedef struct Telling {
    FILE *out;
    const Inference *inference;
} Telling;

void dump_bits(FILE *out, Evidence seen) {
    fprintf(out, " score %.2f", evidence_score(seen));
    for (unsigned bit = 0; bit < EVIDENCES; bit++)
        if (seen >> bit & 1) fprintf(out, " %s", evidence_name(bit));
}

static void put(FILE *out, Text text) { fprintf(out, "%.*s ", (int)text.length, text.bytes); }

static void tell_effect(void *self, ContextId id, const Item *item, const Rate *rate, const Frame *frames) {
    const Telling *telling = self;
    const Inference *inference = telling->inference;
    const Rulebook *book = inference->book;
    const Context *context = inference->contexts.items[id];
    const SourceFile *file = &inference->program->files.items[context->file];
    (void)frames;
    if (item->kind == ITEM_USE || !file->reported) return;
    const EffectRecord *record = &context->effects.items[item->effect];
    bool hardly = record->says & SAYS_PERHAPS;
    HazardId hazard = hardly ? book->clauses[record->clause].hazard : record->hazard;
    if (!hazard || rate_is_once(rate, record)) return;
    Rate here = *rate;
    bool told = evidence_find(inference, context, item, record, &here);
    Confidence level = hardly ? CONFIDENCE_NONE : evidence_level(here.evidence);
    Span span = file->model->exprs.items[item->expr].span;
    Place place = place_shown(file, span.start);
    fprintf(telling->out, "%.*s:%u:%u %u ", (int)file->path.length, file->path.bytes, place.line, place.column,
            place_shown(file, span.end).line);
    put(telling->out, rulebook_text(book, book->hazards[hazard].name));
    put(telling->out, rulebook_text(book, book->entries[record->entry].qualified));
    fprintf(telling->out, "%s%s %s", unit_word(here.unit).bytes, here.only.length ? "+option" : "",
            told ? confidence_word(level).bytes : "once");
    dump_bits(telling->out, here.evidence);
    fputc('\n', telling->out);
}

static void tell_no_loop(void *self, const Rate *rate) {
    (void)self;
    (void)rate;
}

void dump_evidence(FILE *out, const Inference *inference) {
    Arena scratch = {0};
    Telling telling = {out, inference};
    Visitor visitor = {.self = &telling, .effect = tell_effect, .hot_loop = tell_no_loop};
    calls_visit(&scratch, calls_summarise(&scratch, inference, 1), &visitor);
    arena_free(&scratch);
}
