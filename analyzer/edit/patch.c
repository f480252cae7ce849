#include "patch.h"
#include "cells.h"

enum { AROUND = 3 };

/* ---- rounds ---- */

typedef struct LineStarts {
    VEC(uint32_t) items; /* starts of lines, then the end of the text */
} LineStarts;

static void read_lines(Arena *arena, Text text, LineStarts *lines) {
    for (uint32_t at = 0; at < text.length;) {
        vec_push(arena, &lines->items, at);
        const char *end = memchr(text.bytes + at, '\n', text.length - at);
        at = end ? (uint32_t)(end - text.bytes) + 1 : text.length;
    }
    vec_push(arena, &lines->items, text.length);
}

Patch patch_begin(Arena *arena, const SourceFile *file, Text written) {
    LineStarts lines = {0};
    read_lines(arena, file->bytes, &lines);
    uint32_t count = lines.items.count - 1, *from = arena_new(arena, uint32_t, count + 1u);
    for (uint32_t i = 0; i < count; i++) from[i] = i + 1;
    return (Patch){file, written, file->bytes, file->bytes, written, from, count};
}

/* Converts line ends to those of the file's first line. */
static Text ended_as(Arena *arena, Text text, Text file) {
    const char *line = memchr(file.bytes, '\n', file.length), *back = memchr(file.bytes, '\r', file.length);
    const char *end = line && line > file.bytes && line[-1] == '\r' ? "\r\n" : !line && back ? "\r" : "\n";
    Output output = {.arena = arena};
    for (uint32_t i = 0; i < text.length; i++)
        if (text.bytes[i] == '\n')
            output_text(&output, end);
        else
            output_bytes(&output, text_slice(text, i, i + 1));
    return (Text){output.bytes.items ? output.bytes.items : "", output.bytes.count};
}

static Text applied(Arena *arena, Text text, Text file, const Change *changes, uint32_t count) {
    Output output = {.arena = arena};
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; at = changes[i++].end) {
        output_bytes(&output, text_slice(text, at, changes[i].start));
        output_bytes(&output, ended_as(arena, changes[i].text, file));
    }
    output_bytes(&output, text_slice(text, at, text.length));
    return (Text){output.bytes.items ? output.bytes.items : "", output.bytes.count};
}

/* A line that no change touches keeps its origin; a change that inserts whole lines before a line does not
   touch it. */
static const uint32_t *lines_from(Arena *arena, const Patch *patch, Text now, Text file, const Change *changes,
                                  uint32_t count, uint32_t *made) {
    LineStarts old = {0}, new = {0};
    read_lines(arena, patch->now, &old);
    read_lines(arena, now, &new);
    uint32_t *from = arena_new(arena, uint32_t, new.items.count), line = 0, next = 0;
    int64_t shift = 0;
    for (uint32_t i = 0; i + 1 < old.items.count; i++) {
        uint32_t start = old.items.items[i], end = old.items.items[i + 1];
        while (next < count && changes[next].end <= start &&
               (changes[next].start < start || text_ends(changes[next].text, TEXT("\n"))))
            shift += (int64_t)ended_as(arena, changes[next].text, file).length -
                     (changes[next].end - changes[next].start),
                next++;
        if (next < count && changes[next].start < end) continue;
        uint32_t at = (uint32_t)(start + shift);
        while (line + 1 < new.items.count &&new.items.items[line] < at) line++;
        if (line + 1 < new.items.count &&new.items.items[line] == at) from[line] = patch->from[i];
    }
    *made = new.items.count - 1;
    return from;
}

/* Whether the notebook reads back as the intended program. */
static bool reads_as(Arena *arena, Text raw, Text program) {
    Notebook book;
    Text read, reason;
    return notebook_read(arena, raw, &read, &book, &reason) && text_equal(read, program);
}

