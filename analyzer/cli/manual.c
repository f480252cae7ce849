#include "manual.h"
#include "texts.h"
#include <string.h>

typedef struct Row {
    char letter;
    const char *name, *metavar, *words, *help; /* name NULL: a section, `help` its title */
} Row;

static const Row rows[] = {
#define SECTION(title) {.help = title},
#define OPTION(kind, field, letter, name, metavar, words, help) {letter, name, metavar, words, help},
#include "options.def"
};

typedef struct Page {
    Output *output;
    bool in_code, in_options, starts; /* starts: the next line begins a paragraph */
} Page;

/* ---- text ---- */

/* A hyphen in code is written as a minus: else copied options would not work. */
static void write_code(Output *output, Text text) {
    for (uint32_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        if (c == '-')
            output_text(output, "\\-");
        else if (c == '\\')
            output_text(output, "\\e");
        else if (c == '|')
            output_text(output, "|\\:"); /* allows a line break here */
        else
            output_format(output, "%c", c);
    }
}

static uint32_t find(Text text, uint32_t from, char wanted) {
    while (from < text.length && text.bytes[from] != wanted) from++;
    return from;
}

/* Writes `code` in bold and *words* in italics. */
static void write_prose(Output *output, Text text) {
    output_text(output, "\\&"); /* a line must not begin with a dot or a quote */
    for (uint32_t at = 0; at < text.length;) {
        char mark = text.bytes[at];
        uint32_t end = mark == '`' || mark == '*' ? find(text, at + 1, mark) : text.length;
        if (end == text.length) {
            write_code(output, text_slice(text, at, at + 1));
            at++;
            continue;
        }
        output_text(output, mark == '`' ? "\\fB" : "\\fI");
        write_code(output, text_slice(text, at + 1, end));
        output_text(output, "\\fR");
        at = end + 1;
    }
    output_text(output, "\n");
}

/* ---- options ---- */

static void write_option(Output *output, const Row *row) {
    output_text(output, ".TP\n\\fB");
    if (row->letter) output_format(output, "\\-%c\\fR, \\fB", row->letter);
    output_text(output, "\\-\\-");
    write_code(output, text_of(row->name));
    output_text(output, "\\fR");
    if (row->metavar) output_format(output, "=\\fI%s\\fR", row->metavar);
    output_text(output, "\n\\&");
    if (row->words) {
        write_code(output, text_of(row->words));
        output_text(output, ": ");
    }
    write_code(output, text_of(row->help));
    output_text(output, "\n");
}

static void write_options(Output *output) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].name)
            write_option(output, &rows[i]);
        else
            output_format(output, ".SS %s\n", rows[i].help);
    }
}

/* ---- lines ---- */

static void write_heading(Page *page, Text title) {
    output_text(page->output, ".SH ");
    for (uint32_t i = 0; i < title.length; i++) {
        char c = title.bytes[i];
        output_format(page->output, "%c", c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    output_text(page->output, "\n");
    page->starts = false;
}

/* `name`: text; or any text after a bullet. */
static void write_item(Page *page, Text item) {
    uint32_t end = text_starts(item, TEXT("`")) ? find(item, 1, '`') : item.length;
    page->starts = false;
    if (end + 2 < item.length && memcmp(item.bytes + end, "`: ", 3) == 0) {
        output_text(page->output, ".TP\n");
        write_prose(page->output, text_slice(item, 0, end + 1));
        write_prose(page->output, text_slice(item, end + 3, item.length));
        return;
    }
    output_text(page->output, ".IP \\(bu 2\n");
    write_prose(page->output, item);
}

static void turn_code(Page *page) {
    page->in_code = !page->in_code;
    output_text(page->output, page->in_code ? ".PP\n.RS 4\n.nf\n" : ".fi\n.RE\n");
    page->starts = false;
}

static void write_line_of_code(Page *page, Text line) {
    output_text(page->output, "\\&");
    write_code(page->output, line);
    output_text(page->output, "\n");
}

static void write_paragraph(Page *page, Text line) {
    uint32_t indent = text_starts(line, TEXT("  ")) ? 2 : 0; /* continues an item */
    if (page->starts) output_text(page->output, ".PP\n");
    page->starts = false;
    write_prose(page->output, text_slice(line, indent, line.length));
}

static bool is_options(Page *page, Text line) {
    if (text_starts(line, TEXT("<!-- options"))) {
        write_options(page->output);
        page->in_options = true;
    }
    bool is_part = page->in_options;
    if (text_starts(line, TEXT("<!-- end of options"))) page->in_options = false;
    return is_part;
}

static void write_line(Page *page, Text line) {
    if (text_starts(line, TEXT("```")))
        turn_code(page);
    else if (page->in_code)
        write_line_of_code(page, line);
    else if (is_options(page, line) || text_starts(line, TEXT("<!--")) || text_starts(line, TEXT("# ")))
        return;
    else if (text_starts(line, TEXT("## ")))
        write_heading(page, text_slice(line, 3, line.length));
    else if (text_starts(line, TEXT("- ")))
        write_item(page, text_slice(line, 2, line.length));
    else if (line.length)
        write_paragraph(page, line);
    else
        page->starts = true;
}

void manual_write(Output *output, const char *version) {
    Page page = {.output = output};
    Text text = text_of(manual_markdown);
    output_format(output, ".TH SYNCL 1 \"\" \"syncl %s\" \"User Commands\"\n.ad l\n", version);
    output_text(output,
                ".SH NAME\nsyncl \\- find where PyTorch code makes the CPU wait for the GPU, and price it\n"
                ".SH SYNOPSIS\n\\fBsyncl\\fR [\\fIOPTIONS\\fR] \\fIPATH\\fR...\n.br\n"
                "\\fBsyncl\\fR @\\fIFILE\\fR\n.br\n\\fBsyncl \\-\\-calibrate\\fR\n");
    for (uint32_t at = find(text, 0, '\n') + 1, end; at < text.length; at = end + 1) {
        end = find(text, at, '\n');
        write_line(&page, text_slice(text, at, end));
    }
}
