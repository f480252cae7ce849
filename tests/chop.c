/* Fuzzing by chopping: every file below the given folders, cut at many places, each prefix and suffix lowered and
   checked against what model.h promises, and every so often analysed as a whole. Built with the sanitizers by
   `make fuzz`. CHOPS cuts a file (default 200). */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "analyze.h"
#include "unit/model_check.h"

enum { WHOLE_EVERY = 40, FILE_LIMIT = 1 << 20 };

typedef struct Chop {
    SyntaxParser *parser;
    char folder[64];
    uint32_t chops, lowered, analysed, files;
} Chop;

static void analyse_whole(Chop *self, Text bytes) {
    char path[96];
    snprintf(path, sizeof path, "%s/chopped.py", self->folder);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fwrite(bytes.bytes, 1, bytes.length, file);
    fclose(file);
    Arena result = {0};
    Text error = {0};
    const char *paths[] = {path};
    AnalyzeOptions options = {.paths = paths, .path_count = 1};
    analyze(&result, &options, &error);
    arena_free(&result);
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
    if (self->lowered++ % WHOLE_EVERY == 0) analyse_whole(self, bytes);
    arena_free(&scratch);
    arena_free(&result);
    free(copy);
}

static void chop_file(Chop *self, const char *path) {
    char *bytes = malloc(FILE_LIMIT);
    FILE *file = fopen(path, "rb");
    uint32_t length = file ? (uint32_t)fread(bytes, 1, FILE_LIMIT, file) : 0;
    if (file) fclose(file);
    uint32_t step = length / self->chops + 1;
    for (uint32_t cut = 0; cut < length; cut += step) {
        lower_piece(self, path, (Text){bytes, cut});
        lower_piece(self, path, (Text){bytes + cut, length - cut});
    }
    self->files++;
    free(bytes);
}

static void chop_below(Chop *self, const char *folder) {
    DIR *stream = opendir(folder);
    if (!stream) return;
    for (struct dirent *entry; (entry = readdir(stream));) {
        char path[4096];
        struct stat info;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &info) != 0) continue;
        if (S_ISDIR(info.st_mode))
            chop_below(self, path);
        else if (text_ends(text_of(path), TEXT(".py")))
            chop_file(self, path);
    }
    closedir(stream);
}

int main(int count, char **folders) {
    Chop self = {.parser = syntax_open(), .chops = 200};
    if (getenv("CHOPS")) self.chops = (uint32_t)strtoul(getenv("CHOPS"), NULL, 10);
    if (!self.chops) self.chops = 1;
    strcpy(self.folder, "/tmp/syncl-chop-XXXXXX");
    if (!mkdtemp(self.folder)) return 2;
    for (int i = 1; i < count; i++) chop_below(&self, folders[i]);
    char path[96];
    snprintf(path, sizeof path, "%s/chopped.py", self.folder);
    unlink(path);
    rmdir(self.folder);
    printf("%u files chopped, %u pieces lowered, %u analysed\n", self.files, self.lowered, self.analysed);
    syntax_close(self.parser);
    return 0;
}
