/* The named nodes of the grammar that occur in none of the files, a line each. */
#include "bench_files.h"
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

static void see(TSTreeCursor *at, bool *seen) {
    seen[ts_node_symbol(ts_tree_cursor_current_node(at))] = true;
    if (!ts_tree_cursor_goto_first_child(at)) return;
    do see(at, seen);
    while (ts_tree_cursor_goto_next_sibling(at));
    ts_tree_cursor_goto_parent(at);
}

/* A name may have several symbols. */
static bool occurs(const TSLanguage *language, const char *name, const bool *seen) {
    for (TSSymbol i = 0; i < ts_language_symbol_count(language); i++)
        if (seen[i] && strcmp(ts_language_symbol_name(language, i), name) == 0) return true;
    return false;
}

int main(int count, char **paths) {
    Arena arena = {0};
    const TSLanguage *language = tree_sitter_python();
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, language);
    bool *seen = arena_new(&arena, bool, ts_language_symbol_count(language));
    for (int i = 1; i < count; i++) {
        Text file = bench_read(&arena, paths[i]);
        TSTree *tree = ts_parser_parse_string(parser, NULL, file.bytes, file.length);
        TSTreeCursor at = ts_tree_cursor_new(ts_tree_root_node(tree));
        see(&at, seen);
        ts_tree_cursor_delete(&at);
        ts_tree_delete(tree);
    }
    for (TSSymbol i = 1; i < ts_language_symbol_count(language); i++) {
        const char *name = ts_language_symbol_name(language, i);
        if (ts_language_symbol_type(language, i) == TSSymbolTypeRegular && !occurs(language, name, seen))
            puts(name);
    }
    ts_parser_delete(parser);
    arena_free(&arena);
    return 0;
}
