/* The last step of a draft: makes the flat tables of a Rulebook. */
#include "conventions.h"
#include "draft.h"
#include <stdlib.h>

typedef struct Finish {
    Draft *draft;
    VEC(uint32_t) links;
    VEC(Clause) clauses;
} Finish;

static int compare_places(const void *left, const void *right) {
    const DraftError *a = left, *b = right;
    if (a->place.page != b->place.page) return a->place.page < b->place.page ? -1 : 1;
    return a->place.line < b->place.line ? -1 : a->place.line > b->place.line;
}

static Text errors_text(Draft *draft) {
    Text all = {0};
    qsort(draft->errors.items, draft->errors.count, sizeof *draft->errors.items, compare_places);
    for (uint32_t i = 0; i < draft->errors.count; i++) {
        const DraftError *error = &draft->errors.items[i];
        Text page = draft_name(draft, draft->pages.items[error->place.page]);
        all = text_format(draft->arena, "%.*s%s%.*s:%u: %.*s", (int)all.length, all.length ? all.bytes : "",
                          i ? "\n" : "", SHOWN(page), error->place.line, SHOWN(error->what));
    }
    return all;
}

typedef struct NamedEntry {
    Text name;
    EntryId entry;
} NamedEntry;

static void add_children(Finish *finish, DraftEntry *entry) {
    Draft *draft = finish->draft;
    uint32_t count = entry->children.count;
    NamedEntry *sorted = arena_new(draft->arena, NamedEntry, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        EntryId child = entry->children.items[i];
        sorted[i] = (NamedEntry){draft_name(draft, draft->entries.items[child].entry.name), child};
    }
    qsort(sorted, count, sizeof *sorted, text_order);
    entry->entry.first_child = finish->links.count;
    entry->entry.child_count = count;
    for (uint32_t i = 0; i < count; i++) vec_push(draft->arena, &finish->links, sorted[i].entry);
}

static void add_bases(Finish *finish, DraftEntry *entry) {
    entry->entry.first_base = finish->links.count;
    entry->entry.base_count = entry->bases.count;
    for (uint32_t i = 0; i < entry->bases.count; i++)
        vec_push(finish->draft->arena, &finish->links, entry->bases.items[i]);
}

/* Clauses of hazard pages first, then those of api stubs; each in the order of reading. */
static void add_clauses(Finish *finish, DraftEntry *entry) {
    entry->entry.first_clause = finish->clauses.count;
    entry->entry.clause_count = entry->clauses.count;
    for (int stubs = 0; stubs < 2; stubs++)
        for (uint32_t i = 0; i < entry->clauses.count; i++) {
            Clause clause = finish->draft->clauses.items[entry->clauses.items[i]];
            if ((clause.hazard == 0) == (stubs == 1)) vec_push(finish->draft->arena, &finish->clauses, clause);
        }
}

static void finish_entry(Finish *finish, EntryId id) {
    DraftEntry *entry = &finish->draft->entries.items[id];
    if (entry->entry.kind == ENTRY_NO && id) entry->entry.kind = ENTRY_MODULE;
    add_children(finish, entry);
    add_bases(finish, entry);
    add_clauses(finish, entry);
}

static const Entry *flat_entries(const Draft *draft) {
    Entry *flat = arena_new(draft->arena, Entry, draft->entries.count);
    for (uint32_t i = 0; i < draft->entries.count; i++) flat[i] = draft->entries.items[i].entry;
    return flat;
}

/* Puts an empty text first, so that TextId 0 is valid. */
static const Text *flat_texts(const Draft *draft) {
    Text *flat = arena_new(draft->arena, Text, draft->texts.texts.count + 1);
    flat[0] = TEXT("");
    for (uint32_t i = 0; i < draft->texts.texts.count; i++) flat[i + 1] = draft->texts.texts.items[i];
    return flat;
}

static uint64_t bit(uint32_t number) { return (uint64_t)1 << (number & 63); }

static void note_row(ConventionRows *rows, const ConventionRow *row, Text text) {
    unsigned char head = (unsigned char)text.bytes[0], tail = (unsigned char)text.bytes[text.length - 1];
    switch ((RowShape)row->shape) {
    case ROW_WHOLE: rows->lengths |= bit(text.length), rows->heads |= bit(head); break;
    case ROW_START: rows->starts |= bit(head); break;
    case ROW_END: rows->ends |= bit(tail); break;
    case ROW_PATTERN: rows->patterns = true; break;
    }
    rows->count++;
}

/* Sorts rows by word, stably. */
static void finish_conventions(const Draft *draft, Rulebook *book) {
    ConventionRows *words = arena_new(draft->arena, ConventionRows, NAMED_LIMIT);
    ConventionRow *rows = arena_new(draft->arena, ConventionRow, draft->conventions.count + 1);
    uint32_t count = 0;
    for (uint16_t word = 0; word < NAMED_LIMIT; word++) {
        words[word].first = count;
        for (uint32_t i = 0; i < draft->conventions.count; i++) {
            const ConventionRow *row = &draft->conventions.items[i];
            if (row->word != word) continue;
            note_row(&words[word], row, draft_name(draft, row->text));
            rows[count++] = *row;
        }
    }
    book->conventions = rows;
    book->convention_count = count;
    book->convention_rows = words;
}

/* By hazard, safe before unsafe, else in page order: the first that matches is taken. */
static void finish_remedies(const Draft *draft, Rulebook *book) {
    Remedy *sorted = arena_new(draft->arena, Remedy, draft->remedies.count);
    uint32_t count = 1;
    for (HazardId hazard = 1; hazard < draft->hazards.count; hazard++)
        for (int unsafe = 0; unsafe < 2; unsafe++)
            for (uint32_t i = 1; i < draft->remedies.count; i++) {
                const Remedy *remedy = &draft->remedies.items[i];
                if (remedy->hazard == hazard && (remedy->doubt || remedy->unproven) == unsafe)
                    sorted[count++] = *remedy;
            }
    book->remedies = sorted;
    book->remedy_count = count;
}

const Rulebook *draft_finish(Draft *draft, Text *error) {
    if (draft->errors.count) {
        *error = errors_text(draft);
        return NULL;
    }
    Finish finish = {.draft = draft};
    vec_push(draft->arena, &finish.links, 0);
    vec_push(draft->arena, &finish.clauses, (Clause){0});
    for (EntryId i = 0; i < draft->entries.count; i++) finish_entry(&finish, i);
    Rulebook *book = arena_new(draft->arena, Rulebook, 1);
    *book = (Rulebook){
        .entries = flat_entries(draft),
        .entry_count = draft->entries.count,
        .entry_links = finish.links.items,
        .entry_link_count = finish.links.count,
        .clauses = finish.clauses.items,
        .clause_count = finish.clauses.count,
        .params = draft->params.items,
        .param_count = draft->params.count,
        .effects = draft->effects.items,
        .effect_count = draft->effects.count,
        .terms = draft->terms.items,
        .term_count = draft->terms.count,
        .term_links = draft->term_links.items,
        .term_link_count = draft->term_links.count,
        .hazards = draft->hazards.items,
        .hazard_count = draft->hazards.count,
        .pages = draft->pages.items,
        .page_count = draft->pages.count,
        .texts = flat_texts(draft),
        .text_count = draft->texts.texts.count + 1,
        .root = DRAFT_ROOT,
    };
    finish_conventions(draft, book);
    finish_remedies(draft, book);
    return book;
}
