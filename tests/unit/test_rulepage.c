/* rulepage.h: what pages and stubs become, and what is refused with which words. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include "conventions.h"
#include "dump_rulebook.h"
#include "rulepage.h"

#define PAGE(name, code, facts)                                 \
    "# " name " (" code ")\n\nThe message of\n" name            \
    ".\n\n## Why it waits\nBecause.\n\n## Instead\nDo not.\n\n" \
    "## Facts\n" facts "\n## Reported\n\n## Quiet\n"

/* The facts of such a page begin in line 13. */
#define FENCE(module, body) "```python " module "\n" body "```\n"

static const char TENSOR[] = "# module torch\nclass Tensor:\n    def view(self, *shape) -> like(self): ...\n";

static char *dumped(const Rulebook *book) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    dump_rulebook(out, book);
    fclose(out);
    return text;
}

static const Rulebook *read_two(Arena *arena, const char *page, const char *stub, Text *error) {
    PageSource sources[] = {{TEXT("rules/api/lib.pyi"), text_of(stub)},
                            {TEXT("rules/a-wait.md"), text_of(page)}};
    return rulepage_read(arena, NULL, sources, *page ? 2 : 1, error);
}

static void assert_dump(const char *page, const char *stub, const char *expected) {
    Arena arena = {0};
    Text error = {0};
    const Rulebook *book = read_two(&arena, page, stub, &error);
    if (!book) print_message("%.*s\n", (int)error.length, error.bytes);
    assert_non_null(book);
    char *text = dumped(book);
    assert_string_equal(text, expected);
    free(text);
    arena_free(&arena);
}

static void assert_refused(const char *page, const char *stub, const char *expected) {
    Arena arena = {0};
    Text error = {0};
    assert_null(read_two(&arena, page, stub, &error));
    assert_string_equal(error.bytes, expected);
    arena_free(&arena);
}

static void reads_a_page(void **state) {
    (void)state;
    assert_dump(PAGE("a-wait", "SYN901",
                     FENCE("torch.Tensor", "@waits(1)\n@copies(self, to_host)\ndef cpu(self: cuda): ...\n")),
                TENSOR,
                "hazard SYN901 a-wait\nmodule torch\nclass torch.Tensor\nfunction torch.Tensor.cpu\n"
                "  (self: cuda) @waits(1) @copies(self, to_host) [a-wait:16]\nfunction torch.Tensor.view\n"
                "  (self, *shape) -> like(self) [api:3]\n");
}

static void keeps_the_texts_of_a_page(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const Rulebook *book = read_two(&arena, PAGE("a-wait", "SYN901", ""), "", &error);
    assert_non_null(book);
    const Hazard *hazard = &book->hazards[rulebook_hazard(book, TEXT("SYN901"))];
    assert_true(text_equal(rulebook_text(book, hazard->message), TEXT("The message of a-wait.")));
    assert_true(text_equal(rulebook_text(book, hazard->why), TEXT("Because.")));
    assert_true(text_equal(rulebook_text(book, hazard->instead), TEXT("Do not.")));
    assert_true(text_equal(rulebook_text(book, hazard->kind), TEXT("wait")));
    arena_free(&arena);
}

static void reads_what_a_hazard_does_and_how_a_trace_shows_it(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const Rulebook *book = read_two(
        &arena,
        "# a-wait (SYN901)\n\nDoes: sizes\nTrace: read, mixed\nOperators: aten::nonzero*, *unique*\n"
        "Kernels: *cub::*\n\nHm.\nTrace: no field.\n\n## Why\n## Instead\n## Facts\n## Reported\n## Quiet\n",
        "", &error);
    assert_non_null(book);
    const Hazard *hazard = &book->hazards[1];
    assert_true(rulebook_does(book, 1, DOES_BIT(reads) | DOES_BIT(sizes)));
    assert_false(rulebook_does(book, 1, DOES_BIT(reads)));
    assert_int_equal(hazard->trace, TRACE_BIT(read) | TRACE_BIT(mixed));
    assert_true(text_equal(rulebook_text(book, hazard->operators), TEXT("aten::nonzero*, *unique*")));
    assert_true(text_equal(rulebook_text(book, hazard->kernels), TEXT("*cub::*")));
    arena_free(&arena);
}

