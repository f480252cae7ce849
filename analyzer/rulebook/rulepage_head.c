#include "rulepage_head.h"

static Word finds_word(Text name) { return rulebook_word_between(FINDS_reading_unfenced, DOES_reads, name); }
static Word does_word(Text name) { return rulebook_word_between(DOES_reads, TRACE_read, name); }
static Word trace_word(Text name) { return rulebook_word_between(TRACE_read, PURPOSE_made, name); }

static void refuse(Draft *draft, DraftPlace place, const char *format, Text name) {
    draft_fail(draft, place, format, (int)name.length, name.length ? name.bytes : "");
}

bool head_says(const Page *page) {
    return page->kind.length || page->finds.length || page->does.length || page->trace.length ||
           page->operators.length || page->kernels.length || page->mend.length;
}

static void read_kind(Draft *draft, DraftPlace place, Text kind, Hazard *hazard) {
    static const char *const kinds[] = {"wait", "timing", "async", "comment"};
    if (!kind.length) kind = TEXT("wait");
    if (!text_is_any(kind, kinds, sizeof kinds / sizeof *kinds))
        refuse(draft, place, "unknown kind '%.*s': wait, timing, async or comment", kind);
    hazard->kind = draft_text(draft, kind);
}

/* A `Finds:` word may stand on one page only. */
static void read_finds(Draft *draft, DraftPlace place, Text finds, Hazard *hazard) {
    hazard->finds = (uint16_t)finds_word(finds);
    if (finds.length && !hazard->finds) refuse(draft, place, "nothing is found as '%.*s'", finds);
    for (HazardId i = 1; hazard->finds && i < draft->hazards.count; i++)
        if (draft->hazards.items[i].finds == hazard->finds)
            refuse(draft, place, "'%.*s' has a page already", finds);
}

static void read_does(Draft *draft, DraftPlace place, Text does, Hazard *hazard) {
    Word word = does_word(does);
    if (does.length && !word) refuse(draft, place, "a line does nothing called '%.*s'", does);
    hazard->does = word ? (uint16_t)(1u << (word - DOES_reads)) : 0;
}

static void read_trace(Draft *draft, DraftPlace place, Text trace, Hazard *hazard) {
    for (Text word = text_item(&trace); word.length; word = text_item(&trace)) {
        Word seen = trace_word(word);
        if (!seen) refuse(draft, place, "a recording shows nothing called '%.*s'", word);
        hazard->trace |= seen ? (uint16_t)(1u << (seen - TRACE_read)) : 0;
    }
}

enum { MEND_SHOWN = 40 }; /* bytes of a line that is refused */

/* `Mend: (logged) Print {values} once in N steps.` */
static void check_mends(Draft *draft, DraftPlace place, Text mends) {
    Word use;
    while (mends.length) {
        Text line = mends, text = rulebook_mend(&mends, &use);
        if (!text.length || (text_starts(line, TEXT("(")) && !use))
            refuse(draft, place, "no use, or nothing to write, in 'Mend: %.*s'",
                   text_slice(line, 0, line.length < MEND_SHOWN ? line.length : MEND_SHOWN));
    }
}

void head_read(Draft *draft, DraftPlace place, const Page *page, Hazard *hazard) {
    read_kind(draft, place, page->kind, hazard);
    read_finds(draft, place, page->finds, hazard);
    read_does(draft, place, page->does, hazard);
    read_trace(draft, place, page->trace, hazard);
    check_mends(draft, place, page->mend);
    hazard->mend = draft_text(draft, page->mend);
    hazard->operators = draft_text(draft, page->operators);
    hazard->kernels = draft_text(draft, page->kernels);
}
