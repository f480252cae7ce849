#define _XOPEN_SOURCE 700 /* realpath */
#include "output.h"
#include "glyph.h"
#include "path.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGE = 16 * 1024 * 1024 }; /* bytes; a larger buffer grows by a quarter, not by doubling */

/* A report of 60,000 findings has 118 MB. Doubling would take twice that, with the old copy beside it: 380 MB. */
static void make_room(Output *output, uint32_t more) {
    uint32_t count = output->bytes.count, capacity = output->bytes.capacity;
    if (more <= capacity - count) return;
    uint32_t room =
        capacity < LARGE ? vec_next(count, capacity, more) : vec_next(count, capacity / 8 * 5, more);
    output->bytes.items = arena_extend(output->arena, output->bytes.items, capacity, room);
    output->bytes.capacity = room;
}

void output_bytes(Output *output, Text text) {
    make_room(output, text.length);
    if (text.length) memcpy(output->bytes.items + output->bytes.count, text.bytes, text.length);
    output->bytes.count += text.length;
}

void output_text(Output *output, const char *text) { output_bytes(output, text_of(text)); }

void output_clean(Output *output, Text text) {
    for (uint32_t at = 0; at < text.length;) {
        Glyph glyph = glyph_next(text, at);
        output_bytes(output, (Text){glyph.bytes, glyph.length});
        at += glyph.consumed;
    }
}

void output_repeat(Output *output, char c, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) output_bytes(output, (Text){&c, 1});
}

void output_format(Output *output, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        char *bytes = arena_alloc(output->arena, (size_t)length + 1);
        (void)vsnprintf(bytes, (size_t)length + 1, format, again);
        output_bytes(output, (Text){bytes, (uint32_t)length});
    }
    va_end(again);
}

void output_style(Output *output, Style style) {
    static const char *const codes[] = {
        [STYLE_PLAIN] = "\x1b[0m",      [STYLE_BOLD] = "\x1b[1m",    [STYLE_DIM] = "\x1b[36m",
        [STYLE_WARNING] = "\x1b[1;33m", [STYLE_NOTE] = "\x1b[1;34m", [STYLE_ERROR] = "\x1b[1;31m",
        [STYLE_ADDED] = "\x1b[32m",
    };
    if (output->color) output_text(output, codes[style]);
}

void output_uri(Output *output, Text path) {
    for (uint32_t at = 0; at < path.length; at++) {
        unsigned char c = (unsigned char)path.bytes[at];
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c && strchr("-._~/", c));
        if (plain)
            output_bytes(output, text_slice(path, at, at + 1));
        else
            output_format(output, "%%%02X", c);
    }
}

/* The escape sequence is described at https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
void output_link(Output *output, const Text *path) {
    if (!output->links) return;
    output_text(output, "\x1b]8;;");
    if (path) {
        output_text(output, "file://");
        output_uri(output, path_absolute(output->arena, output->folder, *path));
    }
    output_text(output, "\x1b\\");
}

static uint32_t word_end(Text text, uint32_t at) {
    while (at < text.length && text.bytes[at] != ' ' && text.bytes[at] != '\n') at++;
    return at;
}

void output_wrapped(Output *output, Text text, Text prefix, uint32_t indent, uint32_t width) {
    uint32_t column = indent;
    uint32_t margin = glyph_width(prefix) < indent ? indent - glyph_width(prefix) : 0;
    for (uint32_t at = 0; at < text.length;) {
        uint32_t end = word_end(text, at);
        Text word = text_slice(text, at, end);
        uint32_t word_width = glyph_width(word);
        if (column > indent && column + 1 + word_width > width) {
            output_text(output, "\n");
            output_bytes(output, prefix);
            output_repeat(output, ' ', margin);
            column = indent;
        } else if (column > indent && word_width > 0) {
            output_text(output, " ");
            column++;
        }
        output_clean(output, word);
        column += word_width;
        at = end < text.length ? end + 1 : end;
    }
}

/* The runner of GitHub Actions reads `::name` at the start of a line, after blanks, and the old `##[name]`
   anywhere. An invisible zero-width space inside breaks both up. */
Text output_guarded(const Output *output) {
    static const char breaker[] = "\xE2\x80\x8B";
    Text all = {output->bytes.items ? output->bytes.items : "", output->bytes.count};
    if (!output->workflow) return all;
    Output guarded = {.arena = output->arena};
    bool line_start = true;
    for (uint32_t at = 0; at < all.length; at++) {
        char c = all.bytes[at];
        Text rest = text_slice(all, at, all.length);
        bool command = line_start && text_starts(rest, TEXT("::"));
        bool old_command = text_starts(rest, TEXT("##["));
        output_bytes(&guarded, (Text){&c, 1});
        if (command || old_command) output_text(&guarded, breaker);
        line_start = c == '\n' || (line_start && (c == ' ' || c == '\t'));
    }
    return (Text){guarded.bytes.items ? guarded.bytes.items : "", guarded.bytes.count};
}

/* Waits where the reader has made the pipe non-blocking and it is full. */
static void wait_for_room(int descriptor) {
    struct pollfd end = {descriptor, POLLOUT, 0};
    (void)poll(&end, 1, -1);
    errno = EAGAIN;
}

bool output_to_descriptor(Text bytes, int descriptor) {
    for (uint32_t done = 0; done < bytes.length;) {
        ssize_t count = write(descriptor, bytes.bytes + done, bytes.length - done);
        if (count < 0 && errno == EAGAIN) wait_for_room(descriptor);
        if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (count > 0) done += (uint32_t)count;
    }
    return true;
}

static int open_to_write(const char *path, int flags) {
    int descriptor;
    do descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static bool write_and_close(Text bytes, int descriptor) {
    bool written = output_to_descriptor(bytes, descriptor);
    int why = errno;
    bool closed = close(descriptor) == 0;
    if (!written) errno = why;
    return written && closed;
}

/* /dev/null, a pipe or a terminal is written to, never replaced by a new file. */
static bool is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool replace_file(Text bytes, const char *target, Arena *arena) {
    size_t room = strlen(target) + 48;
    char *name = arena_alloc(arena, room);
    (void)snprintf(name, room, "%s.syncl-%ld.tmp", target, (long)getpid());
    int descriptor = open_to_write(name, O_CREAT | O_EXCL);
    struct stat status;
    if (descriptor < 0) return false;
    if (stat(target, &status) == 0) (void)fchmod(descriptor, status.st_mode & 07777);
    if (write_and_close(bytes, descriptor) && rename(name, target) == 0) return true;
    int why = errno;
    (void)unlink(name);
    errno = why;
    return false;
}

bool output_to_file(Text bytes, const char *path, Text *error, Arena *arena) {
    bool done = false;
    if (is_special(path)) {
        int descriptor = open_to_write(path, 0);
        done = descriptor >= 0 && write_and_close(bytes, descriptor);
    } else {
        char *resolved =
            realpath(path, NULL); /* for a link, the file that it points to is replaced and the link
                                                  stays */
        done = replace_file(bytes, resolved ? resolved : path, arena);
        free(resolved);
    }
    if (!done) *error = text_format(arena, "cannot write %s: %s", path, strerror(errno));
    return done;
}

bool output_append(Text bytes, const char *path, Text *error, Arena *arena) {
    int descriptor = open_to_write(path, O_CREAT | O_APPEND);
    if (descriptor >= 0 && write_and_close(bytes, descriptor)) return true;
    *error = text_format(arena, "cannot write %s: %s", path, strerror(errno));
    return false;
}
