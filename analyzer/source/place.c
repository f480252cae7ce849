#include "place.h"
#include "notebook.h"

enum {
    COLUMN_BYTES = 1 << 16
}; /* a notebook may be one line of megabytes: beyond this nobody counts columns */

Place place_shown(const SourceFile *file, uint32_t offset) {
    Position at = model_position(file->model, file->bytes.bytes, offset);
    if (!file->notebook) return (Place){0, at.line, at.column};
    const Segment *segment = notebook_segment(file->notebook, offset);
    return (Place){segment->cell, at.line + 1 - model_line(file->model, segment->first), at.column};
}

uint32_t place_line(const SourceFile *file, uint32_t offset) { return place_shown(file, offset).line; }

static uint32_t line_of(const Notebook *notebook, uint32_t raw) {
    uint32_t low = 0, high = notebook->lines.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (notebook->lines.items[middle] <= raw)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The columns of a physical line, in code points or in bytes. */
static Position count_columns(Text bytes, uint32_t line, uint32_t from, uint32_t at, bool in_bytes) {
    uint32_t column = 1;
    if (from == 0 && at >= 3 && memcmp(bytes.bytes, "\xEF\xBB\xBF", 3) == 0) from = 3;
    for (uint32_t i = from; i < at && at - from <= COLUMN_BYTES; i++)
        column += in_bytes || ((unsigned char)bytes.bytes[i] & 0xC0) != 0x80;
    return (Position){line, column};
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
