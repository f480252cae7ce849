/* The axes that a pattern of einsum or einops names. */
#include "words.h"

typedef struct Pattern {
    Sizes *self;
    Text text;
    uint32_t at;
    bool letters; /* each letter is an axis: einsum; else each word is one: einops */
} Pattern;

static bool starts(const Pattern *pattern, const char *with) {
    return text_starts(text_slice(pattern->text, pattern->at, pattern->text.length), text_of(with));
}

static bool ends(const Pattern *pattern) {
    return pattern->at >= pattern->text.length || pattern->text.bytes[pattern->at] == ',' ||
           starts(pattern, "->");
}

static Text next_name(Pattern *pattern) {
    uint32_t start = pattern->at;
    if (starts(pattern, "...")) {
        pattern->at += 3;
        return TEXT("...");
    }
    do pattern->at++;
    while (!pattern->letters && pattern->at < pattern->text.length &&
           text_is_word(pattern->text.bytes[pattern->at]));
    return text_slice(pattern->text, start, pattern->at);
}

/* `b (h w) c`: a list of names, in it lists of those in parentheses. */
static Thing read_operand(Pattern *pattern) {
    Thing operand = thing_list(pattern->self->arena, true), group = {0};
    while (!ends(pattern)) {
        char byte = pattern->text.bytes[pattern->at];
        if (byte == ' ' || byte == '(' || byte == ')') {
            pattern->at++;
            if (byte == '(') group = thing_list(pattern->self->arena, true);
            if (byte == ')' && group.kind == THING_LIST) list_push(pattern->self->arena, operand, group);
            if (byte == ')') group = (Thing){0};
            continue;
        }
        list_push(pattern->self->arena, group.kind == THING_LIST ? group : operand,
                  thing_text(next_name(pattern)));
    }
    return operand;
}

Thing size_axes(Sizes *self, const CallArgs *args) {
    Thing text = argument(args, 0), letters = size_truth_of(self, argument(args, 1));
    if (text.kind != THING_TEXT) return thing_unknown();
    Pattern pattern = {self, text.text, 0, letters.kind == THING_BOOL && letters.number.times != 0};
    Thing sides = thing_list(self->arena, true);
    bool result = false;
    for (;;) {
        list_push(self->arena, sides, read_operand(&pattern));
        if (pattern.at >= pattern.text.length) break;
        result = pattern.text.bytes[pattern.at] != ',';
        pattern.at += result ? 2 : 1;
    }
    return result ? sides : thing_unknown();
}