bool patch_apply(Arena *arena, Patch *patch, const Notebook *book, const Change *changes, uint32_t count) {
    Text plain = book ? TEXT("\n") : patch->written, now_written;
    Text read = applied(arena, patch->now, plain, changes, count);
    if (book) {
        if (!cells_edit(arena, book, patch->now, changes, count, &now_written)) return false;
        if (!reads_as(arena, now_written, read)) return false;
    } else {
        now_written = applied(arena, patch->now_written, plain, changes, count);
        char *now = arena_copy(arena, now_written.bytes, now_written.length);
        text_end_lines(now, now_written.length);
        read = (Text){now, now_written.length};
    }
    patch->from = lines_from(arena, patch, read, plain, changes, count, &patch->lines);
    patch->now = read;
    patch->now_written = now_written;
    return true;
}

/* ---- the diff ---- */

typedef struct Differ {
    Output *output;
    const Patch *patch;
    Text was, now; /* as shown */
    LineStarts old, new;
    uint32_t old_from, old_to, new_from, new_to; /* range of lines compared: a cell's, or all */
} Differ;

/* A range of differing lines: [old, old_end) became [new, new_end). */
typedef struct Hunk {
    uint32_t old, old_end, new, new_end;
} Hunk;

/* The first differing range from these lines on; false: there is none. */
static bool next_hunk(const Differ *self, uint32_t old, uint32_t new, Hunk *hunk) {
    const uint32_t *from = self->patch->from;
    uint32_t lines = self->new_to;
    while (old < self->old_to && new < lines && from[new] == old + 1) old++, new ++;
    *hunk = (Hunk){old, old, new, new};
    while (hunk->new_end < lines && !from[hunk->new_end]) hunk->new_end++;
    hunk->old_end = hunk->new_end < lines ? from[hunk->new_end] - 1 : self->old_to;
    return hunk->old < hunk->old_end || hunk->new < hunk->new_end;
}

/* Lines are written as they are, so that `patch` accepts the diff, except characters that could drive a
   terminal. */
static void put_source(Output *output, Text line) {
    bool plain = true;
    for (uint32_t i = 0; i < line.length; i++) {
        unsigned char c = (unsigned char)line.bytes[i];
        plain &= (c >= ' ' && c != 0x7F) || c == '\t' || (c == '\r' && i + 1 == line.length);
    }
    (plain ? output_bytes : output_clean)(output, line);
}

static void put_line(const Differ *self, char sign, Text text, const LineStarts *lines, uint32_t line) {
    Text bytes = text_slice(text, lines->items.items[line], lines->items.items[line + 1]);
    bool ended = text_ends(bytes, TEXT("\n")) || lines->items.items[line + 1] < text.length;
    output_style(self->output, sign == '-' ? STYLE_ERROR : sign == '+' ? STYLE_ADDED : STYLE_PLAIN);
    output_format(self->output, "%c", sign);
    put_source(self->output, ended ? text_slice(bytes, 0, bytes.length - 1) : bytes);
    output_style(self->output, STYLE_PLAIN);
    output_text(self->output, ended ? "\n" : "\n\\ No newline at end of file\n");
}

static void put_lines(const Differ *self, char sign, uint32_t from, uint32_t to) {
    bool old = sign != '+';
    for (uint32_t i = from; i < to; i++)
        put_line(self, sign, old ? self->was : self->now, old ? &self->old : &self->new, i);
}

static void put_range(const Differ *self, char sign, uint32_t from, uint32_t to) {
    output_format(self->output, " %c%u", sign, to > from ? from + 1 : from);
    if (to - from != 1) output_format(self->output, ",%u", to - from);
}

static uint32_t before(const Differ *self, uint32_t line) {
    return line > self->old_from + AROUND ? line - AROUND : self->old_from;
}

