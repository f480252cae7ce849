#include "selection.h"

uint32_t selection_precision(const Rulebook *book, HazardId hazard, Text word) {
    if (text_equal(rulebook_text(book, book->hazards[hazard].name), word)) return UINT32_MAX;
    if (text_equal(word, TEXT("ALL"))) return 1;
    bool code_prefix = word.length >= 3 && text_starts(rulebook_text(book, book->hazards[hazard].code), word);
    return code_prefix ? word.length + 1 : 0;
}

static uint32_t best_precision(const Rulebook *book, HazardId hazard, const Wordings *words) {
    uint32_t best = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t found = selection_precision(book, hazard, text_of(words->items[i].text));
        if (found > best) best = found;
    }
    return best;
}

static Text unknown_rule(Arena *arena, const Rulebook *book, const char *word) {
    Nearest nearest = {0};
    for (HazardId id = 1; id < book->hazard_count; id++) {
        Text name = rulebook_text(book, book->hazards[id].name),
             code = rulebook_text(book, book->hazards[id].code);
        /* zero-terminated copies, as arena memory is zeroed */
        char *name_copy = arena_alloc(arena, name.length + 1u),
             *code_copy = arena_alloc(arena, code.length + 1u);
        memcpy(name_copy, name.bytes, name.length);
        memcpy(code_copy, code.bytes, code.length);
        nearest_try(&nearest, word, name_copy);
        nearest_try(&nearest, word, code_copy);
    }
    const char *near_word = nearest_word(&nearest);
    if (!near_word) return text_format(arena, "no rule is called '%s'; see syncl --rules", word);
    return text_format(arena, "no rule is called '%s'; the nearest is '%s'", word, near_word);
}

static bool all_known(Arena *arena, const Rulebook *book, const Wordings *words, Text *error) {
    for (uint32_t i = 0; i < words->count; i++) {
        const Wording *word = &words->items[i];
        uint32_t matches = 0;
        for (HazardId id = 1; id < book->hazard_count; id++)
            matches += selection_precision(book, id, text_of(word->text)) > 0;
        if (matches > 0) continue;
        *error = unknown_rule(arena, book, word->text);
        if (word->where.length)
            *error = text_format(arena, "%.*s: %.*s", SHOWN(word->where), (int)error->length, error->bytes);
        return false;
    }
    return true;
}

static bool is_known(Arena *arena, const Rulebook *book, const RuleLayer *layer, Text *error) {
    return all_known(arena, book, &layer->select, error) && all_known(arena, book, &layer->ignore, error) &&
           all_known(arena, book, &layer->extend_select, error);
}

static bool is_shown(const Rulebook *book, HazardId id, const RuleLayer *layer, bool before) {
    uint32_t selected = best_precision(book, id, &layer->select);
    uint32_t added = best_precision(book, id, &layer->extend_select);
    uint32_t wanted = selected > added ? selected : added;
    uint32_t unwanted = best_precision(book, id, &layer->ignore);
    if (wanted > unwanted) return true;
    if (unwanted > 0) return false;
    return before && !layer->has_select;
}

bool selection_make(Arena *result, const Rulebook *book, const RuleLayer *const *layers, uint32_t count,
                    const Wordings *ignored_here, Selection *selection, Text *error) {
    bool *shown = arena_new(result, bool, book->hazard_count + 1u);
    for (HazardId id = 1; id < book->hazard_count; id++) shown[id] = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_known(result, book, layers[i], error)) return false;
        for (HazardId id = 1; id < book->hazard_count; id++)
            shown[id] = is_shown(book, id, layers[i], shown[id]);
    }
    if (!all_known(result, book, ignored_here, error)) return false;
    for (HazardId id = 1; id < book->hazard_count; id++)
        if (best_precision(book, id, ignored_here) > 0) shown[id] = false;
    *selection = (Selection){shown};
    return true;
}

HazardId selection_rule(Arena *arena, const Rulebook *book, const char *word, Text *error) {
    HazardId id = rulebook_hazard(book, text_of(word));
    if (!id) *error = unknown_rule(arena, book, word);
    return id;
}
