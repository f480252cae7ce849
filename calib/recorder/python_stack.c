#define _GNU_SOURCE /* process_vm_readv, RTLD_DEFAULT */
#include "python_stack.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum LastKind { LAST_BYTES, LAST_UNITS, LAST_ADDRESS } LastKind;
typedef enum LinesKind { LINES_PAIRS, LINES_RANGES, LINES_LOCATIONS } LinesKind;

typedef struct PythonLayout {
    int minor, state_frame, inner_frame, previous, code, instruction, owner;
    LastKind last;
    int file, name, first_line, lines, bytecode;
    LinesKind lines_kind;
    int ascii_head, other_head;
} PythonLayout;

static const PythonLayout layouts[] = {
#define PYTHON(...) {__VA_ARGS__},
#include "python.def"
};

enum {
    OBJECT_TYPE = 8,
    TEXT_LENGTH = 16,
    TEXT_STATE = 32,
    BYTES_LENGTH = 16,
    BYTES_DATA = 32,
    OWNED_BY_INTERPRETER = 3, /* and above: a frame of the interpreter itself, not of a Python function */
    TAG_BITS = 7,             /* of a reference in a frame, since 3.14; objects are aligned to 16 bytes */
    CAREFUL_READS = 20000,
    LINES_LIMIT = 1 << 20,
};

/* ---- reading memory ---- */

/* Reads memory through the kernel, which checks the address; where that is not permitted, directly. */
static bool peek_carefully(Python *python, uintptr_t address, void *into, size_t bytes) {
    struct iovec here = {into, bytes}, there = {(void *)address, bytes};
    ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (got == (ssize_t)bytes) return true;
    if (got < 0 && (errno == ENOSYS || errno == EPERM)) {
        atomic_store(&python->careful, 0);
        return memcpy(into, (const void *)address, bytes), true;
    }
    atomic_store(&python->broken, true);
    return false;
}

static bool peek(Python *python, uintptr_t address, void *into, size_t bytes) {
    if (address < 4096) return false;
    if (atomic_load_explicit(&python->careful, memory_order_relaxed) > 0) {
        atomic_fetch_sub(&python->careful, 1);
        return peek_carefully(python, address, into, bytes);
    }
    return memcpy(into, (const void *)address, bytes), true;
}

static uintptr_t pointer_at(Python *python, uintptr_t base, int offset) {
    uintptr_t value = 0;
    return base && peek(python, base + (uintptr_t)offset, &value, sizeof value) ? value : 0;
}

static bool is_a(Python *python, uintptr_t object, const void *type) {
    return pointer_at(python, object, OBJECT_TYPE) == (uintptr_t)type;
}

/* ---- the version of Python ---- */

static bool symbol(const char *name, void *into) {
    void *address = dlsym(RTLD_DEFAULT, name);
    memcpy(into, &address, sizeof address);
    return address != NULL;
}

static const char *choose(Python *python, const char *version) {
    char *end;
    python->major = (int)strtol(version, &end, 10);
    python->minor = *end == '.' ? (int)strtol(end + 1, &end, 10) : 0;
    if (strstr(version, "free-threading")) return "a free-threaded Python gives no stacks";
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (python->major == 3 && layouts[i].minor == python->minor) python->layout = &layouts[i];
    return python->layout ? NULL : "stacks of this Python version were never tried (3.8 to 3.15 were)";
}

const char *python_find(Python *python) {
    const char *(*version)(void);
    bool found = sizeof(void *) == 8 && symbol("Py_GetVersion", &version) &&
                 symbol("PyGILState_GetThisThreadState", &python->this_state) &&
                 symbol("Py_IsInitialized", &python->is_running) && symbol("PyCode_Type", &python->code_type) &&
                 symbol("PyUnicode_Type", &python->text_type);
    if (!found) return "no Python is in this process, or one that hides its symbols: no stacks";
    atomic_store(&python->careful, CAREFUL_READS);
    return choose(python, version());
}

/* ---- frames ---- */