/* Merges hunks whose contexts would overlap. */
static void put_hunks(const Differ *self, const Hunk *hunks, uint32_t count) {
    Hunk first = hunks[0], last = hunks[count - 1];
    uint32_t old = before(self, first.old), old_end = last.old_end + AROUND;
    if (old_end > self->old_to) old_end = self->old_to;
    uint32_t new = first.new - (first.old - old), new_end = last.new_end + (old_end - last.old_end);
    output_style(self->output, STYLE_NOTE);
    output_text(self->output, "@@");
    put_range(self, '-', old - self->old_from, old_end - self->old_from);
    put_range(self, '+', new - self->new_from, new_end - self->new_from);
    output_text(self->output, " @@");
    output_style(self->output, STYLE_PLAIN);
    output_text(self->output, "\n");
    for (uint32_t i = 0; i < count; old = hunks[i++].old_end) {
        put_lines(self, ' ', old, hunks[i].old);
        put_lines(self, '-', hunks[i].old, hunks[i].old_end);
        put_lines(self, '+', hunks[i].new, hunks[i].new_end);
    }
    put_lines(self, ' ', old, old_end);
}

static void put_name(Output *output, const char *sign, Text name) {
    output_style(output, STYLE_BOLD);
    output_text(output, sign);
    output_clean(output, name);
    output_style(output, STYLE_PLAIN);
    output_text(output, "\n");
}

static void diff(Differ *self, Text name) {
    VEC(Hunk) near = {0};
    Hunk hunk;
    bool named = false;
    for (uint32_t old = self->old_from, new = self->new_from; next_hunk(self, old, new, &hunk);
         old = hunk.old_end, new = hunk.new_end) {
        if (!named) put_name(self->output, "--- ", name), put_name(self->output, "+++ ", name);
        named = true;
        bool far = near.count && hunk.old - near.items[near.count - 1].old_end > 2 * AROUND;
        if (far) put_hunks(self, near.items, near.count), near.count = 0;
        vec_push(self->output->arena, &near, hunk);
    }
    if (near.count) put_hunks(self, near.items, near.count);
}

static uint32_t line_at(const LineStarts *lines, uint32_t byte) {
    uint32_t line = 0;
    while (line + 1 < lines->items.count && lines->items.items[line] < byte) line++;
    return line;
}

/* The lines of the next cell after those compared last; 0 = there is none. */
static uint32_t next_cell(const Notebook *book, Text program, const LineStarts *lines, uint32_t *from,
                          uint32_t *to) {
    const Segment *segment = notebook_segment(book, lines->items.items[*to]);
    uint32_t end = program.length, i = (uint32_t)(segment - book->segments.items);
    if (*to + 1 >= lines->items.count) return 0;
    for (; i < book->segments.count; i++)
        if (book->segments.items[i].first != segment->first) break;
    if (i < book->segments.count) end = book->segments.items[i].first;
    *from = *to;
    *to = line_at(lines, end);
    return segment->cell;
}

static void diff_cells(Differ *self, Text name) {
    Arena *arena = self->output->arena;
    const Patch *patch = self->patch;
    Notebook now;
    Text program, reason;
    if (!notebook_read(arena, patch->now_written, &program, &now, &reason)) return;
    self->was = notebook_source(arena, patch->file->notebook, patch->was);
    self->now = notebook_source(arena, &now, patch->now);
    self->old_to = self->new_to = 0;
    for (uint32_t cell;
         (cell = next_cell(patch->file->notebook, patch->was, &self->old, &self->old_from, &self->old_to));) {
        (void)next_cell(&now, patch->now, &self->new, &self->new_from, &self->new_to);
        diff(self, text_format(arena, "%.*s:cell %u", SHOWN(name), cell));
    }
}

void patch_diff(Output *output, const Patch *patch, Text name) {
    Differ self = {.output = output, .patch = patch, .was = patch->written, .now = patch->now_written};
    read_lines(output->arena, patch->was, &self.old);
    read_lines(output->arena, patch->now, &self.new);
    self.old_to = self.old.items.count - 1, self.new_to = patch->lines;
    if (patch->file->notebook)
        diff_cells(&self, name);
    else
        diff(&self, name);
}
