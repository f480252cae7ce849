/* lower.h and syntax.h: what one file's model says, and that no input breaks it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include "dump_model.h"
#include "model_check.h"

typedef struct Lowered {
    Arena arena;
    FileModel model;
    Text bytes;
    char *dump;
} Lowered;

static Lowered lower_bytes(Text bytes) {
    Lowered out = {.bytes = bytes};
    Arena scratch = {0};
    SyntaxParser *parser = syntax_open();
    lower_file(&out.arena, &scratch, parser, bytes, &out.model);
    syntax_close(parser);
    arena_free(&scratch);
    const char *broken = model_broken(&out.model);
    if (broken) fail_msg("%s", broken);
    return out;
}

static Lowered lower_text_of(const char *source) {
    Lowered out = lower_bytes(text_of(source));
    size_t length;
    FILE *stream = open_memstream(&out.dump, &length);
    dump_file_model(stream, &out.model, out.bytes);
    fclose(stream);
    return out;
}

static void drop(Lowered *lowered) {
    free(lowered->dump);
    arena_free(&lowered->arena);
}

/* The dump of `source` has every one of the lines (parts of lines), which end with NULL. */
static void expect(const char *source, ...) {
    Lowered lowered = lower_text_of(source);
    va_list lines;
    va_start(lines, source);
    for (const char *line; (line = va_arg(lines, const char *));)
        if (!strstr(lowered.dump, line))
            fail_msg("no \"%s\" in the model of:\n%s\n%s", line, source, lowered.dump);
    va_end(lines);
    drop(&lowered);
}

static void expressions(void **state) {
    (void)state;
    expect("a.b[1:2, ::3, None]\n", "a!.b[(1:2, ::3, None)]", NULL);
    expect("x[a,]\nx[a]\n", "x![(a!,)]", "x![a!]", NULL);
    expect("a + b * -c ** 2 // d\n", "(a! + ((b! * -(c! ** 2)) // d!))", NULL);
    expect("a < b not in c is not d != e\n", "a! < b! not in c! is not d! != e!", NULL);
    expect("a and b and (c or d) and not e\n", "(a! and b! and (c! or d!) and not e!)", NULL);
    expect("f(a, *b, c=1, **d)\nf(x for x in y)\n", "f!(a!, *b!, c=1, **d!)", "f!((x$1 for x$1 in y!)@L1)",
           NULL);
    expect("{**a, 'b': 1, 2: c}\n{1, 2}\n()\n(1,)\n[]\n", "{**a!, \"b\": 1, 2: c!}", "{1, 2}", "(1,)", "[]",
           NULL);
    expect("a if b else c\n", "a! if b! else c!", NULL);
    expect("(a := f(b))\nprint(a)\n", "a$1 := f!(b!)", "print!(a$1)", NULL);
    expect("1j\n0x1j\n3.5e2\n...\nTrue\n", "1j", "3.5e2", "...", "True", NULL);
    expect("x = await f()\nasync def g():\n    yield\n    yield from a\n    async for b in c: pass\n",
           "await f!()", "async generator def g", "yield from a!", "async for b$1 in c!", NULL);
}

static void strings(void **state) {
    (void)state;
    expect("x = 'a' \"b\" r'\\n' '''c'''\n", "\"ab\\nc\"", NULL);
    expect("f'{a!r} {b:.3f} {c=} {d=:.1f} t'\n", "{a!!r}", "{b!:.3f}", "{c!!r}", "{d!:.1f}", "\" t\"", NULL);
    expect("f'{a:>{w}.3f}' 'tail'\n", "f({a!:f(\">\" {w!} \".3f\")} \"tail\")", NULL);
    expect("f'{{x}} {f\"{y}\"}'\n", "f({y!})", NULL);
    expect("b'%d' % x\n", "(\"%d\" % x!)", NULL);
}

