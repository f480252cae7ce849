#include "cache.h"
#include "file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT = 1, NAME_LENGTH = 32, A_DAY = 24 * 60 * 60, AN_HOUR = 60 * 60 };
static const uint64_t largest_block = (uint64_t)256 << 20;
static const char magic[8] = "syncl\r\n";
static const char *const folders[BLOCK_KINDS] = {[BLOCK_RESULT] = "results",
                                                 [BLOCK_MODEL] = "models",
                                                 [BLOCK_FINDINGS] = "findings",
                                                 [BLOCK_PRICES] = "prices"};

typedef struct Header {
    char magic[8];
    uint32_t format, kind;
    Digest build, key;
    uint64_t length;
    Digest checksum; /* of the header with zeros here, and of the bytes' digest */
} Header;

/* ---- places ---- */

Cache cache_at(Arena *result, const char *given, const char *build) {
    const char *kept = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    Cache self = {.build = digest_of(text_of(build)), .limit_bytes = CACHE_LIMIT_BYTES};
    if (given && *given)
        self.folder = given;
    else if (kept && kept[0] == '/')
        self.folder = text_format(result, "%s/syncl", kept).bytes;
    else if (home && home[0] == '/')
        self.folder = text_format(result, "%s/.cache/syncl", home).bytes;
    return self;
}

static const char *block_path(const Cache *self, Arena *scratch, BlockKind kind, Digest key) {
    const char *name = digest_hex(scratch, key).bytes;
    return text_format(scratch, "%s/%s/%s", self->folder, folders[kind], name).bytes;
}

/* ---- reading ---- */

static Digest checksum_of(Header header, Text bytes) {
    struct {
        Header header;
        Digest bytes;
    } all = {header, digest_of(bytes)};
    all.header.checksum = (Digest){0};
    return digest_of((Text){(const char *)&all, sizeof all});
}

static Header header_of(const Cache *self, BlockKind kind, Digest key, Text bytes) {
    Header header = {.format = FORMAT, .kind = kind, .build = self->build, .key = key, .length = bytes.length};
    memcpy(header.magic, magic, sizeof magic);
    header.checksum = checksum_of(header, bytes);
    return header;
}

static bool read_all(int file, void *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t got = read(file, (char *)bytes + at, length - at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += (size_t)got;
    }
    return true;
}

/* The header must equal the one that this run would write. */
static bool read_block(const Cache *self, Arena *result, BlockKind kind, Digest key, int file, Text *bytes) {
    struct stat info;
    Header header;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < (off_t)sizeof header) return false;
    uint64_t length = (uint64_t)info.st_size - sizeof header;
    if (length > largest_block || !read_all(file, &header, sizeof header) || header.length != length)
        return false;
    char *all = arena_alloc(result, length + 1);
    if (!read_all(file, all, length)) return false;
    *bytes = (Text){all, (uint32_t)length};
    Header expected = header_of(self, kind, key, *bytes);
    return memcmp(&header, &expected, sizeof header) == 0;
}

/* Refreshes the block's time of last use, at most once an hour; unused blocks are removed first. */
static void mark_used(int file) {
    struct stat info;
    if (fstat(file, &info) == 0 && info.st_mtime + AN_HOUR < time(NULL)) (void)futimens(file, NULL);
}

bool cache_read(const Cache *self, Arena *result, BlockKind kind, Digest key, Text *bytes) {
    if (!self->folder) return false;
    Arena scratch = {0};
    const char *path = block_path(self, &scratch, kind, key);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    bool whole = file >= 0 && read_block(self, result, kind, key, file, bytes);
    if (whole) mark_used(file);
    if (file >= 0 && !whole) (void)unlink(path);
    if (file >= 0) close(file);
    arena_free(&scratch);
    return whole;
}

/* ---- writing ---- */