/* Once Python ends, it frees the states and frames of daemon threads, which may still be in a call. */
static uintptr_t newest_frame(Python *python) {
    const PythonLayout *layout = python->layout;
    uintptr_t state = python->is_running() ? (uintptr_t)python->this_state() : 0;
    uintptr_t frame = state ? pointer_at(python, state, layout->state_frame) : 0;
    return frame && layout->inner_frame >= 0 ? pointer_at(python, frame, layout->inner_frame) : frame;
}

static bool of_a_function(Python *python, uintptr_t frame) {
    const PythonLayout *layout = python->layout;
    uint8_t owner = 0;
    if (layout->owner < 0 || layout->minor < 12) return true;
    return peek(python, frame + (uintptr_t)layout->owner, &owner, sizeof owner) && owner < OWNED_BY_INTERPRETER;
}

static bool read_frame(Python *python, uintptr_t from, PythonFrame *frame) {
    const PythonLayout *layout = python->layout;
    int32_t last = 0;
    frame->code = pointer_at(python, from, layout->code) & ~(uintptr_t)TAG_BITS;
    if (!frame->code || !is_a(python, frame->code, python->code_type)) return false;
    if (layout->last == LAST_ADDRESS)
        frame->instruction = pointer_at(python, from, layout->instruction);
    else if (peek(python, from + (uintptr_t)layout->instruction, &last, sizeof last))
        frame->instruction = last > 0 ? (uintptr_t)last : 0;
    frame->file = pointer_at(python, frame->code, layout->file);
    frame->name = pointer_at(python, frame->code, layout->name);
    return peek(python, frame->code + (uintptr_t)layout->first_line, &frame->first_line,
                sizeof frame->first_line);
}

uint32_t python_frames(Python *python, PythonFrame *frames, uint32_t limit) {
    uint32_t count = 0, seen = 0;
    if (!python->layout || atomic_load_explicit(&python->broken, memory_order_relaxed)) return 0;
    for (uintptr_t frame = newest_frame(python); frame && count < limit && seen < 4 * limit; seen++) {
        if (of_a_function(python, frame) && !read_frame(python, frame, &frames[count++])) return 0;
        frame = pointer_at(python, frame, python->layout->previous);
    }
    return atomic_load(&python->broken) ? 0 : count;
}

/* ---- lines ---- */

typedef struct Lines {
    unsigned char *bytes;
    size_t count, at;
} Lines;

static unsigned next_byte(Lines *lines) { return lines->at < lines->count ? lines->bytes[lines->at++] : 0; }

/* Before 3.10: pairs of the code bytes to the next line, and the difference in lines. */
static int32_t line_of_pairs(Lines *lines, int32_t line, uint64_t offset) {
    uint64_t address = 0;
    while (lines->at + 1 < lines->count) {
        address += next_byte(lines);
        if (address > offset) break;
        line += (int8_t)next_byte(lines);
    }
    return line;
}

/* 3.10: pairs of the length of a line's code, and the difference to the previous line; -128 = no line. */
static int32_t line_of_ranges(Lines *lines, int32_t line, uint64_t offset) {
    uint64_t end = 0;
    int32_t found = line;
    while (lines->at + 1 < lines->count && end <= offset) {
        end += next_byte(lines);
        int8_t on = (int8_t)next_byte(lines);
        line += on == -128 ? 0 : on;
        found = on == -128 ? found : line;
    }
    return found;
}

static uint32_t variable(Lines *lines) {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 6) {
        unsigned byte = next_byte(lines);
        value |= (byte & 63u) << shift;
        if (!(byte & 64u)) break;
    }
    return value;
}

static int32_t signed_variable(Lines *lines) {
    uint32_t value = variable(lines);
    return value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
}

