#include "place.h"
#include "notebook.h"
#include "search.h"

/* For a notebook, the line within its cell. */
static uint32_t shown_line(const SourceFile *file, uint32_t line, const Segment *segment) {
    return segment ? line + 1 - model_line(file->model, segment->first) : line;
}

static const Segment *segment_of(const SourceFile *file, uint32_t offset) {
    return file->notebook ? notebook_segment(file->notebook, offset) : NULL;
}

Place place_shown(const SourceFile *file, uint32_t offset) {
    Position at = model_position(file->model, file->bytes.bytes, offset);
    const Segment *segment = segment_of(file, offset);
    return (Place){segment ? segment->cell : 0, shown_line(file, at.line, segment), at.column};
}

uint32_t place_line(const SourceFile *file, uint32_t offset) {
    return shown_line(file, model_line(file->model, offset), segment_of(file, offset));
}

static uint32_t line_of(const Notebook *notebook, uint32_t raw) {
    return last_below(notebook->lines.items, notebook->lines.count, sizeof *notebook->lines.items, raw + 1);
}

/* Counts the column of a byte in a physical line, in code points or in bytes. */
static Position count_columns(Text bytes, uint32_t line, uint32_t from, uint32_t at, bool in_bytes) {
    if (from == 0 && at >= 3 && memcmp(bytes.bytes, "\xEF\xBB\xBF", 3) == 0) from = 3;
    if (!in_bytes) return (Position){line, 1 + model_columns(bytes.bytes, from, at)};
    at = model_in_line(bytes.bytes, from, at);
    return (Position){line, 1 + (at - from > COLUMN_BYTES ? COLUMN_BYTES : at - from)};
}

static Position in_file(const SourceFile *file, uint32_t offset, bool in_bytes) {
    const Notebook *notebook = file->notebook;
    uint32_t at = notebook ? notebook_raw(notebook, offset) : offset;
    uint32_t line = notebook ? line_of(notebook, at) + 1 : model_line(file->model, at);
    uint32_t from = notebook ? notebook->lines.items[line - 1] : file->model->lines.items[line - 1];
    return count_columns(notebook ? notebook->raw : file->bytes, line, from, at, in_bytes);
}

Position place_physical(const SourceFile *file, uint32_t offset) { return in_file(file, offset, false); }

Position place_bytes(const SourceFile *file, uint32_t offset) { return in_file(file, offset, true); }

Text place_text(Arena *arena, const SourceFile *file, uint32_t offset) {
    Place place = place_shown(file, offset);
    if (!place.cell) return text_format(arena, "%u", place.line);
    return text_format(arena, "cell %u:%u", place.cell, place.line);
}
