#include "snippet.h"
#include "glyph.h"
#include "place.h"

enum { COLUMNS_BEFORE = 30, CUT_MARKS = 6, TAB_WIDTH = 4, LINE_BYTES = 4096 };

/* ---- on one line ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

/* The end of a run of blanks, continuation backslashes included. */
static uint32_t blanks_end(Text text, uint32_t at) {
    while (at < text.length) {
        bool joined = text.bytes[at] == '\\' && at + 1 < text.length &&
                      (text.bytes[at + 1] == '\n' || text.bytes[at + 1] == '\r');
        if (!joined && !is_blank(text.bytes[at])) break;
        at++;
    }
    return at;
}

typedef bool (*KeepsBlank)(char before, char after);

static bool between_words(char before, char after) { return text_is_word(before) && text_is_word(after); }

static bool to_read(char before, char after) { return !strchr("([{", before) && !strchr(")]}.,", after); }

/* places: [source.length + 1]: bytes of the result before each byte of the source; NULL = not wanted. */
static Text without_layout(Arena *arena, Text source, KeepsBlank keeps, uint32_t *places) {
    char *bytes = arena_alloc(arena, (size_t)source.length + 1);
    uint32_t length = 0;
    for (uint32_t at = 0; at < source.length;) {
        uint32_t end = blanks_end(source, at);
        for (uint32_t i = at; places && i <= end; i++) places[i] = length;
        if (end == at) {
            bytes[length++] = source.bytes[at++];
            continue;
        }
        bool inside = length > 0 && end < source.length;
        if (inside && keeps(bytes[length - 1], source.bytes[end])) bytes[length++] = ' ';
        at = end;
    }
    if (places) places[source.length] = length;
    return (Text){bytes, length};
}

Text snippet_canonical(Arena *arena, Text source) { return without_layout(arena, source, between_words, NULL); }

Text snippet_canonical_places(Arena *arena, Text source, uint32_t *places) {
    return without_layout(arena, source, between_words, places);
}

static uint32_t code_points(Text text) {
    uint32_t count = 0;
    for (uint32_t at = 0; at < text.length; count++) at += glyph_next(text, at).consumed;
    return count;
}

static uint32_t offset_of(Text text, uint32_t code_point) {
    uint32_t at = 0;
    while (code_point-- > 0 && at < text.length) at += glyph_next(text, at).consumed;
    return at;
}

Text snippet_line(Arena *arena, Text source, uint32_t limit) {
    Text line = without_layout(arena, source, to_read, NULL);
    uint32_t count = limit ? code_points(line) : 0;
    if (count <= limit) return line;
    uint32_t tail = limit / 3, head = limit - tail - 3;
    Text first = text_slice(line, 0, offset_of(line, head));
    Text last = text_slice(line, offset_of(line, count - tail), line.length);
    return text_format(arena, "%.*s...%.*s", SHOWN(first), SHOWN(last));
}

/* ---- lines with carets ---- */

typedef struct Marked {
    Text line;
    uint32_t from, to;               /* bytes of the line that the span covers */
    uint32_t column_from, column_to; /* the same in columns as shown */
    uint32_t columns;                /* of the whole line */
} Marked;

static Glyph shown(Text line, uint32_t at, uint32_t column) {
    Glyph glyph = glyph_next(line, at);
    if (glyph.code != '\t') return glyph;
    glyph.width = glyph.length = TAB_WIDTH - column % TAB_WIDTH;
    memcpy(glyph.bytes, "    ", TAB_WIDTH);
    return glyph;
}

static void measure(Marked *marked) {
    uint32_t column = 0;
    for (uint32_t at = 0; at < marked->line.length;) {
        if (at <= marked->from) marked->column_from = column;
        Glyph glyph = shown(marked->line, at, column);
        column += glyph.width;
        at += glyph.consumed;
        if (at <= marked->to) marked->column_to = column;
    }
    marked->columns = column;
    if (marked->from >= marked->line.length) marked->column_from = column;
    if (marked->column_to <= marked->column_from) marked->column_to = marked->column_from + 1;
}

static uint32_t line_start(const SourceFile *file, uint32_t line) {
    bool has_mark =
        line == 1 && text_starts(file->bytes, TEXT("\xEF\xBB\xBF")); /* a byte order mark has no column */
    return has_mark ? 3 : file->model->lines.items[line - 1];
}

