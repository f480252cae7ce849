#include "inputs.h"
#include "file.h"
#include "machine.h"
#include "path.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#define MODIFIED(info) ((info)->st_mtimespec)
#define CHANGED(info) ((info)->st_ctimespec)
#else
#define MODIFIED(info) ((info)->st_mtim)
#define CHANGED(info) ((info)->st_ctim)
#endif

static const int64_t young_ns = 2000000000; /* two seconds: the coarsest time stamp of a file system, FAT's */

/* ---- stamps ---- */

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

static Stamp stamp_of(const struct stat *info) {
    return (Stamp){.device = (uint64_t)info->st_dev,
                   .inode = (uint64_t)info->st_ino,
                   .size = (uint64_t)info->st_size,
                   .links = (uint64_t)info->st_nlink,
                   .mode = (uint64_t)info->st_mode,
                   .changed_ns = nanoseconds(CHANGED(info)),
                   .modified_ns = nanoseconds(MODIFIED(info))};
}

static bool same_stamp(const Stamp *a, const Stamp *b) { return memcmp(a, b, sizeof *a) == 0; }

static uint64_t is_settled(const Stamp *stamp) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
    int64_t latest = stamp->changed_ns > stamp->modified_ns ? stamp->changed_ns : stamp->modified_ns;
    return latest + young_ns < nanoseconds(now);
}

/* ---- asking ---- */

/* The path for a system call; the empty path is `.`. */
static const char *name_of(Arena *scratch, Text path) {
    return path.length ? path_terminated(scratch, path) : ".";
}

typedef struct Gathered {
    VEC(char) bytes;
} Gathered;

static void gather(Arena *arena, Gathered *self, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) vec_push(arena, &self->bytes, ((const char *)bytes)[i]);
}

static void gather_word(Arena *arena, Gathered *self, Text word) {
    gather(arena, self, &word.length, sizeof word.length);
    gather(arena, self, word.bytes, word.length);
}

static Digest gathered_digest(const Gathered *self) {
    return digest_of((Text){self->bytes.items, self->bytes.count});
}

/* Only regular files are opened: others could block. Only their bytes are compared. */
static void ask_bytes(Arena *scratch, Text path, Answer *answer) {
    Text bytes, why;
    if (!S_ISREG((mode_t)answer->stamp.mode)) return;
    errno = 0;
    if (file_read(scratch, path, &bytes, &why))
        answer->digest = digest_of(bytes);
    else
        answer->error = errno ? errno : EFBIG;
}

typedef struct Entries {
    VEC(Text) items; /* each item: a letter for the kind, then the name */
} Entries;

static void ask_names(Arena *scratch, Text path, Answer *answer) {
    const char *name = name_of(scratch, path);
    Entries entries = {0};
    DIR *stream = opendir(name);
    if (!stream) {
        answer->error = errno;
        return;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
        struct stat info;
        bool known = fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0;
        unsigned kind = known ? (unsigned)(info.st_mode & S_IFMT) : (unsigned)errno;
        vec_push(scratch, &entries.items, text_format(scratch, "%s/%x", entry->d_name, kind));
    }
    closedir(stream);
    if (entries.items.count) qsort(entries.items.items, entries.items.count, sizeof(Text), text_order);
    Gathered all = {0};
    for (uint32_t i = 0; i < entries.items.count; i++) gather_word(scratch, &all, entries.items.items[i]);
    answer->digest = gathered_digest(&all);
}

static void ask_pattern(Arena *scratch, Text pattern, Answer *answer) {
    glob_t found;
    Gathered all = {0};
    int status = glob(path_terminated(scratch, pattern), 0, NULL, &found);
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
        gather_word(scratch, &all, text_of(found.gl_pathv[i]));
    globfree(&found);
    answer->digest = gathered_digest(&all);
}

static void ask_machine(Arena *scratch, Answer *answer) {
    Machine machine = machine_read(scratch, "");
    Gathered all = {0};
    for (uint32_t i = 0; i < machine.gpus.count; i++) gather_word(scratch, &all, machine.gpus.items[i]);
    gather_word(scratch, &all, machine.cpu);
    gather(scratch, &all, &machine.driver, sizeof machine.driver);
    gather(scratch, &all, &machine.has_gpu, sizeof machine.has_gpu);
    answer->digest = gathered_digest(&all);
}

/* The answer without a digest: the stamp, or the error. */
static Answer look(Arena *scratch, Asked asked, Text path) {
    Answer answer = {.asked = asked};
    struct stat info;
    if (asked == ASKED_GLOB || asked == ASKED_MACHINE) return answer;
    if (stat(name_of(scratch, path), &info) != 0)
        answer.error = errno;
    else
        answer.stamp = stamp_of(&info);
    return answer;
}

static void complete(Arena *scratch, Text path, Answer *answer) {
    if (answer->error) return;
    answer->settled = is_settled(&answer->stamp);
    if (answer->asked == ASKED_FILE) ask_bytes(scratch, path, answer);
    if (answer->asked == ASKED_FOLDER) ask_names(scratch, path, answer);
    if (answer->asked == ASKED_GLOB) ask_pattern(scratch, path, answer);
    if (answer->asked == ASKED_MACHINE) ask_machine(scratch, answer);
}

/* The first answer to a question is the one recorded; where a second one would differ, asking again before the
   result is cached notices it. */
