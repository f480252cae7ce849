/* Parse and lower of the files, on one thread, the models kept as a run keeps them. */
#include "bench_files.h"
#include "lower.h"

int main(int count, char **paths) {
    Arena arena = {0}, models = {0}, scratch = {0};
    SyntaxParser *parser = syntax_open();
    Text *files = arena_new(&arena, Text, count);
    for (int i = 1; i < count; i++) files[i] = bench_read(&arena, paths[i]);
    size_t bytes = 0;
    double start = bench_now_ms();
    for (int i = 1; i < count; i++) {
        FileModel model;
        lower_file(&models, &scratch, parser, files[i], &model);
        arena_reset(&scratch);
        bytes += files[i].length;
    }
    printf("%.3f ms parse+lower %zu bytes, models %zu KiB\n", bench_now_ms() - start, bytes,
           models.reserved >> 10);
    syntax_close(parser);
    arena_free(&scratch);
    arena_free(&models);
    arena_free(&arena);
    return 0;
}