static void reads_rows_of_conventions(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    const Rulebook *book =
        read_two(&arena, "",
                 "# conventions\nmask_name: \"*_mask\"\nwork_word: \"predict\"\n"
                 "mask_name: \"keep_*\"\nmask_name: \"a*z\"\n# module lib\nclass Thing: ...\n",
                 &error);
    assert_non_null(book);
    assert_true(name_is(book, NAMED_mask_name, TEXT("row_mask")));
    assert_true(name_is(book, NAMED_mask_name, TEXT("keep_rows")));
    assert_true(name_is(book, NAMED_mask_name, TEXT("a_to_z")));
    assert_false(name_is(book, NAMED_mask_name, TEXT("predict")));
    assert_true(name_is(book, NAMED_work_word, TEXT("predict")));
    assert_int_equal(name_rows(book, NAMED_mask_name), 3);
    assert_true(text_equal(name_row(book, NAMED_mask_name, 1), TEXT("keep_")));
    assert_int_equal(name_row(book, NAMED_mask_name, 3).length, 0);
    assert_true(rulebook_find(book, TEXT("lib.Thing")) != 0);
    arena_free(&arena);
}

static void refuses_broken_rows_of_conventions(void **state) {
    (void)state;
    assert_refused("", "# conventions\nmask_nam: \"*_mask\"\n",
                   "rules/api/lib.pyi:2: 'mask_nam' is no word of conventions.def");
    assert_refused("", "# conventions\nmask_name: cuda\nmask_name = \"m\"\n",
                   "rules/api/lib.pyi:2: a row of conventions is written 'WORD: \"pattern\"'\n"
                   "rules/api/lib.pyi:3: a row of conventions is written 'WORD: \"pattern\"'");
    assert_refused("", "# conventions\nmask_name: \"m\"\nmask_name: \"m\"\n",
                   "rules/api/lib.pyi:3: this row stands there already");
}

static void matches_patterns_and_takes_lists_apart(void **state) {
    (void)state;
    Text list = TEXT("whole, start*,*end *part*");
    static const char *const fit[] = {"whole", "starting", "the_end", "a_part_of"};
    static const char *const unfit[] = {"whole_", "restart", "ending", "par"};
    for (int i = 0; i < 4; i++) {
        Text pattern = text_item(&list);
        assert_true(text_like(text_of(fit[i]), pattern));
        assert_false(text_like(text_of(unfit[i]), pattern));
    }
    assert_int_equal(text_item(&list).length, 0);
}

static void reads_every_kind_of_term(void **state) {
    (void)state;
    assert_dump(
        "",
        "# module lib\n"
        "class Thing: ...\n"
        "def conditions(a: cuda & ~scalar | None, b: 'mean' = 'mean', c: has(cuda) = ..., *args: -3,\n"
        "               d: lib.Thing, e: is_a(lib.Thing), f: 0.5, **kw: True) -> a | unknown: ...\n"
        "def returns(x, y) -> tuple(like(x, y, dtype_int, scalar), values=list(on(y, x)), n=None): ...\n"
        "def more(number) -> dict(element(number)) | lib.Thing | number: ...\n"
        "@waits(count(i, cuda & dtype_bool) + 2 * length(i))\n"
        "@launches(1, backward=2)\n"
        "@when(is_(i, cuda) & ~grad & version('>=2.1'))\n"
        "@level('likely')\n"
        "@matmul\n"
        "@calls(fn, step, i)\n"
        "def effects(fn, i): ...\n",
        "module lib\nclass lib.Thing\nfunction lib.conditions\n"
        "  (a: ((cuda & ~scalar) | None), b: \"mean\"=\"mean\", c: has(cuda)=..., *args: -3, d: lib.Thing, "
        "e: is_a(lib.Thing), f: \"0.5\", **kw: True) -> (a | unknown) [api:3]\nfunction lib.effects\n"
        "  (fn, i) @waits((count(i, (cuda & dtype_bool)) + (2 * length(i)))) @launches(1, backward=2) "
        "@level(\"likely\") "
        "@matmul @calls(fn, step, i) @when((is_(i, cuda) & ~grad & version(\">=2.1\"))) [api:13]\n"
        "function lib.more\n  (number) -> (dict(element(number)) | lib.Thing | number) [api:6]\n"
        "function lib.returns\n"
        "  (x, y) -> tuple(like(x, y, dtype_int, scalar), values=list(on(y, x)), n=none) [api:5]\n");
}