/* Creates the missing folders of the path. */
static bool make_folders(Arena *scratch, const char *path) {
    char *all = arena_copy(scratch, path, strlen(path) + 1);
    for (char *at = all + 1; *at; at++) {
        if (*at != '/') continue;
        *at = 0;
        if (mkdir(all, 0700) != 0 && errno != EEXIST) return false;
        *at = '/';
    }
    return mkdir(all, 0700) == 0 || errno == EEXIST;
}

static bool write_all(int file, const void *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t count = write(file, (const char *)bytes + at, length - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += (size_t)count;
    }
    return true;
}

/* Writes a temporary file beside it and renames it. The name is unique to the thread and process. */
static bool replace(Arena *scratch, const char *path, const void *head, size_t head_length, Text bytes) {
    char *beside = arena_copy(scratch, text_format(scratch, "%s.XXXXXX", path).bytes, strlen(path) + 8);
    int file = mkstemp(beside);
    if (file < 0) return false;
    bool good = write_all(file, head, head_length) && write_all(file, bytes.bytes, bytes.length);
    good = close(file) == 0 && good;
    if (good && rename(beside, path) == 0) return true;
    (void)unlink(beside);
    return false;
}

static const char *const tag_names[] = {"CACHEDIR.TAG", ".gitignore"};
static const char *const tag_texts[] = {"Signature: 8a477f597d28d172789f06886806bc55\n# Kept by syncl to be "
                                        "faster; it may be removed at any time.\n",
                                        "*\n"};
enum { TAGS = sizeof tag_names / sizeof *tag_names };

static const char *tag_path(const Cache *self, Arena *scratch, size_t tag) {
    return text_format(scratch, "%s/%s", self->folder, tag_names[tag]).bytes;
}

/* Makes the folder of a kind. The files that tell git and backups to skip a cache are written only into a
   folder made here. */
static bool prepare(const Cache *self, Arena *scratch, BlockKind kind) {
    struct stat info;
    bool was_there = stat(self->folder, &info) == 0;
    if (!make_folders(scratch, text_format(scratch, "%s/%s", self->folder, folders[kind]).bytes)) return false;
    for (size_t i = 0; !was_there && i < TAGS; i++)
        (void)replace(scratch, tag_path(self, scratch, i), "", 0, text_of(tag_texts[i]));
    return true;
}

uint64_t cache_write(const Cache *self, BlockKind kind, Digest key, Text bytes) {
    if (!self->folder || bytes.length > largest_block) return 0;
    Arena scratch = {0};
    Header header = header_of(self, kind, key, bytes);
    const char *path = block_path(self, &scratch, kind, key);
    bool written = replace(&scratch, path, &header, sizeof header, bytes);
    if (!written && prepare(self, &scratch, kind))
        written = replace(&scratch, path, &header, sizeof header, bytes);
    arena_free(&scratch);
    return written ? sizeof header + bytes.length : 0;
}

void cache_remove(const Cache *self, BlockKind kind, Digest key) {
    if (!self->folder) return;
    Arena scratch = {0};
    (void)unlink(block_path(self, &scratch, kind, key));
    arena_free(&scratch);
}

/* ---- limits ---- */

typedef struct Block {
    const char *path;
    time_t used;
    uint64_t bytes;
} Block;

typedef struct Blocks {
    VEC(Block) items;
    uint64_t bytes;
} Blocks;

/* 32 hex digits; or a temporary file of an interrupted write, which has a dot and six more characters. */
static bool is_ours(const char *name) {
    size_t length = strlen(name);
    return strspn(name, "0123456789abcdef") == NAME_LENGTH &&
           (length == NAME_LENGTH || (length == NAME_LENGTH + 7 && name[NAME_LENGTH] == '.'));
}

