/* A bare tree-sitter parse of the files, on one thread, and nothing else: the measure that lowering is held to. */
#include "bench_files.h"
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

int main(int count, char **paths) {
    Arena arena = {0};
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, tree_sitter_python());
    Text *files = arena_new(&arena, Text, count);
    for (int i = 1; i < count; i++) files[i] = bench_read(&arena, paths[i]);
    size_t bytes = 0;
    double start = bench_now_ms();
    for (int i = 1; i < count; i++) {
        ts_tree_delete(ts_parser_parse_string(parser, NULL, files[i].bytes, files[i].length));
        bytes += files[i].length;
    }
    printf("%.3f ms parse %zu bytes\n", bench_now_ms() - start, bytes);
    ts_parser_delete(parser);
    arena_free(&arena);
    return 0;
}