static void reads_classes_attributes_and_aliases(void **state) {
    (void)state;
    assert_dump(
        "",
        "# module lib\n"
        "class Child(lib.Base):\n"
        "    '''Words.'''\n"
        "    device: device_of(self)\n"
        "    class Inner: ...\n"
        "    @property\n"
        "    def size(self) -> number: ...\n"
        "    same = lib.Base.go\n"
        "class Base:\n"
        "    def go(self): ...\n"
        "    def __default__(self, *args) -> host: ...\n"
        "# module other\n"
        "pi: number\n"
        "Kid = lib.Child\n",
        "module lib\nclass lib.Base\nfunction lib.Base.__default__\n  (self, *args) -> host [api:11]\n"
        "function lib.Base.go\n  (self) [api:10]\n"
        "class lib.Child(lib.Base)\nclass lib.Child.Inner\nvalue lib.Child.device: device_of(self)\n"
        "alias lib.Child.same = lib.Base.go\nfunction lib.Child.size\n  (self) -> number @property [api:7]\n"
        "module other\nalias other.Kid = lib.Child\nvalue other.pi: number\n");
}

/* Hazard pages in the order of their names, stubs last, whatever the order they are given in. */
static void orders_the_clauses_of_an_entry(void **state) {
    (void)state;
    static const char stub[] = "# module lib\ndef f(a) -> number: ...\n";
    PageSource sources[] = {
        {TEXT("a.pyi"), TEXT(stub)},
        {TEXT("b-wait.md"),
         text_of(PAGE("b-wait", "SYN902", FENCE("lib", "@waits(2)\ndef f(a: cuda): ...\n")))},
        {TEXT("a-wait.md"),
         text_of(PAGE("a-wait", "SYN901",
                      FENCE("lib", "@waits(1)\ndef f(a: cpu): ...\n@waits(3)\ndef f(a: text): ...\n")))},
    };
    Arena arena = {0};
    Text error = {0};
    const Rulebook *book = rulepage_read(&arena, NULL, sources, 3, &error);
    assert_non_null(book);
    char *text = dumped(book);
    assert_string_equal(text, "hazard SYN901 a-wait\nhazard SYN902 b-wait\nmodule lib\nfunction lib.f\n"
                              "  (a: cpu) @waits(1) [a-wait:15]\n  (a: text) @waits(3) [a-wait:17]\n"
                              "  (a: cuda) @waits(2) [b-wait:15]\n  (a) -> number [api:2]\n");
    free(text);
    arena_free(&arena);
}

static void extends_a_rulebook(void **state) {
    (void)state;
    static const char more[] =
        PAGE("b-wait", "SYN902", FENCE("torch.Tensor", "@waits(2)\ndef view(self: cuda, *shape): ...\n"));
    Arena arena = {0};
    Text error = {0};
    const Rulebook *base = read_two(&arena, "", TENSOR, &error);
    PageSource source = {TEXT("perf/b-wait.md"), TEXT(more)};
    const Rulebook *book = rulepage_read(&arena, base, &source, 1, &error);
    assert_non_null(book);
    char *text = dumped(book);
    assert_string_equal(
        text, "hazard SYN902 b-wait\nmodule torch\nclass torch.Tensor\nfunction torch.Tensor.view\n"
              "  (self: cuda, *shape) @waits(2) [b-wait:15]\n  (self, *shape) -> like(self) [api:3]\n");
    free(text);
    assert_null(rulepage_read(&arena, book, &source, 1, &error));
    assert_string_equal(error.bytes, "perf/b-wait.md:1: name or code stands on another page already: b-wait");
    arena_free(&arena);
}

