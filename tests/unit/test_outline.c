/* outline.h: what stands where, and a parse around what is left out. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include "../outline_gaps.h"

typedef struct Read {
    Arena arena;
    Text bytes;
    Outline outline;
} Read;

static Read read(const char *source) {
    Read read = {.bytes = text_of(source)};
    outline_read(&read.arena, read.bytes, &read.outline);
    return read;
}

static const Chunk *chunk(const Read *read, const char *name) {
    for (uint32_t k = 1; k < read->outline.chunks.count; k++)
        if (text_equal(read->outline.chunks.items[k].name, text_of(name)))
            return &read->outline.chunks.items[k];
    fail_msg("no chunk %s", name);
    return NULL;
}

static void assert_span(const Read *read, Span span, const char *wanted) {
    Text got = text_slice(read->bytes, span.start, span.end);
    if (!text_equal(got, text_of(wanted))) fail_msg("'%.*s', not '%s'", (int)got.length, got.bytes, wanted);
}

static void chunks_have_spans(void **state) {
    (void)state;
    Read got =
        read("\"\"\"doc\"\"\"\nimport os\nX = {\n  'a': 1,\n}\n@wrap(\n  1)\nclass A(B):\n    'text'\n"
             "    n: int = 3\n    def f(self, x: int = {1: 2}) -> Dict[str, int]:  # so\n        \"\"\"one\n"
             "two\"\"\"\n        return x\n    @property\n    async def g(self): return '''\nZ = 1\n'''\n"
             "if X:\n    def h():\n        def inner(): pass\n\n    # end\n    Y = 2\nelse:\n    pass\n");
    assert_int_equal(chunk(&got, "X")->kind, CHUNK_VARIABLE);
    assert_span(&got, chunk(&got, "X")->span, "X = {\n  'a': 1,\n}");
    assert_int_equal(chunk(&got, "A")->kind, CHUNK_CLASS);
    assert_int_equal(chunk(&got, "n")->outer, chunk(&got, "A") - got.outline.chunks.items);
    assert_true(chunk(&got, "n")->is_typed);
    assert_span(&got, chunk(&got, "f")->body, "  # so\n        \"\"\"one\ntwo\"\"\"\n        return x");
    assert_span(&got, chunk(&got, "f")->text, "\"\"\"one\ntwo\"\"\"");
    assert_span(&got, chunk(&got, "g")->span, "@property\n    async def g(self): return '''\nZ = 1\n'''");
    assert_int_equal(chunk(&got, "h")->outer, 0);
    assert_span(&got, chunk(&got, "h")->body, "\n        def inner(): pass");
    assert_int_equal(chunk(&got, "Y")->outer, 0);
    arena_free(&got.arena);
}

static void a_bracket_left_open_ends_where_a_line_begins_afresh(void **state) {
    (void)state;
    Read got = read("x = f(1,\ny = [\n  2\n]\ndef g():\n    return (\n\nimport a\n");
    assert_int_equal(chunk(&got, "g")->kind, CHUNK_DEF);
    assert_int_equal(got.outline.imports.count, 1);
    arena_free(&got.arena);
}

static void assert_tokens(const char *source, const char *wanted) {
    char text[1024] = "";
    Tokens tokens = tokens_in(text_of(source), (Span){0, (uint32_t)strlen(source)});
    for (Token token; tokens_next(&tokens, &token);) {
        size_t at = strlen(text);
        if (token.kind == TOKEN_IMPORT)
            snprintf(text + at, sizeof text - at, "[%u %.*s %.*s %.*s]", token.dots, (int)token.module.length,
                     token.module.bytes, (int)token.name.length, token.name.bytes,
                     (int)token_bound(&token).length, token_bound(&token).bytes);
        else
            snprintf(text + at, sizeof text - at, "%s%s%.*s%s%.*s ", token.is_member ? "." : "",
                     token.is_bound ? "=" : "", (int)token.text.length, token.text.bytes,
                     token.rest.length ? ":" : "", (int)token.rest.length, token.rest.bytes);
    }
    assert_string_equal(text, wanted);
}

static void tokens_are_names_and_imports(void **state) {
    (void)state;
    assert_tokens("a.b.c(d, e=f).g.h # i", "a:b.c d =e f .g:h ");
    assert_tokens("x = 'y' + r\"z\" + 1.5e3 + 0x1f", "=x y z ");
    assert_tokens("'''a\\'''b''' c \"\"\"\\\\\"\"\" d ''''e''' f", "''a\\'''b'' c \"\"\\\\\"\" d '''e'' f ");
    assert_tokens("f'{a!r:{w}} {{b}} {c.d}' g", "a r w c:d g ");
    assert_tokens("import a.b, c as d\nfrom . import x\n", "[0 a.b  a][0 c  d][1  x x]");
    assert_tokens("from ..p.q import (  # why\n  a as b,\n  c,\n)\nr", "[2 p.q a b][2 p.q c c]r ");
    assert_tokens("try: from m import *\nexcept E: import n; o", "try [0 m * ]except E [0 n  n]o ");
    assert_tokens("yield from y\nx.import_(1)\n", "yield from y x:import_ ");
    assert_tokens("from a \\\n import b \\\n as c\nd", "[0 a b c]d ");
}

static void what_is_cut_off_ends(void **state) {
    (void)state;
    static const char *const sources[] = {"def f(",
                                          "class A:\n  def",
                                          "'''",
                                          "from",
                                          "from .",
                                          "from . import (",
                                          "import a as",
                                          "f'{",
                                          "f'{{",
                                          "x = \\",
                                          "@",
                                          "def f():\n\n\n",
                                          "\xEF\xBB\xBF",
                                          "if x: import",
                                          "\"\\",
                                          "from a \\",
                                          "def\n  class\n def"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        Arena result = {0}, scratch = {0};
        SyntaxParser *parser = syntax_open();
        FileModel model;
        size_t length = strlen(sources[i]);
        char *exact = malloc(length); /* so that a read beyond it is seen */
        memcpy(exact, sources[i], length);
        lower_outlined(&result, &scratch, parser, (Text){exact, (uint32_t)length}, &model);
        free(exact);
        syntax_close(parser);
        arena_free(&scratch);
        arena_free(&result);
    }
}

