#include "notebook.h"
#include "json.h"
#include "search.h"

typedef struct Reading {
    Arena *result;
    Notebook *out;
    const char
        *copy; /* yyjson decodes this copy in place, so a string's address gives its offset in the file */
    char *program;
    uint32_t length;
    Text *reason;
} Reading;

static bool refuse(Reading *self, Text reason) {
    *self->reason = reason;
    return false;
}

/* ---- escapes ---- */

enum { NO_ESCAPE = UINT32_MAX };

/* The code unit of \uXXXX. */
static uint32_t unicode_escape(Text raw, uint32_t at) {
    uint32_t code = 0;
    if (raw.length < 6 || at > raw.length - 6 || raw.bytes[at] != '\\' || raw.bytes[at + 1] != 'u')
        return NO_ESCAPE;
    for (uint32_t i = at + 2; i < at + 6; i++) {
        char c = raw.bytes[i], lower = c | 0x20;
        bool digit = c >= '0' && c <= '9', letter = lower >= 'a' && lower <= 'f';
        if (!digit && !letter) return NO_ESCAPE;
        code = code << 4 | (uint32_t)(digit ? c - '0' : lower - 'a' + 10);
    }
    return code;
}

static bool is_surrogate(uint32_t code, uint32_t first) { return code >= first && code < first + 0x400; }

static bool is_pair(Text raw, uint32_t at, uint32_t code) {
    return is_surrogate(code, 0xD800) && is_surrogate(unicode_escape(raw, at + 6), 0xDC00);
}

/* Replaces a lone surrogate by U+FFFD, which takes as many bytes. It is no character and yyjson rejects it, but
   Python's json writes it, so a notebook may hold one. */
static void replace_lone_surrogates(char *bytes, uint32_t length) {
    const Text raw = {bytes, length};
    for (uint32_t at = 0; at < length;) {
        const char *found = memchr(bytes + at, '\\', length - at);
        if (!found) break;
        at = (uint32_t)(found - bytes);
        uint32_t code = unicode_escape(raw, at);
        bool pair = is_pair(raw, at, code), half = is_surrogate(code, 0xD800) || is_surrogate(code, 0xDC00);
        if (half && !pair) memcpy(bytes + at + 2, "fffd", 4);
        at += pair ? 12 : code == NO_ESCAPE ? 2 : 6;
    }
}

/* ---- one cell ---- */

static bool is_text(yyjson_val *cell, const char *key, const char *value) {
    return yyjson_equals_str(yyjson_obj_get(cell, key), value);
}

/* The metadata that some editors write may say that a code cell is in another language. */
static bool is_python_cell(yyjson_val *cell) {
    yyjson_val *editor = yyjson_obj_get(yyjson_obj_get(cell, "metadata"), "vscode");
    yyjson_val *language = yyjson_obj_get(editor, "languageId");
    return is_text(cell, "cell_type", "code") && (!language || yyjson_equals_str(language, "python"));
}

/* A cell's source is one string, or a list of strings, one a line. */
static bool is_source(yyjson_val *source) {
    size_t index, count;
    yyjson_val *item;
    if (yyjson_is_str(source)) return true;
    if (!yyjson_is_arr(source)) return false;
    yyjson_arr_foreach(source, index, count, item) if (!yyjson_is_str(item)) return false;
    return true;
}

static void add_piece(Reading *self, yyjson_val *piece, uint32_t cell, uint32_t first) {
    const char *bytes = yyjson_get_str(piece);
    size_t length = yyjson_get_len(piece);
    if (length == 0) return;
    Segment segment = {self->length, first, cell, (uint32_t)(bytes - self->copy)};
    vec_push(self->result, &self->out->segments, segment);
    memcpy(self->program + self->length, bytes, length);
    self->length += (uint32_t)length;
}

static void add_cell(Reading *self, yyjson_val *source, uint32_t cell) {
    uint32_t first = self->length, segments = self->out->segments.count;
    size_t index, count;
    yyjson_val *item;
    if (yyjson_is_str(source)) add_piece(self, source, cell, first);
    yyjson_arr_foreach(source, index, count, item) add_piece(self, item, cell, first);
    text_end_lines(self->program + first, self->length - first);
    if (self->length > first && notebook_blank(self->program + first, self->length - first)) {
        self->program[self->length++] = '\n';
    } else {
        self->length = first;
        self->out->segments.count = segments;
    }
}

/* ---- the notebook ---- */

static size_t source_length(yyjson_val *source) {
    size_t index, count, length = yyjson_get_len(source) + 1;
    yyjson_val *item;
    if (yyjson_is_str(source)) return length;
    yyjson_arr_foreach(source, index, count, item) length += yyjson_get_len(item);
    return length;
}

/* An upper bound of the program's length; 0 where a cell is malformed. */
static size_t measure(yyjson_val *cells) {
    size_t index, count, length = 1;
    yyjson_val *cell;
    yyjson_arr_foreach(cells, index, count, cell) {
        if (!yyjson_is_str(yyjson_obj_get(cell, "cell_type"))) return 0;
        if (!is_python_cell(cell)) continue;
        if (!is_source(yyjson_obj_get(cell, "source"))) return 0;
        length += source_length(yyjson_obj_get(cell, "source"));
    }
    return length;
}

