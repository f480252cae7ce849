#include "selection.h"

uint32_t selection_precision(const Rulebook *book, HazardId hazard, Text word) {
    if (text_equal(rulebook_text(book, book->hazards[hazard].name), word)) return UINT32_MAX;
    if (text_equal(word, TEXT("ALL"))) return 1;
    bool code_prefix = word.length >= 3 && text_starts(rulebook_text(book, book->hazards[hazard].code), word);
    return code_prefix ? word.length + 1 : 0;
}

static uint32_t best_precision(const Rulebook *book, HazardId hazard, const Strings *words) {
    uint32_t best = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t found = selection_precision(book, hazard, text_of(words->items[i]));
        if (found > best) best = found;
    }
    return best;
}

static Text unknown_rule(Arena *arena, const Rulebook *book, const char *word) {
    Nearest nearest = {0};
    for (HazardId id = 1; id < book->hazard_count; id++) {
        Text name = rulebook_text(book, book->hazards[id].name),
             code = rulebook_text(book, book->hazards[id].code);
        /* Terminated copies: arena memory is zeroed. */
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

static bool all_known(Arena *arena, const Rulebook *book, const Strings *words, Text *error) {
    for (uint32_t i = 0; i < words->count; i++) {
        uint32_t matches = 0;
        for (HazardId id = 1; id < book->hazard_count; id++)
            matches += selection_precision(book, id, text_of(words->items[i])) > 0;
        if (matches > 0) continue;
        *error = unknown_rule(arena, book, words->items[i]);
        return false;
    }
    return true;
}

bool selection_make(Arena *result, const Rulebook *book, const Strings *select, const Strings *ignore,
                    Selection *selection, Text *error) {
    if (!all_known(result, book, select, error) || !all_known(result, book, ignore, error)) return false;
    bool *shown = arena_new(result, bool, book->hazard_count + 1u);
    for (HazardId id = 1; id < book->hazard_count; id++) {
        uint32_t wanted = select->count ? best_precision(book, id, select) : 1;
        uint32_t unwanted = best_precision(book, id, ignore);
        shown[id] = wanted > unwanted || (wanted > 0 && unwanted == 0);
    }
    *selection = (Selection){shown};
    return true;
}

HazardId selection_rule(Arena *arena, const Rulebook *book, const char *word, Text *error) {
    HazardId id = rulebook_hazard(book, text_of(word));
    if (!id) *error = unknown_rule(arena, book, word);
    return id;
}
