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

Position place_physical(const SourceFile *file, uint32_t offset) {
    if (!file->notebook) return model_position(file->model, file->bytes.bytes, offset);
    uint32_t raw = notebook_raw(file->notebook, offset), line = line_of(file->notebook, raw), column = 1;
    uint32_t from = file->notebook->lines.items[line];
    for (uint32_t at = from; at < raw && raw - from <= COLUMN_BYTES; at++)
        column += ((unsigned char)file->notebook->raw.bytes[at] & 0xC0) != 0x80;
    return (Position){line + 1, column};
}

Text place_text(Arena *arena, const SourceFile *file, uint32_t offset) {
    Place place = place_shown(file, offset);
    if (!place.cell) return text_format(arena, "%u", place.line);
    return text_format(arena, "cell %u:%u", place.cell, place.line);
}