static void scopes(void **state) {
    (void)state;
    expect("import a.b, c.d as e\nfrom . import f\nfrom ..g.h import i as j\nfrom k import *\n", "a.b -> a$1",
           "c.d -> e$2", ". import f -> f$3", "..g.h import i -> j$4", "k import *", NULL);
    expect("G = 1\ndef f(a):\n    b = a\n    def g():\n        return a, b, G, len\n    return g\n",
           "return (a^2$1, b^2$2, G!1, len!)", NULL);
    expect("def f():\n    global N\n    N = 1\nprint(N)\n", "N!1 = 1", "print!(N$1)", NULL);
    expect("def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n", "n^2$1 += 1", NULL);
    expect("class A:\n    n = 1\n    def m(self):\n        return n\n", "n$1 = 1", "return n!", "methods F3",
           NULL);
    expect("def f(x):\n    y = [x for x in x]\n    return x\n", "[x$2 for x$2 in x$1]@L1", "return x$1",
           "x@2$2(comprehension)", NULL);
    expect("def f():\n    return [lambda: i for i in r]\n", "return i^2$1", NULL);
    expect("def f():\n    [j := i for i in r]\n    return j\n", "j$2 := i$1", "return j$2", NULL);
    expect("try: pass\nexcept E as e: e\nwith a as b: b\nfor c, *d in e: pass\n", "except E! as e$1",
           "item a! as b$2", "for (c$3, *d$4) in e$1", NULL);
    expect("match p:\n  case P(x, y=z) | {'k': [v, *_], **r} as q if g: pass\n  case a.b | -1 | _: pass\n",
           "case q$5 := (P!(x$1, y=z$2) or {\"k\": [v$3, *...], **r$4}) if g!", "case (a!.b or -1 or ...)",
           NULL);
    expect("if TYPE_CHECKING:\n    import a\nimport b\n", "a -> a$1 (type checking)", "b -> b$2  #", NULL);
}

/* The vector of variables grows while a name is declared that is not among them yet. */
static void declared_behind_any_number_of_variables(void **state) {
    (void)state;
    Lowered alone = lower_text_of("nonlocal N\n");
    drop(&alone);
    for (int before = 0; before <= 140; before++) {
        char source[4096] = "def f():\n";
        for (int i = 0; i < before; i++) sprintf(source + strlen(source), "    v%d = 0\n", i);
        strcat(source, "    global N\n    N = 1\nprint(N)\n");
        expect(source, "N!1 = 1", "print!(N$1)", NULL);
    }
}

static void paths(void **state) {
    (void)state;
    expect("def f(self, batch):\n    self.x = None\n    if self.x is None: pass\n    return self.x.y, self.z\n",
           "self$1.x$3 = None", "if self$1.x$3 is None", "(self$1.x$3.y, self$1.z)", NULL);
    expect("def f(b):\n    b['k'][0] = 1\n    del b['k']\n    return b['k'][0], b['j']\n",
           "b$1[\"k\"]$3[0]$2 = 1", "return (b$1[\"k\"]$3[0]$2, b$1[\"j\"])", NULL);
    expect("def f(a):\n    if isinstance(a.b, int) and a.c: return a.b, a.c, a.d\n", "(a$1.b$", "a$1.c$",
           "a$1.d)", NULL);
    expect("def f(a):\n    a[i] = 1\n    g.x = 1\n    return a[i], g.x\n", "a$1[i!] = 1", "g!.x = 1", NULL);
}

static void definitions(void **state) {
    (void)state;
    expect("@a.b(1)\nasync def f(a, b: int = 2, /, c=3, *d, e, **g) -> T[int, str]:\n    return 1\n",
           "@a!.b(1)", "async def f", "param b$2 positional-only : int! = 2", "param c$3 = 3", "param *d$4",
           "param e$5 keyword-only", "param **g$6", "returns T![(int!, str!)]", NULL);
    expect("def f(x: 'Tensor', y: int | None = None): pass\n", "param x$1 : \"Tensor\"", "(int! | None) = None",
           NULL);
    expect("lambda x, y=1: x\n", "lambda@F2", "return x$1", NULL);
    expect("class A(B, metaclass=M):\n    class C:\n        def m(self): pass\n", "class A(B!, metaclass=M!)",
           "def m in F1 of C2", NULL);
    expect("x: int\ny: int = 3\na = b = c, d = 4\n", "x$1 : int!", "y$2 : int! = 3",
           "a$3 = b$4 = (c$5, d$6) = 4", NULL);
    expect("__all__ = ['a', 'b']\n", "__all__$1 = [\"a\", \"b\"]", NULL);
}

static void statements(void **state) {
    (void)state;
    expect("if a: b\nelif c: d\nelse: e\n", "if a!", "else\n    if c!", "else\n      e!", NULL);
    expect("while a:\n    break\nelse:\n    pass\n", "while a! @L1", "break", "else", NULL);
    expect("try:\n  a\nexcept (B, C):\n  d\nelse:\n  e\nfinally:\n  f\n", "except (B!, C!)", "finally\n    f!",
           NULL);
    expect("with (open(a) as b, c): pass\nwith (d as e): pass\n", "item open!(a!) as b$1", "item c!",
           "item d! as e$2", NULL);
    expect("raise A from b\nassert a, b\ndel c, d[0]\n", "raise A! from b!", "assert a!, b!", "del c$1, d!",
           NULL);
}

