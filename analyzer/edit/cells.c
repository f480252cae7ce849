#include "cells.h"
#include "output.h"

typedef struct Cells {
    const Notebook *book;
    Text program;
    Output output;
} Cells;

/* The closing quote: the line end that the program has after each cell is in no JSON string. */
static bool is_end(const Cells *self, uint32_t raw) { return self->book->raw.bytes[raw] == '"'; }

/* No byte of the range was blanked out. */
static bool is_plain(const Cells *self, uint32_t start, uint32_t end) {
    for (uint32_t at = start; at < end; at++) {
        char raw = self->book->raw.bytes[notebook_raw(self->book, at)], byte = self->program.bytes[at];
        if (raw != '\\' && raw != byte && !(raw == '"' && byte == '\n')) return false;
    }
    return true;
}

static uint32_t raw_end(const Cells *self, const Change *change) {
    uint32_t raw = notebook_raw(self->book, change->end > change->start ? change->end - 1 : change->start);
    if (change->end == change->start || is_end(self, raw)) return raw;
    return raw + notebook_step(self->book->raw, raw);
}

/* The JSON between two lines of a cell whose source is a list: `",`, blanks and `"`; else empty. */
static Text separator(const Cells *self, uint32_t offset) {
    const Notebook *book = self->book;
    uint32_t first = notebook_segment(book, offset)->first;
    for (uint32_t i = 1; i < book->segments.count; i++) {
        const Segment *segment = &book->segments.items[i];
        if (segment->first != first || segment[-1].first != first) continue;
        uint32_t raw = notebook_raw(book, segment->start - 1);
        return text_slice(book->raw, raw + notebook_step(book->raw, raw), segment->raw);
    }
    return (Text){0};
}

static void put(Cells *self, Text text, Text between) {
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (byte == '"' || byte == '\\')
            output_format(&self->output, "\\%c", byte);
        else if (byte == '\t')
            output_text(&self->output, "\\t");
        else if (byte < ' ' && byte != '\n')
            output_format(&self->output, "\\u%04x", byte);
        else if (byte != '\n')
            output_bytes(&self->output, text_slice(text, i, i + 1));
        else
            output_text(&self->output, "\\n");
        if (byte == '\n') output_bytes(&self->output, between);
    }
}

static bool is_within_cell(const Cells *self, const Change *change) {
    uint32_t last = change->end > change->start ? change->end - 1 : change->start;
    return notebook_segment(self->book, change->start)->first == notebook_segment(self->book, last)->first;
}

bool cells_edit(Arena *arena, const Notebook *book, Text program, const Change *changes, uint32_t count,
                Text *raw) {
    Cells self = {book, program, {.arena = arena}};
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Change *change = &changes[i];
        if (!is_within_cell(&self, change) || !is_plain(&self, change->start, change->end)) return false;
        output_bytes(&self.output, text_slice(book->raw, at, notebook_raw(book, change->start)));
        put(&self, change->text, separator(&self, change->start));
        at = raw_end(&self, change);
    }
    output_bytes(&self.output, text_slice(book->raw, at, book->raw.length));
    *raw = (Text){self.output.bytes.items, self.output.bytes.count};
    return true;
}