/* Since 3.11: PEP 626's table with columns; only an entry's first byte has the high bit set. */
static int32_t line_of_locations(Lines *lines, int32_t line, uint64_t offset) {
    enum { NO_LINE = 15, LONG = 14, NO_COLUMNS = 13, ONE_LINE = 10 };
    uint64_t end = 0;
    int32_t found = line;
    while (lines->at < lines->count && end <= offset) {
        unsigned first = next_byte(lines), how = first >> 3 & 15;
        end += 2 * ((first & 7u) + 1);
        if (how == LONG || how == NO_COLUMNS) line += signed_variable(lines);
        if (how >= ONE_LINE && how < NO_COLUMNS) line += (int32_t)(how - ONE_LINE);
        if (how != NO_LINE) found = line;
        while (lines->at < lines->count && !(lines->bytes[lines->at] & 0x80)) lines->at++;
    }
    return found;
}

static uint64_t offset_of(const PythonLayout *layout, const PythonFrame *frame) {
    uintptr_t start = frame->code + (uintptr_t)(layout->bytecode > 0 ? layout->bytecode : 0);
    if (layout->last == LAST_ADDRESS) return frame->instruction > start ? frame->instruction - start : 0;
    return layout->last == LAST_UNITS ? 2 * frame->instruction : frame->instruction;
}

int32_t python_line(Python *python, const PythonFrame *frame) {
    static int32_t (*const readers[])(Lines *, int32_t, uint64_t) = {line_of_pairs, line_of_ranges,
                                                                     line_of_locations};
    const PythonLayout *layout = python->layout;
    uintptr_t table = pointer_at(python, frame->code, layout->lines);
    uint64_t length = pointer_at(python, table, BYTES_LENGTH);
    if (!length || length > LINES_LIMIT) return frame->first_line;
    Lines lines = {malloc(length), length, 0};
    int32_t line = frame->first_line;
    if (lines.bytes && peek(python, table + BYTES_DATA, lines.bytes, length))
        line = readers[layout->lines_kind](&lines, line, offset_of(layout, frame));
    free(lines.bytes);
    return line;
}

/* ---- texts ---- */

static size_t put_utf8(char *utf8, uint32_t c) {
    if (c < 0x80) return utf8[0] = (char)c, 1;
    if (c < 0x800) return utf8[0] = (char)(0xC0 | c >> 6), utf8[1] = (char)(0x80 | (c & 63)), 2;
    if (c >= 0xD800 && c < 0xE000) return utf8[0] = '?', 1; /* bytes of a name that is no valid UTF-8 */
    if (c < 0x10000)
        return utf8[0] = (char)(0xE0 | c >> 12), utf8[1] = (char)(0x80 | (c >> 6 & 63)),
               utf8[2] = (char)(0x80 | (c & 63)), 3;
    return utf8[0] = (char)(0xF0 | (c >> 18 & 7)), utf8[1] = (char)(0x80 | (c >> 12 & 63)),
           utf8[2] = (char)(0x80 | (c >> 6 & 63)), utf8[3] = (char)(0x80 | (c & 63)), 4;
}

static uint32_t unit_at(const unsigned char *units, size_t width, size_t index) {
    uint32_t value = 0;
    memcpy(&value, units + index * width, width);
    return value;
}

size_t python_text(Python *python, uintptr_t text, char *utf8, size_t room) {
    unsigned char units[4 * PYTHON_TEXT];
    uint64_t length = pointer_at(python, text, TEXT_LENGTH);
    uint32_t state = 0;
    if (!is_a(python, text, python->text_type) || !peek(python, text + TEXT_STATE, &state, sizeof state))
        return 0;
    size_t width = state >> 2 & 7, written = 0;
    bool compact = state & 1u << 5, ascii = state & 1u << 6;
    if (!compact || (width != 1 && width != 2 && width != 4) || length > PYTHON_TEXT) return 0;
    int head = ascii ? python->layout->ascii_head : python->layout->other_head;
    if (!peek(python, text + (uintptr_t)head, units, length * width)) return 0;
    for (size_t i = 0; i < length && written + 4 <= room; i++)
        written += put_utf8(utf8 + written, unit_at(units, width, i));
    return written;
}
