#include "model.h"
#include <assert.h>

uint32_t model_line(const FileModel *model, uint32_t offset) {
    uint32_t low = 0, high = model->lines.count; /* lines[low] <= offset < lines[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (model->lines.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

/* Code points are bytes that do not continue one; a byte order mark before the first line is not in it. */
Position model_position(const FileModel *model, const char *bytes, uint32_t offset) {
    assert(offset <= model->byte_count);
    uint32_t line = model_line(model, offset);
    uint32_t at = model->lines.items[line - 1], column = 1;
    if (at == 0 && offset >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) at = 3;
    for (; at < offset; at++) column += ((unsigned char)bytes[at] & 0xC0) != 0x80;
    return (Position){line, column};
}

Text model_name(const FileModel *model, NameId name) {
    assert(name < model->names.count);
    return model->names.items[name];
}