static bool is_python(yyjson_val *root) {
    yyjson_val *metadata = yyjson_obj_get(root, "metadata");
    yyjson_val *kernel = yyjson_obj_get(yyjson_obj_get(metadata, "kernelspec"), "language");
    yyjson_val *language = yyjson_obj_get(yyjson_obj_get(metadata, "language_info"), "name");
    yyjson_val *said = yyjson_is_str(language) ? language : kernel;
    return !yyjson_is_str(said) || yyjson_equals_str(said, "python") || yyjson_equals_str(said, "ipython");
}

static bool read_cells(Reading *self, yyjson_val *cells) {
    size_t index, count, length = measure(cells);
    yyjson_val *cell;
    if (!length) return refuse(self, TEXT("is not a notebook: a cell has no type or no source text"));
    self->program = arena_alloc(self->result, length);
    yyjson_arr_foreach(cells, index, count, cell) if (is_python_cell(cell))
        add_cell(self, yyjson_obj_get(cell, "source"), (uint32_t)index + 1);
    if (self->length == 0) return refuse(self, TEXT("is a notebook without Python cells"));
    if (memchr(self->program, 0, self->length)) return refuse(self, TEXT("is a notebook with NUL bytes in it"));
    return true;
}

static bool read_root(Reading *self, yyjson_val *root) {
    yyjson_val *cells = yyjson_obj_get(root, "cells");
    if (yyjson_is_arr(yyjson_obj_get(root, "worksheets")))
        return refuse(self,
                      TEXT("is a notebook of format 3 or older: `jupyter nbconvert --to notebook` renews it"));
    if (!yyjson_is_arr(cells)) return refuse(self, TEXT("is not a notebook: it has no list of cells"));
    if (!is_python(root)) return refuse(self, TEXT("is a notebook of another language"));
    return read_cells(self, cells);
}

static void find_lines(Arena *result, Notebook *out) {
    vec_push(result, &out->lines, 0);
    for (uint32_t i = 0; i < out->raw.length; i++)
        if (out->raw.bytes[i] == '\n') vec_push(result, &out->lines, i + 1);
}

bool notebook_read(Arena *result, Text raw, Text *program, Notebook *out, Text *reason) {
    Arena scratch = {0};
    char *copy = arena_alloc(&scratch, (size_t)raw.length + YYJSON_PADDING_SIZE); /* zeroed, as it must be */
    memcpy(copy, raw.bytes, raw.length);
    replace_lone_surrogates(copy, raw.length);
    *out = (Notebook){.raw = raw};
    Reading self = {.result = result, .out = out, .copy = copy, .reason = reason};
    yyjson_alc memory = json_memory(&scratch);
    yyjson_read_err error;
    yyjson_doc *document = yyjson_read_opts(copy, raw.length, YYJSON_READ_INSITU, &memory, &error);
    bool done = document ? read_root(&self, yyjson_doc_get_root(document))
                         : refuse(&self, text_format(result, "is not a notebook: not JSON, %s at byte %zu",
                                                     error.msg, error.pos));
    yyjson_doc_free(document);
    arena_free(&scratch);
    *program = (Text){self.program, self.length};
    if (done) find_lines(result, out);
    return done;
}

/* ---- positions ---- */

const Segment *notebook_segment(const Notebook *notebook, uint32_t offset) {
    const Segment *items = notebook->segments.items;
    return &items[LAST_BELOW(items, notebook->segments.count, start, offset + 1)];
}

/* The length of one character of a JSON string in the file; *meant is its length once decoded. */
static uint32_t step(Text raw, uint32_t at, uint32_t *meant) {
    *meant = 1;
    if (raw.bytes[at] != '\\') return 1;
    uint32_t code = unicode_escape(raw, at);
    if (code == NO_ESCAPE) return 2;
    bool pair = is_pair(raw, at, code);
    *meant = pair ? 4 : code >= 0x800 ? 3 : code >= 0x80 ? 2 : 1;
    return pair ? 12 : 6;
}

uint32_t notebook_step(Text raw, uint32_t at) {
    uint32_t meant;
    return step(raw, at, &meant);
}

Text notebook_source(Arena *arena, const Notebook *notebook, Text program) {
    char *bytes = arena_copy(arena, program.bytes, program.length);
    for (uint32_t i = 0; i < notebook->segments.count; i++) {
        const Segment *segment = &notebook->segments.items[i];
        uint32_t end = i + 1 < notebook->segments.count ? segment[1].start : program.length, meant;
        for (uint32_t at = segment->start, raw = segment->raw; at < end && notebook->raw.bytes[raw] != '"';
             at += meant) {
            bool escape = notebook->raw.bytes[raw] == '\\';
            char byte = notebook->raw.bytes[raw + escape];
            if (!escape || byte == '"' || byte == '\\') bytes[at] = byte;
            raw += step(notebook->raw, raw, &meant);
        }
    }
    return (Text){bytes, program.length};
}

uint32_t notebook_raw(const Notebook *notebook, uint32_t offset) {
    const Segment *segment = notebook_segment(notebook, offset);
    uint32_t at = segment->raw, meant;
    for (uint32_t done = segment->start; done < offset && at < notebook->raw.length; done += meant) {
        if (notebook->raw.bytes[at] == '"') break; /* at the line end that we add after each cell */
        at += step(notebook->raw, at, &meant);
    }
    return at < notebook->raw.length ? at : notebook->raw.length;
}
