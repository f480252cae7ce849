/* The inputs that once broke something (tests/fuzz/cases) and those that cover most (tests/fuzz/corpus), through the
   targets of the coverage-guided fuzzer: tests/fuzz/README.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../fuzz/targets.h"
#include "file.h"
#include <dirent.h>
#include <signal.h>

static char current[600]; /* the input that is being fed */

static void say_current(int number) {
    (void)!write(STDERR_FILENO, current, strlen(current));
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static uint32_t feed_folder(const Fuzz *fuzz, FuzzTarget *feed, const char *folder) {
    uint32_t count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        Arena arena = {0};
        Text bytes, error;
        if (entry->d_name[0] == '.') continue;
        int length = snprintf(current, sizeof current, "%s/%s", folder, entry->d_name);
        assert_true(file_read(&arena, (Text){current, (uint32_t)length}, &bytes, &error));
        strcat(current, ": broke it\n");
        feed(fuzz, bytes);
        arena_free(&arena);
        count++;
    }
    if (stream) closedir(stream);
    return count;
}

static void every_kept_input_is_survived(void **state) {
    (void)state;
    Fuzz fuzz = {0};
    fuzz_open(&fuzz);
    (void)signal(SIGABRT, say_current);
    (void)signal(SIGSEGV, say_current);
    for (int i = 0; i < FUZZ_TARGETS; i++) {
        char folder[200];
        snprintf(folder, sizeof folder, "tests/fuzz/cases/%s", fuzz_targets[i].name);
        (void)feed_folder(&fuzz, fuzz_targets[i].feed, folder);
        snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", fuzz_targets[i].name);
        if (!feed_folder(&fuzz, fuzz_targets[i].feed, folder)) fail_msg("%s: no corpus", folder);
    }
    (void)signal(SIGABRT, SIG_DFL);
    (void)signal(SIGSEGV, SIG_DFL);
    fuzz_close(&fuzz);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kept_input_is_survived)};
    assert_non_null(fuzz_target("trace"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
