#include "explain.h"
#include "page.h"

enum { NAME_WIDTH = 26, LINE_WIDTH = 110 };

/* ---- one page ---- */

/* Replaces {expr} in a message by words for any expression, since there is no finding here. */
static Text without_place(Arena *arena, Text message) {
    static const Text place = {"{expr}", 6};
    uint32_t at = text_find(message, place), behind = at + place.length;
    if (at == message.length) return message;
    return text_format(arena, "%.*s...%.*s", (int)at, message.bytes, (int)(message.length - behind),
                       message.bytes + behind);
}

/* Summarises a page's facts as a list of functions: the stub blocks themselves go into more detail than a
   reader wants first. */
typedef struct Told {
    Output *output;
    bool code, stub;     /* inside a fence; inside one of stubs */
    Text module, class_; /* of the stubs */
    Text last;           /* last function listed: its further overloads are skipped */
    uint32_t column;     /* current column of the list; 0 = no list yet */
} Told;

static Text without(Text line, const char *start) {
    Text head = text_of(start);
    return text_starts(line, head) ? text_slice(line, head.length, line.length) : (Text){0};
}

static Text word_of(Text text, const char *ends) {
    uint32_t end = 0;
    while (end < text.length && !strchr(ends, text.bytes[end])) end++;
    return text_slice(text, 0, end);
}

static void tell_function(Told *told, Text name) {
    if (text_equal(name, told->last)) return;
    told->last = name;
    if (text_equal(name, TEXT("__default__"))) name = TEXT("every other function");
    uint32_t width = name.length + told->class_.length + 3;
    if (told->column + width > LINE_WIDTH) {
        output_text(told->output, told->column ? ",\n    " : "");
        told->column = 4;
    } else if (told->column) {
        output_text(told->output, ", ");
    }
    if (!told->column) {
        output_style(told->output, STYLE_BOLD);
        output_bytes(told->output, told->module);
        output_style(told->output, STYLE_PLAIN);
        output_text(told->output, ": ");
        told->column = told->module.length + 2;
    }
    bool called = text_equal(name, TEXT("__call__")) || text_equal(name, TEXT("__init__"));
    output_bytes(told->output, told->class_);
    if (told->class_.length && !called) output_text(told->output, ".");
    if (told->class_.length && called) name = TEXT("()");
    output_bytes(told->output, name);
    told->column += width;
}

static void tell_stub(Told *told, Text line) {
    Text class_ = without(line, "class "), function = without(line, "def "), method = without(line, "    def ");
    if (class_.length) told->class_ = word_of(class_, "(:");
    if (function.length) told->class_ = (Text){0};
    if (class_.length) told->last = (Text){0};
    if (function.length || method.length)
        tell_function(told, word_of(function.length ? function : method, "("));
}

static void end_fence(Told *told) {
    if (told->stub) output_text(told->output, told->column ? "\n" : "");
    told->code = told->stub = false;
}

static void begin_fence(Told *told, Text line) {
    Text module = without(line, "```python ");
    told->code = true;
    told->stub = module.length != 0;
    told->module = module;
    told->class_ = told->last = (Text){0};
    told->column = 0;
}

/* An explanation of a section's code for readers of the terminal, as the code is also a test of the rule. */
static const char *gloss(Text heading) {
    if (text_equal(heading, TEXT("## Reported"))) return ": each line that ends in `# sync:` is a finding";
    if (text_equal(heading, TEXT("## Quiet"))) return ": no line here is a finding of this rule";
    return text_equal(heading, TEXT("## Facts")) ? ": the functions that are meant, and where it was measured"
                                                 : "";
}

static void tell_line(Told *told, Text line) {
    bool fence = text_starts(line, TEXT("```"));
    if (told->code && fence) {
        end_fence(told);
    } else if (fence) {
        begin_fence(told, line);
    } else if (told->stub) {
        tell_stub(told, line);
    } else {
        bool heading = !told->code && text_starts(line, TEXT("#"));
        if (heading) output_style(told->output, STYLE_BOLD);
        if (told->code) output_text(told->output, line.length ? "    " : "");
        output_bytes(told->output, told->code ? line : without_place(told->output->arena, line));
        if (heading) output_text(told->output, gloss(line));
        if (heading) output_style(told->output, STYLE_PLAIN);
        output_text(told->output, "\n");
    }
}

void explain_rule(Output *output, const Rulebook *book, HazardId hazard) {
    Text page = rulebook_text(book, book->hazards[hazard].page);
    Told told = {.output = output};
    bool head = true, skipped = false; /* the fields at the head are for the program */
    for (uint32_t start = 0; start < page.length;) {
        uint32_t end = start;
        while (end < page.length && page.bytes[end] != '\n') end++;
        Text line = text_slice(page, start, end);
        start = end + 1;
        head &= !text_starts(line, TEXT("## "));
        bool field = head && page_is_field(line), after = skipped && !line.length;
        skipped = field;
        if (!field && !after) tell_line(&told, line);
    }
}

/* ---- the list of rules ---- */

static void write_row(Output *output, const Rulebook *book, const Hazard *hazard) {
    Text code = rulebook_text(book, hazard->code), name = rulebook_text(book, hazard->name);
    output_format(output, "%.*s  ", SHOWN(code));
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

/* In the order of codes. There are few rules, so the next one is searched for each time. */
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
