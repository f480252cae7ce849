#include "rulebook.h"

Text rulebook_text(const Rulebook *book, TextId text) {
    return text < book->text_count ? book->texts[text] : (Text){0};
}

static EntryId follow_alias(const Rulebook *book, EntryId entry) {
    return book->entries[entry].kind == ENTRY_ALIAS ? book->entries[entry].target : entry;
}

EntryId rulebook_child(const Rulebook *book, EntryId parent, Text name) {
    const Entry *entry = &book->entries[parent];
    uint32_t low = entry->first_child, high = low + entry->child_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        EntryId child = book->entry_links[middle];
        int order = text_compare(book->texts[book->entries[child].name], name);
        if (order == 0) return follow_alias(book, child);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

/* Terminates: rulepage rejects cycles of base classes. */
EntryId rulebook_member(const Rulebook *book, EntryId class_entry, Text name) {
    EntryId own = rulebook_child(book, class_entry, name);
    const Entry *entry = &book->entries[class_entry];
    for (uint32_t i = 0; !own && i < entry->base_count; i++)
        own = rulebook_member(book, book->entry_links[entry->first_base + i], name);
    return own;
}

EntryId rulebook_find(const Rulebook *book, Text dotted) {
    EntryId at = book->root;
    uint32_t start = 0;
    while (at && start <= dotted.length) {
        uint32_t end = start;
        while (end < dotted.length && dotted.bytes[end] != '.') end++;
        at = rulebook_child(book, at, text_slice(dotted, start, end));
        start = end + 1;
    }
    return at;
}

bool rulebook_inherits(const Rulebook *book, EntryId class_entry, EntryId base) {
    if (class_entry == base) return true;
    const Entry *entry = &book->entries[class_entry];
    for (uint32_t i = 0; i < entry->base_count; i++)
        if (rulebook_inherits(book, book->entry_links[entry->first_base + i], base)) return true;
    return false;
}

HazardId rulebook_hazard(const Rulebook *book, Text name_or_code) {
    for (HazardId i = 1; i < book->hazard_count; i++)
        if (text_equal(book->texts[book->hazards[i].name], name_or_code) ||
            text_equal(book->texts[book->hazards[i].code], name_or_code))
            return i;
    return 0;
}

HazardId rulebook_finds(const Rulebook *book, Word finds) {
    for (HazardId i = 1; i < book->hazard_count; i++)
        if (book->hazards[i].finds == finds) return i;
    return 0;
}

bool rulebook_does(const Rulebook *book, HazardId hazard, uint32_t does) {
    return book->hazards[hazard].does & does;
}

uint32_t rulebook_version(uint32_t major, uint32_t minor) { return major * 1000 + minor; }

static uint32_t read_number(Text text, uint32_t *at) {
    uint32_t number = 0;
    for (; *at < text.length && text.bytes[*at] >= '0' && text.bytes[*at] <= '9'; ++*at)
        number = number * 10 + (uint32_t)(text.bytes[*at] - '0');
    return number;
}

bool rulebook_version_is(const Rulebook *book, Text condition) {
    uint32_t wanted = book->torch_version ? book->torch_version
                                          : rulebook_version(TORCH_MEASURED_MAJOR, TORCH_MEASURED_MINOR);
    bool less = text_starts(condition, TEXT("<")), more = text_starts(condition, TEXT(">"));
    bool unequal = text_starts(condition, TEXT("!"));
    uint32_t at = 0;
    while (at < condition.length && (condition.bytes[at] < '0' || condition.bytes[at] > '9')) at++;
    bool equal = at > 0 && condition.bytes[at - 1] == '=' && !unequal;
    uint32_t major = read_number(condition, &at);
    at++;
    uint32_t stated = rulebook_version(major, read_number(condition, &at));
    return (less && wanted < stated) || (more && wanted > stated) || (equal && wanted == stated) ||
           (unequal && wanted != stated);
}

const char *rulebook_word(Word word) {
    static const char *const words[WORD_LIMIT] = {
        "",
#define CONDITION(word, arguments, meaning) #word,
#include "effects.def"
#define REMEDY(word, least, most, meaning) #word,
#include "effects.def"
#define RETURN(word, least, most, meaning) #word,
#include "effects.def"
#define EFFECT(word, least, most, meaning) #word,
#include "effects.def"
        "to_host", "to_device", "here",  "once",   "step", "epoch", "evaluation",
        "forward", "worker",    "count", "length", "is_",  "grad",  "version",
#define MAKES(word, arguments, meaning) #word,
#include "effects.def"
#define FINDS(word, meaning) #word,
#include "effects.def"
#define DOES(word, meaning) #word,
#include "effects.def"
#define TRACE(word, meaning) #word,
#include "effects.def"
#define PURPOSE(word, need, meaning) #word,
#include "effects.def"
    };
    return words[word];
}

Word rulebook_word_between(Word first, Word end, Text name) {
    for (uint16_t word = (uint16_t)first; word < end; word++)
        if (text_equal(text_of(rulebook_word((Word)word)), name)) return (Word)word;
    return WORD_NONE;
}

Text rulebook_mend(Text *mends, Word *purpose) {
    const char *end = memchr(mends->bytes, '\n', mends->length);
    uint32_t length = end ? (uint32_t)(end - mends->bytes) : mends->length;
    Text line = text_slice(*mends, 0, length);
    *mends = text_slice(*mends, end ? length + 1 : length, mends->length), *purpose = WORD_NONE;
    const char *close = text_starts(line, TEXT("(")) ? memchr(line.bytes, ')', line.length) : NULL;
    if (!close) return line;
    uint32_t at = (uint32_t)(close - line.bytes);
    *purpose = rulebook_word_between(PURPOSE_made, WORD_LIMIT, text_slice(line, 1, at));
    return text_slice(line, at + 2 < line.length ? at + 2 : line.length, line.length);
}

Text rulebook_effect_text(const Rulebook *book, ClauseId clause, Word effect) {
    if (!clause) return (Text){0};
    const Clause *of = &book->clauses[clause];
    for (uint32_t i = 0; i < of->effect_count; i++) {
        const RuleEffect *one = &book->effects[of->first_effect + i];
        if (one->word == effect)
            return rulebook_text(book, (TextId)book->terms[book->term_links[one->first]].value);
    }
    return (Text){0};
}

bool rulebook_effect(const Rulebook *book, ClauseId clause, Word effect) {
    const Clause *at = &book->clauses[clause];
    for (uint32_t i = 0; i < at->effect_count; i++)
        if (book->effects[at->first_effect + i].word == effect) return true;
    return false;
}

EntryId rulebook_module(const Rulebook *book, EntryId entry) {
    while (entry && book->entries[entry].kind != ENTRY_MODULE) entry = book->entries[entry].parent;
    return entry;
}

bool rulebook_says(const Rulebook *book, EntryId entry, Word effect) {
    for (uint32_t c = 0; c < book->entries[entry].clause_count; c++)
        if (rulebook_effect(book, book->entries[entry].first_clause + c, effect)) return true;
    return false;
}

bool rulebook_is_hook(const Rulebook *book, EntryId entry) { return rulebook_says(book, entry, EFF_called); }

const Text *rulebook_hooks(Arena *arena, const Rulebook *book, uint32_t *count) {
    Names names = {.arena = arena};
    for (EntryId id = 1; id < book->entry_count; id++)
        if (rulebook_is_hook(book, id)) (void)names_intern(&names, rulebook_text(book, book->entries[id].name));
    *count = names.texts.count;
    return names.texts.items;
}