static const Answer *ask(Inputs *self, Asked asked, Text path) {
    Arena scratch = {0};
    Text name = text_format(&scratch, "%c%.*s", '0' + (int)asked, SHOWN(path));
    Sym id = names_intern(&self->asked, name);
    if (id > self->answers.count) {
        Answer answer = look(&scratch, asked, path);
        if (!self->names_only) complete(&scratch, path, &answer);
        vec_push(self->arena, &self->answers, answer);
    }
    arena_free(&scratch);
    return &self->answers.items[id - 1];
}

void inputs_file(Inputs *self, Text path) {
    if (self) (void)ask(self, ASKED_FILE, path);
}

void inputs_folder(Inputs *self, Text path) {
    if (self) (void)ask(self, ASKED_FOLDER, path);
}

void inputs_same(Inputs *self, Text path) {
    if (self) (void)ask(self, ASKED_SAME, path);
}

void inputs_glob(Inputs *self, const char *pattern) {
    if (self) (void)ask(self, ASKED_GLOB, text_of(pattern));
}

void inputs_machine(Inputs *self) {
    if (self) (void)ask(self, ASKED_MACHINE, (Text){"", 0});
}

uint32_t inputs_kind(Inputs *self, Arena *scratch, Text path) {
    Answer answer = self ? *ask(self, ASKED_KIND, path) : look(scratch, ASKED_KIND, path);
    return answer.error ? 0 : (uint32_t)(answer.stamp.mode & S_IFMT);
}

/* ---- asking again ---- */

/* Equal bytes suffice only for a regular file with a single name: which names are one file shows in results
   too. */
static bool is_plain(Arena *scratch, Text path) {
    struct stat info;
    return lstat(name_of(scratch, path), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1;
}

static bool same_kind(const Answer *a, const Answer *b) {
    return (a->stamp.mode & S_IFMT) == (b->stamp.mode & S_IFMT);
}

static bool same_content(Arena *scratch, Text path, const Answer *old, Answer *now) {
    bool is_file = old->asked == ASKED_FILE;
    if (is_file && (old->stamp.size != now->stamp.size || !same_kind(old, now))) return false;
    if (old->asked == ASKED_FOLDER && old->stamp.mode != now->stamp.mode) return false;
    bool same_file = old->stamp.inode == now->stamp.inode && old->stamp.device == now->stamp.device &&
                     old->stamp.links == now->stamp.links;
    if (is_file && !same_file && !is_plain(scratch, path)) return false;
    complete(scratch, path, now);
    return old->error == now->error && old->error != EFBIG && digest_equal(old->digest, now->digest);
}

/* A path that could not be opened is opened again even if its stamp is the same: permission also depends on the
   user. */
static bool still_holds(Arena *scratch, Text path, Answer *answer, bool *renewed) {
    Answer now = look(scratch, (Asked)answer->asked, path);
    bool there = !now.error, was_there = answer->stamp.mode != 0;
    if (answer->asked == ASKED_GLOB || answer->asked == ASKED_MACHINE) {
        complete(scratch, path, &now);
        return digest_equal(now.digest, answer->digest);
    }
    if (!there || !was_there) return there == was_there && now.error == answer->error;
    if (answer->asked == ASKED_KIND) return same_kind(answer, &now);
    if (answer->asked == ASKED_SAME)
        return answer->stamp.device == now.stamp.device && answer->stamp.inode == now.stamp.inode;
    if (answer->settled && !answer->error && same_stamp(&answer->stamp, &now.stamp)) return true;
    if (!same_content(scratch, path, answer, &now)) return false;
    *answer = now;
    *renewed = true;
    return true;
}

static Text path_of(const Inputs *self, Sym id) {
    Text name = names_text(&self->asked, id);
    return text_slice(name, 1, name.length);
}

Text inputs_same_file(const Inputs *self, uint64_t device, uint64_t inode) {
    for (Sym id = 1; self && id <= self->answers.count; id++) {
        const Answer *answer = &self->answers.items[id - 1];
        bool there = answer->asked == ASKED_FILE && answer->stamp.mode != 0;
        if (there && answer->stamp.inode == inode && answer->stamp.device == device) return path_of(self, id);
    }
    return TEXT("");
}

bool inputs_holds(Inputs *self, bool *renewed) {
    Arena scratch = {0};
    bool holds = true;
    for (Sym id = 1; holds && id <= self->answers.count; id++) {
        holds = still_holds(&scratch, path_of(self, id), &self->answers.items[id - 1], renewed);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    return holds;
}

/* ---- as bytes ---- */

/* Format: for each question its answer, the length of its path, the path. */
Text inputs_pack(Arena *result, const Inputs *self) {
    Gathered all = {0};
    for (Sym id = 1; id <= self->answers.count; id++) {
        gather(result, &all, &self->answers.items[id - 1], sizeof(Answer));
        gather_word(result, &all, path_of(self, id));
    }
    return (Text){all.bytes.items ? all.bytes.items : "", all.bytes.count};
}

bool inputs_unpack(Arena *result, Text bytes, Inputs *self) {
    *self = (Inputs){.arena = result, .asked = {.arena = result}};
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        Answer answer;
        if (bytes.length - at < sizeof answer + sizeof length) return false;
        memcpy(&answer, bytes.bytes + at, sizeof answer);
        memcpy(&length, bytes.bytes + at + sizeof answer, sizeof length);
        at += (uint32_t)(sizeof answer + sizeof length);
        if (length > bytes.length - at || answer.asked >= ASKED_KINDS) return false;
        Text name = text_format(result, "%c%.*s", '0' + (int)answer.asked, (int)length, bytes.bytes + at);
        if (names_intern(&self->asked, name) != self->answers.count + 1) return false;
        vec_push(result, &self->answers, answer);
    }
    return true;
}
