#include "explain.h"

enum { NAME_WIDTH = 26, LINE_WIDTH = 110 };

/* A code block keeps its lines; the rest of a page is Markdown that reads well as it is. */
void explain_rule(Output *output, const Rulebook *book, HazardId hazard) {
    Text page = rulebook_text(book, book->hazards[hazard].page);
    output_bytes(output, page);
    if (!text_ends(page, TEXT("\n"))) output_text(output, "\n");
}

/* Messages are written for a finding: outside of one, {expr} is any expression. */
static Text without_place(Arena *arena, Text message) {
    static const char place[] = "{expr}";
    for (uint32_t at = 0; at + sizeof place - 1 <= message.length; at++)
        if (memcmp(message.bytes + at, place, sizeof place - 1) == 0)
            return text_format(arena, "%.*s...%.*s", (int)at, message.bytes,
                               (int)(message.length - at - (sizeof place - 1)),
                               message.bytes + at + sizeof place - 1);
    return message;
}

static void write_row(Output *output, const Rulebook *book, const Hazard *hazard) {
    Text code = rulebook_text(book, hazard->code), name = rulebook_text(book, hazard->name);
    output_format(output, "%.*s  ", (int)code.length, code.bytes);
    output_style(output, STYLE_BOLD);
    output_bytes(output, name);
    output_style(output, STYLE_PLAIN);
    output_repeat(output, ' ', name.length < NAME_WIDTH ? NAME_WIDTH - name.length : 1);
    output_wrapped(output, without_place(output->arena, rulebook_text(book, hazard->message)), TEXT(""),
                   code.length + 2 + NAME_WIDTH, LINE_WIDTH);
    output_text(output, "\n");
}

static bool comes_first(const Rulebook *book, HazardId a, HazardId b) {
    int order =
        text_compare(rulebook_text(book, book->hazards[a].code), rulebook_text(book, book->hazards[b].code));
    return order < 0 || (order == 0 && a < b);
}

/* In the order of codes; few enough to look for the next one each time. */
void explain_rules(Output *output, const Rulebook *book) {
    HazardId last = 0;
    for (uint32_t printed = 1; printed < book->hazard_count; printed++) {
        HazardId next = 0;
        for (HazardId id = 1; id < book->hazard_count; id++)
            if ((!last || comes_first(book, last, id)) && (!next || comes_first(book, id, next))) next = id;
        write_row(output, book, &book->hazards[next]);
        last = next;
    }
}