static void refuses_what_it_does_not_know(void **state) {
    (void)state;
    static const struct {
        const char *stub, *error;
    } cases[] = {
        {"def f(): ...\n", "1: no line '# module NAME' stands above this"},
        {"# module a\ndef f(x: cudda): ...\n", "2: unknown condition 'cudda'"},
        {"# module a\ndef f(x) -> liek(x): ...\n", "2: unknown return 'liek'"},
        {"# module a\ndef f(x) -> b.Nothing: ...\n", "2: unknown name 'b.Nothing'"},
        {"# module a\ndef f(x) -> a.f: ...\n", "2: not a class of any page: 'a.f'"},
        {"# module a\n@waitz(1)\ndef f(x): ...\n", "2: unknown effect 'waitz'"},
        {"# module a\n@waits()\ndef f(x): ...\n", "2: wrong number of arguments for 'waits'"},
        {"# module a\n@waits(y)\ndef f(x): ...\n", "2: unknown count 'y'"},
        {"# module a\n@waits(count(y, cuda))\ndef f(x): ...\n", "2: not a parameter of this def: 'y'"},
        {"# module a\n@copies(x, up)\ndef f(x): ...\n", "2: unknown direction 'up'"},
        {"# module a\n@host_work(magic, 1)\ndef f(x): ...\n",
         "2: no such quantity in calib/profile.def: 'magic'"},
        {"# module a\n@launches(1, 2)\ndef f(x): ...\n",
         "2: the second argument of launches is written backward=N"},
        {"# module a\n@level('sure')\ndef f(x): ...\n", "2: unknown value 'sure'"},
        {"# module a\n@when(version('2'))\ndef f(x): ...\n", "2: a version looks like '>=2.1', not '2'"},
        {"# module a\n@when(grad)\n@when(grad)\ndef f(x): ...\n", "3: a second when: join them with &"},
        {"# module a\ndef f(x) -> like(x, 3): ...\n", "2: a return is a word, a parameter or a class"},
        {"# module a\ndef f(x: has(cuda, cpu)): ...\n", "2: wrong number of arguments for 'has'"},
        {"# module a\nclass C(a.D): ...\n", "2: unknown base class 'a.D'"},
        {"# module a\nclass C(a.D): ...\nclass D(a.C): ...\n",
         "2: class 'a.C' is a base of itself\nrules/api/lib.pyi:3: class 'a.D' is a base of itself"},
        {"# module a\nclass C: ...\nclass D: ...\nclass D(a.C): ...\nclass D(a.C): ...\n",
         "5: the bases of this class are said elsewhere already"},
        {"# module a\nx = a.y\ny = a.x\n",
         "2: alias 'a.y' leads back to itself\nrules/api/lib.pyi:3: alias 'a.x' leads back to itself"},
        {"# module a\nx = b.y\n", "2: unknown name 'b.y'"},
        {"# module a\nx: number\ndef x(): ...\n", "3: 'x' is an attribute already, at rules/api/lib.pyi:2"},
        {"# module a\nx = 3\n", "2: an attribute is written 'name: TERM', an alias 'name = other.dotted.name'"},
        {"# module a\nimport b\n", "2: only def, class, 'name: TERM' and 'name = other.name' may stand here"},
        {"# module a\ndef f(x: 99999999999): ...\n", "2: a number that cannot be read '99999999999'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        Text expected = text_format(&arena, "rules/api/lib.pyi:%s", cases[i].error);
        assert_refused("", cases[i].stub, expected.bytes);
        arena_free(&arena);
    }
}

static void refuses_broken_pages(void **state) {
    (void)state;
    assert_refused("no title\n\n## Why it waits\n## Instead\n## Facts\n## Reported\n## Quiet\n", "",
                   "rules/a-wait.md:1: the title must be '# a-wait (CODE)', the code like SYN101");
    assert_refused("# a-wait (SYN901)\n\nMessage.\n\n## Why it waits\n## Facts\n## Reportd\n## Quiet\n", "",
                   "rules/a-wait.md:1: section '## Instead' is missing\n"
                   "rules/a-wait.md:1: section '## Reported' is missing");
    assert_refused("# a-wait (SYN901)\n## Why it waits\n## Instead\n## Facts\n## Reported\n## Quiet\n", "",
                   "rules/a-wait.md:1: the message is missing: a paragraph below the title");
    assert_refused(
        "# a-wait (SYN901)\nKind: often\n\nHm.\n## Why\n## Instead\n## Facts\n## Reported\n## Quiet\n", "",
        "rules/a-wait.md:1: unknown kind 'often': wait, timing, async or comment");
    assert_refused("# a-wait (SYN901)\nDoes: much\nTrace: read, dust\n\nHm.\n## Why\n## Instead\n## Facts\n## "
                   "Reported\n## "
                   "Quiet\n",
                   "",
                   "rules/a-wait.md:1: a line does nothing called 'much'\n"
                   "rules/a-wait.md:1: a recording shows nothing called 'dust'");
    assert_refused(PAGE("a-wait", "SYN901", "```python\ndef f(): ...\n```\n"), "",
                   "rules/a-wait.md:13: facts stand in a fence '```python MODULE.OR.CLASS'");
    assert_refused(
        "# a-wait (SYN901)\n\nM.\n## Why\n## Instead\n## Facts\n## Reported\n## Quiet\n```python\nx\n", "",
        "rules/a-wait.md:9: this fence is never closed");
    assert_refused(PAGE("a-wait", "SYN901", FENCE("torch.Tensro", "def cpu(self: cuda): ...\n")), TENSOR,
                   "rules/a-wait.md:14: 'torch.Tensro' is not a class of any page, yet this takes self");
    assert_refused(PAGE("a-wait", "SYN901", FENCE("torch", "@waits(1\ndef cpu(self: cuda): ...\n")), TENSOR,
                   "rules/a-wait.md:14: cannot be read as Python");
}

static void gives_the_examples(void **state) {
    (void)state;
    static const char page[] =
        "# a-wait (SYN901)\n\nM.\n## Why\n## Instead\n```python\nbetter()\n```\n## Facts\n"
        "```python a\n```\n## Reported\n```python\nx.item()  # sync: a-wait\ny\n```\n## Quiet\n"
        "```python\nz\n```\n```text\nno\n```\n";
    PageSource sources[] = {{TEXT("a-wait.md"), TEXT(page)}, {TEXT("x.pyi"), TEXT(TENSOR)}};
    Arena arena = {0};
    PageExamples examples = rulepage_examples(&arena, sources, 2);
    assert_int_equal(examples.items.count, 3);
    const PageExample *reported = &examples.items.items[1], *quiet = &examples.items.items[2];
    assert_int_equal(reported->section, SECTION_REPORTED);
    assert_int_equal(reported->line, 14);
    assert_true(text_equal(reported->text, TEXT("x.item()  # sync: a-wait\ny\n")));
    assert_true(text_equal(reported->rule, TEXT("a-wait")));
    assert_int_equal(quiet->section, SECTION_QUIET);
    assert_int_equal(quiet->line, 19);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_page),
        cmocka_unit_test(keeps_the_texts_of_a_page),
        cmocka_unit_test(reads_what_a_hazard_does_and_how_a_trace_shows_it),
        cmocka_unit_test(reads_rows_of_conventions),
        cmocka_unit_test(refuses_broken_rows_of_conventions),
        cmocka_unit_test(matches_patterns_and_takes_lists_apart),
        cmocka_unit_test(reads_every_kind_of_term),
        cmocka_unit_test(reads_classes_attributes_and_aliases),
        cmocka_unit_test(orders_the_clauses_of_an_entry),
        cmocka_unit_test(extends_a_rulebook),
        cmocka_unit_test(refuses_what_it_does_not_know),
        cmocka_unit_test(refuses_broken_pages),
        cmocka_unit_test(gives_the_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