static void types_in_quotes(void **state) {
    (void)state;
    expect("def f(x: \"T | None\", *a: 'list[a.b, int]') -> \"dict[str, T]\":\n    y: 'Optional[T]' = x\n",
           "(T! | None)", "list![(a!.b, int!)]", "returns dict![(str!, T!)]", "Optional![T!]", NULL);
    expect("x: 'T' = 'a | b'\ny: f'T[{x}]' = 1\nz: 'T[' = 1\n", "\"T\"", "\"a | b\"", "\"T[\"", NULL);
}

static void if_true_is_its_block(void **state) {
    (void)state;
    expect("def f():\n    if True:\n        a = 1\n        if True: b = 2; return b\n", "F2 def f",
           "\n  a$1 = 1", "\n  b$2 = 2", "\n  return b$2", NULL);
    expect("if True:\n    a = 1\nelse:\n    b = 2\n", "  if True", "  else", NULL);
    expect("# syncl: cold\nif True:\n    a = 1\n", "  if True", NULL);
    expect("if True: # syncl: hot\n    a = 1\n", "  if True", NULL);
    expect("if a:\n    pass\nelif True:\n    a = 1\n", "if True", NULL);
}

static void python_2(void **state) {
    (void)state;
    expect("print 'a %s' % x, y\nprint >>f, x\nexec 'c'\nraise E, 'm'\n", "print!((\"a %s\" % x!), y!)",
           "print!(file=f!, x!)", "exec!(\"c\")", NULL);
    expect("try: pass\nexcept E, e:\n    print e\n", "except E! as e$1", "print!(e$1)", NULL);
    expect("if a <> b: pass\n", "if a! != b!", NULL);
}

static void errors_keep_what_is_whole(void **state) {
    (void)state;
    Lowered lowered = lower_text_of("def f(:\n    x = 1\n\nloss.item()\ny = (\n");
    assert_true(lowered.model.error_count > 0);
    assert_non_null(strstr(lowered.dump, "loss!.item()"));
    drop(&lowered);
}

static void positions(void **state) {
    (void)state;
    Lowered lowered =
        lower_text_of("\xEF\xBB\xBFx = 1\r\n\ty = '\xC3\xA9\xF0\x9F\x98\x80' + z\nw\n\f\nq \\\n = 2 # c\n");
    const char *source = lowered.bytes.bytes;
    Position z = model_position(&lowered.model, source, (uint32_t)(strchr(source, 'z') - source));
    assert_int_equal(z.line, 2);
    assert_int_equal(z.column, 13);
    Position x = model_position(&lowered.model, source, 3);
    assert_int_equal(x.column, 1);
    Position end = model_position(&lowered.model, source, lowered.bytes.length);
    assert_int_equal(end.line, 7);
    assert_int_equal(model_line(&lowered.model, (uint32_t)(strchr(source, 'w') - source)), 3);
    assert_int_equal(lowered.model.comments.count, 2);
    drop(&lowered);
}

static void heads_end_at_the_colon(void **state) {
    (void)state;
    const char *source =
        "for x in f(a[1:2]):  # not: this\n    pass\nclass A: pass\nif (a): b\n@d\ndef f(a) -> T:\n    pass\n";
    Lowered lowered = lower_text_of(source);
    const char *heads[] = {"for x in f(a[1:2]):", "class A:", "if (a):", "def f(a) -> T:"};
    List body = lowered.model.funcs.items[1].body;
    for (uint32_t i = 0; i < 4; i++) {
        Span head = lowered.model.stmts.items[lowered.model.links.items[body.first + i]].head;
        Text text = text_slice(lowered.bytes, head.start, head.end);
        if (!text_equal(text, text_of(heads[i]))) fail_msg("%.*s", (int)text.length, text.bytes);
    }
    drop(&lowered);
}

static void mentions_of_torch(void **state) {
    (void)state;
    Lowered with = lower_text_of("import torchvision\n"), without = lower_text_of("import numpy\n");
    assert_true(with.model.has_torch);
    assert_false(without.model.has_torch);
    drop(&with);
    drop(&without);
}

/* ---- input that nobody writes ---- */

static char *repeat(const char *before, const char *part, uint32_t times, const char *after) {
    size_t length = strlen(part);
    char *text = malloc(strlen(before) + length * times + strlen(after) + 1), *at = text + strlen(before);
    strcpy(text, before);
    for (uint32_t i = 0; i < times; i++, at += length) memcpy(at, part, length);
    strcpy(at, after);
    return text;
}

/* Lowers, checks the promises, and says how many subtrees were given up. */
static uint32_t given_up(char *source) {
    Lowered lowered = lower_bytes(text_of(source));
    uint32_t count = lowered.model.given_up;
    drop(&lowered);
    free(source);
    return count;
}