/* A parse around the bodies says the same of everything else, and that these were not read. */
static void a_parse_around_gaps_keeps_the_rest(void **state) {
    (void)state;
    Text bytes = TEXT("import a\nclass A(B):\n    '''text'''\n    x = 1\n    def f(self, y=2):\n        z = 3\n"
                      "        return z\n\n    def g(self): return 1\n\ndef h(): # so\n    pass\nw = h()\n");
    Arena result = {0}, scratch = {0};
    SyntaxParser *parser = syntax_open();
    FileModel whole, around;
    lower_file(&result, &scratch, parser, bytes, &whole);
    lower_outlined(&result, &scratch, parser, bytes, &around);
    assert_int_equal(around.error_count, 0);
    assert_int_equal(around.funcs.count, whole.funcs.count);
    assert_int_equal(around.lines.count, whole.lines.count);
    for (FuncId f = 1; f < whole.funcs.count; f++) {
        assert_int_equal(around.funcs.items[f].span.start, whole.funcs.items[f].span.start);
        assert_int_equal(func_is_unread(&around.funcs.items[f]), whole.funcs.items[f].kind == FUNC_DEF);
        assert_false(func_is_unread(&whole.funcs.items[f]));
    }
    const Stmt *last = &around.stmts.items[around.links.items[around.funcs.items[1].body.first + 3]];
    assert_int_equal(last->kind, STMT_ASSIGN);
    syntax_close(parser);
    arena_free(&scratch);
    arena_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_have_spans),
        cmocka_unit_test(a_bracket_left_open_ends_where_a_line_begins_afresh),
        cmocka_unit_test(tokens_are_names_and_imports),
        cmocka_unit_test(what_is_cut_off_ends),
        cmocka_unit_test(a_parse_around_gaps_keeps_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
