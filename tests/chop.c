/* Fuzzing by chopping: every Python file given or below the given folders, cut at many places, each prefix and suffix
   lowered and checked against what model.h promises, and every so often analysed as a whole. In a folder that is called
   like a fuzz target (fuzz/targets.h) each file's prefixes and suffixes are fed to it. Built with the sanitizers by
   `make fuzz`. CHOPS cuts a file (default 200; 0: at every byte). */
#include "fuzz/targets.h"
#include <dirent.h>

enum { WHOLE_EVERY = 40, FILE_LIMIT = 1 << 20 };

typedef struct Chop {
    SyntaxParser *parser;
    Fuzz fuzz;
    uint32_t chops, lowered, analysed, fed, files;
} Chop;

static void analyse_whole(Chop *self, Text bytes) {
    Arena arena = {0};
    (void)fuzz_analyze(&arena, fuzz_file(&self->fuzz, &arena, "input.py", bytes), NULL);
    arena_free(&arena);
    self->analysed++;
}

static void lower_piece(Chop *self, const char *path, Text bytes) {
    char *copy = malloc(bytes.length + 1u); /* exactly as long, so that a read beyond it is seen */
    memcpy(copy, bytes.bytes, bytes.length);
    Arena result = {0}, scratch = {0};
    FileModel model;
    lower_file(&result, &scratch, self->parser, (Text){copy, bytes.length}, &model);
    const char *broken = model_broken(&model);
    if (broken) {
        fprintf(stderr, "%s, %u bytes: %s\n", path, bytes.length, broken);
        abort();
    }
    lower_outlined(&result, &scratch, self->parser, (Text){copy, bytes.length}, &model);
    if ((broken = model_broken(&model))) {
        fprintf(stderr, "%s, %u bytes, outlined: %s\n", path, bytes.length, broken);
        abort();
    }
    if (self->lowered++ % WHOLE_EVERY == 0) analyse_whole(self, bytes);
    arena_free(&scratch);
    arena_free(&result);
    free(copy);
}

static void chop_file(Chop *self, const char *path, FuzzTarget *target) {
    char *bytes = malloc(FILE_LIMIT);
    FILE *file = fopen(path, "rb");
    uint32_t length = file ? (uint32_t)fread(bytes, 1, FILE_LIMIT, file) : 0;
    if (file) fclose(file);
    uint32_t step = self->chops ? length / self->chops + 1 : 1;
    for (uint32_t cut = 0; cut < length; cut += step) {
        Text pieces[] = {{bytes, cut}, {bytes + cut, length - cut}};
        for (int i = 0; i < 2; i++)
            if (target)
                target(&self->fuzz, pieces[i]), self->fed++;
            else
                lower_piece(self, path, pieces[i]);
    }
    self->files++;
    free(bytes);
}

/* The fuzz target that the folder of the path is called like. */
static FuzzTarget *target_of(const char *path) {
    const char *end = strrchr(path, '/'), *start = end;
    char name[64];
    while (start && start > path && start[-1] != '/') start--;
    if (!end || end - start >= (ptrdiff_t)sizeof name) return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
    return fuzz_target(name);
}

static void chop_path(Chop *self, const char *path) {
    struct stat info;
    FuzzTarget *target = target_of(path);
    if (lstat(path, &info) != 0) return;
    if (!S_ISDIR(info.st_mode)) {
        if (target || text_ends(text_of(path), TEXT(".py"))) chop_file(self, path, target);
        return;
    }
    DIR *stream = opendir(path);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char inner[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        chop_path(self, inner);
    }
    if (stream) closedir(stream);
}

int main(int count, char **paths) {
    Chop self = {.parser = syntax_open(), .chops = 200};
    if (getenv("CHOPS")) self.chops = (uint32_t)strtoul(getenv("CHOPS"), NULL, 10);
    fuzz_open(&self.fuzz);
    for (int i = 1; i < count; i++) chop_path(&self, paths[i]);
    fuzz_close(&self.fuzz);
    printf("%u files chopped, %u pieces lowered, %u analysed, %u fed to a target\n", self.files, self.lowered,
           self.analysed, self.fed);
    syntax_close(self.parser);
    return 0;
}