static void deep_nesting_is_given_up_and_counted(void **state) {
    (void)state;
    char *open = repeat("x = ", "(", 100000, "1"), *both = repeat(open, ")", 100000, "\ny = 2\n");
    assert_int_equal(given_up(both), 1);
    given_up(open); /* never closed: an error, or given up */
    assert_true(given_up(repeat("x = a", " + a", 10000, "\n")) > 0);
    assert_true(given_up(repeat("x = a", ".b(1)", 10000, "\n")) > 0);
    assert_true(given_up(repeat("x = a", " and a", 10000, "\n")) > 0);
    assert_true(given_up(repeat("x = ", "lambda: ", 10000, "1\n")) > 0);
    assert_true(given_up(repeat("x = ", "not ", 10000, "1\n")) > 0);
    assert_true(given_up(repeat("x = ", "-", 10000, "1\n")) > 0);
    assert_true(given_up(repeat("if a: pass\n", "elif b: pass\n", 10000, "")) > 0);
    assert_int_equal(given_up(repeat("x = a", " + a", 300, "\n")), 0);
    assert_int_equal(given_up(repeat("if a: pass\n", "elif b: pass\n", 300, "")), 0);
    assert_int_equal(given_up(repeat("", "a = ", 10000, "b\n")), 0);
}

static void odd_bytes_are_survived(void **state) {
    (void)state;
    const char *sources[] = {"",
                             "\n",
                             "  \n\t",
                             "\\",
                             "\"",
                             "'''",
                             "f'{",
                             "f\"{a:",
                             "x = \"\xff\xfe\"\n\xe9 = 3\n",
                             "\xEF\xBB\xBF",
                             "#",
                             "@",
                             "def",
                             "class :",
                             "lambda",
                             "x[",
                             "x.",
                             ".",
                             "*",
                             "match x:\n case",
                             "import",
                             "from . import",
                             "global",
                             "for",
                             "with",
                             "try:",
                             "if x",
                             "print",
                             "async",
                             "x: ",
                             "a = = b",
                             "@a\n@b\n",
                             "{**",
                             "(yield",
                             "del",
                             "return return",
                             "\x1b[31m",
                             "]]]]",
                             "f(a=)",
                             "[x for"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        Lowered lowered = lower_text_of(sources[i]);
        drop(&lowered);
    }
    const char nul[] = "x = 1\n\0\0y = 2\n";
    Lowered lowered = lower_bytes((Text){nul, sizeof nul - 1});
    drop(&lowered);
}

static void noise_is_survived(void **state) {
    (void)state;
    const char *const words[] = {
        "def ",  "f",    "(",      ")",       ":",       "\n",    "    ", "x",      "=",      "if ",     "for ",
        "in ",   "[",    "]",      "{",       "}",       "'",     "f\"",  "{",      "\"",     "lambda ", ",",
        "*",     "**",   "class ", "@",       "import ", "from ", ".",    "yield ", "match ", "case ",   "as ",
        "with ", "else", "try",    "except ", "print ",  "\t",    "#",    "\\\n",   "1"};
    uint32_t random = 12345;
    for (int round = 0; round < 400; round++) {
        char source[1024] = "";
        for (int i = 0; i < 100; i++) {
            random = random * 1664525u + 1013904223u;
            strcat(source, words[(random >> 16) % (sizeof words / sizeof *words)]);
        }
        Lowered lowered = lower_text_of(source);
        drop(&lowered);
    }
}

/* Every prefix of a script, in steps: what an editor sends while somebody types. */
static void prefixes_are_survived(void **state) {
    (void)state;
    FILE *file = fopen("corpus/scripts/detector.py", "rb");
    if (!file) skip();
    char *source = calloc(1, 100000);
    size_t length = fread(source, 1, 99999, file);
    fclose(file);
    for (size_t end = 0; end < length; end += 97) {
        Lowered lowered = lower_bytes((Text){source, (uint32_t)end});
        drop(&lowered);
    }
    free(source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions),
        cmocka_unit_test(strings),
        cmocka_unit_test(scopes),
        cmocka_unit_test(declared_behind_any_number_of_variables),
        cmocka_unit_test(paths),
        cmocka_unit_test(definitions),
        cmocka_unit_test(statements),
        cmocka_unit_test(types_in_quotes),
        cmocka_unit_test(if_true_is_its_block),
        cmocka_unit_test(python_2),
        cmocka_unit_test(errors_keep_what_is_whole),
        cmocka_unit_test(positions),
        cmocka_unit_test(heads_end_at_the_colon),
        cmocka_unit_test(mentions_of_torch),
        cmocka_unit_test(deep_nesting_is_given_up_and_counted),
        cmocka_unit_test(odd_bytes_are_survived),
        cmocka_unit_test(noise_is_survived),
        cmocka_unit_test(prefixes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
