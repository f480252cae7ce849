#ifndef SYNCL_WORDS_H
#define SYNCL_WORDS_H
/* The words of rules/sizes.py and Python's built-in functions, by number. Private to this room. */
#include "sizer.h"

typedef enum SizeWord {
    SIZE_NOTHING,
#define BUILTIN(name) SIZE_##name,
#define WORD(name, meaning) SIZE_##name,
#include "words.def"
#undef BUILTIN
#undef WORD
    SIZE_WORDS
} SizeWord;

static inline Thing argument(const CallArgs *args, uint32_t i) { return i < args->count ? args->items[i] : thing_unknown(); }

static inline Number number_at(Sizes *self, const CallArgs *args, uint32_t i) {
    return size_number(self, argument(args, i), (Text){0});
}

/* Evaluates a word that only rules/sizes.py has. */
Thing size_own_word(Sizes *self, Scope *scope, ExprId expr, uint32_t word, const CallArgs *args);

/* ---- words_axes.c ---- */
Thing size_axes(Sizes *self, const CallArgs *args);

/* ---- words.c ---- */
bool size_is_word(Text name, uint32_t *word);
bool size_is_builtin(Sizes *self, EntryId entry, uint32_t *word); /* a built-in of Python itself */
Thing size_word(Sizes *self, Scope *scope, ExprId expr, uint32_t word, const CallArgs *args);
bool size_text_method(Sizes *self, Thing receiver, Text name, const CallArgs *args, Thing *out);

#endif