/* Restricts a line that may be megabytes long, and is shown for each finding on it, to the bytes that could be
   shown. */
static void nearest(Text bytes, uint32_t at, uint32_t *start, uint32_t *end) {
    if (at < *start) at = *start;
    if (*end > at && *end - at > LINE_BYTES) *end = at + LINE_BYTES;
    if (at - *start <= LINE_BYTES) return;
    *start = at - LINE_BYTES;
    while (*start < at && ((unsigned char)bytes.bytes[*start] & 0xC0) == 0x80) ++*start;
}

static Marked mark_line(const SourceFile *file, uint32_t line, Span span) {
    uint32_t start = line_start(file, line), end = file->bytes.length;
    if (line < file->model->lines.count) end = line_start(file, line + 1);
    while (end > start && strchr("\r\n", file->bytes.bytes[end - 1])) end--;
    nearest(file->bytes, span.start, &start, &end);
    Marked marked = {.line = text_slice(file->bytes, start, end)};
    while (start + marked.from < end &&
           (start + marked.from < span.start || is_blank(marked.line.bytes[marked.from])))
        marked.from++;
    marked.to = span.end < end ? (span.end > start ? span.end - start : 0) : end - start;
    measure(&marked);
    return marked;
}

/* The range of columns to show: the whole line, or `shown_columns` that contain the start of the span. */
static void window(const Marked *marked, uint32_t shown_columns, uint32_t *first, uint32_t *end) {
    *first = 0;
    *end = marked->columns;
    if (marked->columns <= shown_columns) return;
    uint32_t room = shown_columns - CUT_MARKS;
    if (marked->column_to > room && marked->column_from > COLUMNS_BEFORE)
        *first = marked->column_from - COLUMNS_BEFORE;
    if (*end - *first > room) *end = *first + room;
}

static void write_window(Output *output, Text line, uint32_t first, uint32_t end) {
    uint32_t column = 0;
    for (uint32_t at = 0; at < line.length && column < end;) {
        Glyph glyph = shown(line, at, column);
        bool fits = column + glyph.width <= end;
        if (column >= first && fits)
            output_bytes(output, (Text){glyph.bytes, glyph.length});
        else if (column < first && column + glyph.width > first)
            output_repeat(output, ' ', column + glyph.width - first);
        column += glyph.width;
        at += glyph.consumed;
    }
}

static void write_gutter(Output *output, uint32_t line, uint32_t number_width) {
    output_style(output, STYLE_DIM);
    if (line)
        output_format(output, "%*u |", (int)number_width, line);
    else
        output_format(output, "%*s |", (int)number_width, "");
    output_style(output, STYLE_PLAIN);
}

/* Gives the column after the carets. */
static uint32_t write_carets(Output *output, const Marked *marked, uint32_t first, uint32_t end, Style style) {
    uint32_t to = marked->column_to < end ? marked->column_to : end;
    uint32_t before = (first ? 4u : 1u) + marked->column_from - first;
    uint32_t carets = to > marked->column_from ? to - marked->column_from : 1;
    output_repeat(output, ' ', before);
    output_style(output, style);
    output_repeat(output, '^', carets);
    output_style(output, STYLE_PLAIN);
    return before + carets;
}

uint32_t snippet_one(Output *output, const SourceFile *file, Span span, uint32_t number_width, uint32_t width,
                     Style style) {
    uint32_t line = model_line(file->model, span.start), first, end;
    Marked marked = mark_line(file, line, span);
    window(&marked, width - number_width - 3, &first, &end);
    write_gutter(output, place_line(file, file->model->lines.items[line - 1]), number_width);
    output_text(output, marked.columns > 0 ? " " : "");
    output_text(output, first ? "..." : "");
    write_window(output, marked.line, first, end);
    output_text(output, end < marked.columns ? "...\n" : "\n");
    write_gutter(output, 0, number_width);
    return number_width + 2 + write_carets(output, &marked, first, end, style);
}

Text snippet_whole_line(Arena *arena, const SourceFile *file, uint32_t offset) {
    Marked marked = mark_line(file, model_line(file->model, offset), (Span){offset, offset});
    uint32_t blank = 0;
    while (blank < marked.line.length && is_blank(marked.line.bytes[blank])) blank++;
    return snippet_line(arena, text_slice(marked.line, blank, marked.line.length), 0);
}