static Blocks list_blocks(const Cache *self, Arena *scratch) {
    Blocks all = {0};
    for (BlockKind kind = 0; kind < BLOCK_KINDS; kind++) {
        const char *folder = text_format(scratch, "%s/%s", self->folder, folders[kind]).bytes;
        DIR *stream = opendir(folder);
        for (struct dirent *entry; stream && (entry = readdir(stream));) {
            struct stat info;
            if (!is_ours(entry->d_name)) continue;
            if (fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
            const char *path = text_format(scratch, "%s/%s", folder, entry->d_name).bytes;
            vec_push(scratch, &all.items, ((Block){path, info.st_mtime, (uint64_t)info.st_size}));
            all.bytes += (uint64_t)info.st_size;
        }
        if (stream) closedir(stream);
    }
    return all;
}

static int by_use(const void *left, const void *right) {
    const Block *a = left, *b = right;
    if (a->used != b->used) return a->used < b->used ? -1 : 1;
    return strcmp(a->path, b->path);
}

/* Removes the oldest blocks down to four fifths of the limit, so that the next run need not do it again. */
static uint64_t drop_oldest(const Cache *self, Arena *scratch) {
    Blocks all = list_blocks(self, scratch);
    time_t old = time(NULL) - (time_t)CACHE_DAYS * A_DAY;
    uint64_t room = all.bytes > self->limit_bytes ? self->limit_bytes / 5 * 4 : self->limit_bytes;
    if (all.items.count) qsort(all.items.items, all.items.count, sizeof(Block), by_use);
    for (uint32_t i = 0; i < all.items.count; i++) {
        const Block *block = &all.items.items[i];
        if (all.bytes <= room && block->used >= old) break;
        if (unlink(block->path) == 0 || errno == ENOENT) all.bytes -= block->bytes;
    }
    return all.bytes;
}

static const char *size_path(const Cache *self, Arena *scratch) {
    return text_format(scratch, "%s/syncl-cache-size", self->folder).bytes;
}

/* The total counted less than a day ago; false: it must be counted again. */
static bool read_size(Arena *scratch, const char *path, uint64_t *bytes, time_t *counted) {
    Text said, why;
    intmax_t when = 0;
    bool good = file_read(scratch, text_of(path), &said, &why) &&
                sscanf(said.bytes, "%" SCNu64 " %" SCNdMAX, bytes, &when) == 2;
    time_t now = time(NULL);
    *counted = (time_t)when;
    return good && when <= (intmax_t)now && when + A_DAY > (intmax_t)now;
}

void cache_trim(const Cache *self, uint64_t added_bytes) {
    if (!self->folder || !added_bytes) return;
    Arena scratch = {0};
    const char *path = size_path(self, &scratch);
    uint64_t bytes = 0;
    time_t counted;
    bool known = read_size(&scratch, path, &bytes, &counted);
    bytes += added_bytes;
    if (!known || bytes > self->limit_bytes) {
        counted = time(NULL);
        bytes = drop_oldest(self, &scratch);
    }
    Text size = text_format(&scratch, "%" PRIu64 " %" PRIdMAX "\n", bytes, (intmax_t)counted);
    (void)replace(&scratch, path, "", 0, size);
    arena_free(&scratch);
}

static void remove_tag(const Cache *self, Arena *scratch, size_t tag) {
    const char *path = tag_path(self, scratch, tag);
    Text bytes, why;
    if (file_read(scratch, text_of(path), &bytes, &why) && text_equal(bytes, text_of(tag_texts[tag])))
        (void)unlink(path);
}

uint32_t cache_clear(const Cache *self) {
    if (!self->folder) return 0;
    Arena scratch = {0};
    Blocks all = list_blocks(self, &scratch);
    uint32_t removed = 0;
    for (uint32_t i = 0; i < all.items.count; i++) removed += unlink(all.items.items[i].path) == 0;
    for (BlockKind kind = 0; kind < BLOCK_KINDS; kind++)
        (void)rmdir(text_format(&scratch, "%s/%s", self->folder, folders[kind]).bytes);
    (void)unlink(size_path(self, &scratch));
    for (size_t i = 0; i < TAGS; i++) remove_tag(self, &scratch, i);
    (void)rmdir(self->folder);
    arena_free(&scratch);
    return removed;
}
