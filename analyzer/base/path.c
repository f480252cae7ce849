#include "path.h"

Text path_join(Arena *arena, Text folder, Text name) {
    bool slash = folder.length && folder.bytes[folder.length - 1] != '/';
    uint32_t start = folder.length + slash;
    char *bytes = arena_alloc(arena, start + name.length + 1u);
    if (folder.length) memcpy(bytes, folder.bytes, folder.length);
    if (slash) bytes[folder.length] = '/';
    if (name.length) memcpy(bytes + start, name.bytes, name.length);
    return (Text){bytes, start + name.length};
}

static uint32_t last_slash(Text path) { /* the byte after the last slash; 0 = there is none */
    uint32_t at = path.length;
    while (at && path.bytes[at - 1] != '/') at--;
    return at;
}

Text path_folder(Text path) {
    uint32_t at = last_slash(path);
    return text_slice(path, 0, at > 1 ? at - 1 : at);
}

uint32_t path_shared_folder(Text a, Text b) {
    uint32_t folder = 0;
    for (uint32_t at = 0; at < a.length && at < b.length && a.bytes[at] == b.bytes[at]; at++)
        if (a.bytes[at] == '/') folder = at + 1;
    return folder;
}

Text path_base(Text path) { return text_slice(path, last_slash(path), path.length); }

/* Appends one part to an absolute path that is built in place. */
static uint32_t append(char *bytes, uint32_t length, Text part) {
    if (!part.length || text_equal(part, TEXT("."))) return length;
    if (text_equal(part, TEXT(".."))) {
        while (length && bytes[length - 1] != '/') length--;
        return length ? length - 1 : 0;
    }
    bytes[length++] = '/';
    memcpy(bytes + length, part.bytes, part.length);
    return length + part.length;
}

Text path_absolute(Arena *arena, Text current, Text path) {
    char *bytes = arena_alloc(arena, (size_t)current.length + path.length + 3);
    uint32_t length = 0;
    bool is_absolute = path.length && path.bytes[0] == '/';
    Text sources[2] = {is_absolute ? (Text){0} : current, path};
    for (int s = 0; s < 2; s++)
        for (uint32_t start = 0, end; start < sources[s].length; start = end + 1) {
            for (end = start; end < sources[s].length && sources[s].bytes[end] != '/';) end++;
            length = append(bytes, length, text_slice(sources[s], start, end));
        }
    if (!length) bytes[length++] = '/';
    bytes[length] = 0;
    return (Text){bytes, length};
}

bool path_is_below(Text path, Text folder) {
    if (text_equal(folder, TEXT("/"))) return true;
    return text_starts(path, folder) && (path.length == folder.length || path.bytes[folder.length] == '/');
}

Text path_below(Text path, Text folder) {
    uint32_t start = text_equal(folder, TEXT("/")) ? 0 : folder.length;
    while (start < path.length && path.bytes[start] == '/') start++;
    return text_slice(path, start, path.length);
}

const char *path_terminated(Arena *arena, Text path) {
    char *bytes = arena_alloc(arena, path.length + 1u);
    if (path.length) memcpy(bytes, path.bytes, path.length);
    return bytes;
}
