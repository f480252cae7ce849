/* rulebook.h: look-ups in the built-in tables and in a small book made here. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "rulepage.h"

static const char STUB[] = "# module lib\n"
                           "class Base:\n"
                           "    def read(self): ...\n"
                           "    def shared(self): ...\n"
                           "class Left(lib.Base):\n"
                           "    def own(self): ...\n"
                           "class Right(Base):\n"
                           "    def shared(self): ...\n"
                           "class Both(Left, Right): ...\n"
                           "class Other: ...\n"
                           "# module lib.inner\n"
                           "alias = lib.Both\n"
                           "again = lib.inner.alias\n"
                           "short = alias\n"
                           "def zed(): ...\n"
                           "def alpha(): ...\n"
                           "def middle(): ...\n";

static const Rulebook *small_book(Arena *arena) {
    PageSource source = {TEXT("lib.pyi"), TEXT(STUB)};
    Text error = {0};
    const Rulebook *book = rulepage_read(arena, NULL, &source, 1, &error);
    if (!book) print_message("%.*s\n", (int)error.length, error.bytes);
    assert_non_null(book);
    return book;
}

static void assert_qualified(const Rulebook *book, EntryId entry, const char *expected) {
    assert_int_not_equal(entry, 0);
    Text name = rulebook_text(book, book->entries[entry].qualified);
    if (!text_equal(name, text_of(expected))) print_message("got %.*s\n", (int)name.length, name.bytes);
    assert_true(text_equal(name, text_of(expected)));
}

static void finds_by_dotted_name(void **state) {
    (void)state;
    Arena arena = {0};
    const Rulebook *book = small_book(&arena);
    assert_qualified(book, rulebook_find(book, TEXT("lib")), "lib");
    assert_qualified(book, rulebook_find(book, TEXT("lib.Base.read")), "lib.Base.read");
    assert_int_equal(rulebook_find(book, TEXT("lib.Base.rea")), 0);
    assert_int_equal(rulebook_find(book, TEXT("lib.Base.read.")), 0);
    assert_int_equal(rulebook_find(book, TEXT("")), 0);
    assert_int_equal(rulebook_find(book, TEXT(".lib")), 0);
    arena_free(&arena);
}

static void finds_every_child_by_its_name(void **state) {
    (void)state;
    Arena arena = {0};
    const Rulebook *book = small_book(&arena);
    EntryId inner = rulebook_find(book, TEXT("lib.inner"));
    assert_qualified(book, rulebook_child(book, inner, TEXT("alpha")), "lib.inner.alpha");
    assert_qualified(book, rulebook_child(book, inner, TEXT("middle")), "lib.inner.middle");
    assert_qualified(book, rulebook_child(book, inner, TEXT("zed")), "lib.inner.zed");
    assert_int_equal(rulebook_child(book, inner, TEXT("beta")), 0);
    arena_free(&arena);
}

static void follows_aliases(void **state) {
    (void)state;
    Arena arena = {0};
    const Rulebook *book = small_book(&arena);
    assert_qualified(book, rulebook_find(book, TEXT("lib.inner.alias")), "lib.Both");
    assert_qualified(book, rulebook_find(book, TEXT("lib.inner.again")), "lib.Both");
    assert_qualified(book, rulebook_find(book, TEXT("lib.inner.short")), "lib.Both");
    arena_free(&arena);
}

static void looks_members_up_in_the_bases(void **state) {
    (void)state;
    Arena arena = {0};
    const Rulebook *book = small_book(&arena);
    EntryId both = rulebook_find(book, TEXT("lib.Both"));
    assert_qualified(book, rulebook_member(book, both, TEXT("own")), "lib.Left.own");
    assert_qualified(book, rulebook_member(book, both, TEXT("read")), "lib.Base.read");
    assert_int_equal(rulebook_child(book, both, TEXT("own")), 0);
    assert_int_equal(rulebook_member(book, both, TEXT("none")), 0);
    arena_free(&arena);
}

static void knows_who_inherits(void **state) {
    (void)state;
    Arena arena = {0};
    const Rulebook *book = small_book(&arena);
    EntryId both = rulebook_find(book, TEXT("lib.Both")), base = rulebook_find(book, TEXT("lib.Base"));
    assert_true(rulebook_inherits(book, both, both));
    assert_true(rulebook_inherits(book, both, base));
    assert_false(rulebook_inherits(book, base, both));
    assert_false(rulebook_inherits(book, both, rulebook_find(book, TEXT("lib.Other"))));
    arena_free(&arena);
}

static void names_its_words(void **state) {
    (void)state;
    assert_string_equal(rulebook_word(COND_tensor), "tensor");
    assert_string_equal(rulebook_word(RET_on_cuda), "on_cuda");
    assert_string_equal(rulebook_word(EFF_waits), "waits");
    assert_string_equal(rulebook_word(WORD_to_host), "to_host");
    assert_string_equal(rulebook_word(WORD_version), "version");
}

static void holds_the_pages(void **state) {
    (void)state;
    const Rulebook *book = rulebook_builtin();
    HazardId hazard = rulebook_hazard(book, TEXT("host-read"));
    assert_int_not_equal(hazard, 0);
    assert_int_equal(rulebook_hazard(book, TEXT("SYN101")), hazard);
    assert_int_equal(rulebook_hazard(book, TEXT("SYN")), 0);
    assert_true(text_starts(rulebook_text(book, book->hazards[hazard].page), TEXT("# host-read (SYN101)")));
    assert_true(rulebook_text(book, book->hazards[hazard].message).length > 0);
    EntryId item = rulebook_find(book, TEXT("torch.Tensor.item"));
    assert_int_not_equal(item, 0);
    assert_int_equal(book->entries[item].kind, ENTRY_FUNCTION);
    assert_int_equal(book->entries[book->entries[item].parent].kind, ENTRY_CLASS);
    assert_true(book->entries[item].clause_count > 0);
    assert_int_equal(book->clauses[book->entries[item].first_clause].hazard, hazard);
}

/* Every child of every entry is found again by its name, and knows its parent. */
static void is_sound(void **state) {
    (void)state;
    const Rulebook *book = rulebook_builtin();
    for (EntryId i = 1; i < book->entry_count; i++) {
        const Entry *entry = &book->entries[i];
        for (uint32_t j = 0; j < entry->child_count; j++) {
            EntryId child = book->entry_links[entry->first_child + j];
            assert_int_equal(book->entries[child].parent, i);
            EntryId found = rulebook_child(book, i, book->texts[book->entries[child].name]);
            assert_int_equal(found,
                             book->entries[child].kind == ENTRY_ALIAS ? book->entries[child].target : child);
            assert_int_not_equal(book->entries[found].kind, ENTRY_ALIAS);
        }
        assert_true(entry->first_clause + entry->clause_count <= book->clause_count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_by_dotted_name), cmocka_unit_test(finds_every_child_by_its_name),
        cmocka_unit_test(follows_aliases),      cmocka_unit_test(looks_members_up_in_the_bases),
        cmocka_unit_test(knows_who_inherits),   cmocka_unit_test(names_its_words),
        cmocka_unit_test(holds_the_pages),      cmocka_unit_test(is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
