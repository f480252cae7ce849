/* The cache, through build/syncl: a warm run writes what a cold one does, byte for byte, whatever changed in between and
   whatever became of the blocks. */
#include "cached.h"
#include "inputs.h"
#include "kept_result.h"
#include <time.h>
#include <utime.h>

/* Which file it is: inodes are used again. */
static bool is_anew(const char *path, struct stat *last) {
    struct stat now;
    assert_int_equal(stat(path, &now), 0);
    bool anew = now.st_ino != last->st_ino || now.st_mtim.tv_nsec != last->st_mtim.tv_nsec ||
                now.st_mtim.tv_sec != last->st_mtim.tv_sec;
    *last = now;
    return anew;
}

/* ---- hits ---- */

/* A run that is not answered by the cache writes the block anew, so its inode tells. Files have to be older than two
   seconds for their times to be trusted: until then a hit renews the block too. */
static void a_warm_run_is_answered_by_the_cache(void **state) {
    forget(run(state, "."));
    struct timespec wait = {2, 200000000};
    nanosleep(&wait, NULL);
    forget(run(state, ".")); /* renews the stamps */
    struct stat block = {0};
    assert_true(is_anew(block_of("results"), &block));
    forget(same_as_cold(state, ".", "warm"));
    assert_false(is_anew(block_of("results"), &block));
    forget(run(state, "--no-cache|."));
    assert_false(is_anew(block_of("results"), &block));
    shell("touch train.py"); /* other times, the same bytes: still a hit, with new stamps */
    forget(same_as_cold(state, ".", "touched"));
    shell("echo >>train.py");
    forget(same_as_cold(state, ".", "changed"));
    assert_true(is_anew(block_of("results"), &block));
}

/* The output is the same for every number of threads, so one result answers for all. */
static void a_result_answers_for_every_number_of_threads(void **state) {
    static const char *const again[] = {"--threads=1|.", "--threads|7|.", ".|--threads=2"};
    forget(run(state, "--threads=3|."));
    char block[600];
    snprintf(block, sizeof block, "%s", block_of("results"));
    for (size_t i = 0; i < sizeof again / sizeof *again; i++) {
        assert_int_equal(unlink(block), 0);
        forget(same_as_cold(state, again[i], "another number of threads"));
        if (access(block, F_OK) != 0) fail_msg("%s: kept as another request", again[i]);
    }
}

static void every_output_comes_again(void **state) {
    static const char *const files[] = {"report.txt", "waits.sarif", "waits.json"};
    static const char line[] =
        "--fail-over=1us|-o|../report.txt|--sarif=../waits.sarif|--also=json:../waits.json|.";
    forget(run(state, line));
    char *cold[3], path[100];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "../%s", files[i]);
        cold[i] = read_file(path);
        assert_non_null(cold[i]);
        assert_int_equal(unlink(path), 0);
    }
    Ran warm = same_as_cold(state, line, "all outputs");
    assert_non_null(strstr(warm.err, "more than --fail-over"));
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "../%s", files[i]);
        char *again = read_file(path);
        assert_string_equal(again, cold[i]);
        free(again), free(cold[i]);
    }
    forget(warm);
}

static void the_step_summary_is_the_one_of_today(void **state) {
    setenv("GITHUB_STEP_SUMMARY", "../first", 1);
    forget(run(state, "--output-format=github|."));
    setenv("GITHUB_STEP_SUMMARY", "../second", 1);
    forget(run(state, "--output-format=github|."));
    (void)unsetenv("GITHUB_STEP_SUMMARY");
    char *first = read_file("../first"), *second = read_file("../second");
    assert_non_null(second);
    assert_string_equal(first, second);
    free(first), free(second);
}

/* ---- what a result depends on ---- */

typedef struct Change {
    const char *what, *line; /* line: the arguments, "." where it is NULL */
    const char *before, *command;
    bool shows; /* in the report */
} Change;

static const Change changes[] = {
    {"a source", NULL, "true", "sed -i 's/loss.item()/loss.tolist()/' train.py", true},
    {"a source, same size and time", "-v|.", "touch -d '2020-01-01' train.py",
     "sed -i 's/range(1000)/range(2000)/' train.py; touch -d '2020-01-01' train.py", true},
    {"a source beside the one named", "uses.py", "printf 'def read(t):\\n    return 3.0\\n' >helper.py",
     "printf 'def read(t):\\n    return t\\n' >helper.py", true},
    {"an import that was looked for", "uses.py", "true", "printf 'def read(t):\\n    return t\\n' >helper.py",
     true},
    {"an import of a package that was looked for", "uses.py", "true",
     "mkdir pack; printf 'def also(t):\\n    return t\\n' >pack/deep.py", true},
    {"an import in src", "uses.py", "true", "mkdir src; printf 'def read(t):\\n    return t\\n' >src/helper.py",
     true},
    {"a file src that becomes a folder", "uses.py", "touch src",
     "rm src; mkdir src; printf 'def read(t):\\n    return t\\n' >src/helper.py", true},
    {"an import on the search path", "--search-path=../lib|uses.py", "true",
     "mkdir ../lib; printf 'def read(t):\\n    return t\\n' >../lib/helper.py", true},
    {"an import that goes", "uses.py", "printf 'def read(t):\\n    return t\\n' >helper.py", "rm helper.py",
     true},
    {"__init__.py", NULL, "mkdir a; cp train.py a/", "touch a/__init__.py __init__.py", false},
    {"a new file", NULL, "true", "cp train.py new.py", true},
    {"a new file in a folder", NULL, "mkdir a", "cp train.py a/new.py", true},
    {"a file that goes", NULL, "true", "rm train.py", true},
    {"a file that becomes a folder", NULL, "true", "rm train.py; mkdir train.py", true},
    {"a broken link", NULL, "ln -s train.py link.py", "ln -sf nowhere link.py", true},
    {"a link to a second file", NULL, "cp train.py ../t.py; ln -s train.py link.py", "ln -sf ../t.py link.py",
     true},
    {"two files that become one", NULL, "cp train.py twin.py", "ln -f train.py twin.py", true},
    {"one file that becomes two", NULL, "ln train.py twin.py", "cp train.py t; mv t twin.py", true},
    {"a named link", "link.py", "cp train.py b.py; echo >>b.py; ln -s train.py link.py",
     "ln -sf uses.py link.py", true},
    {"a named folder behind a link", "a|b", "mkdir a c; cp train.py a; cp train.py c; ln -s c b", "ln -sfn a b",
     true},
    {"a configuration that was looked for", NULL, "true", "echo 'output-format = \"concise\"' >syncl.toml",
     true},
    {"a configuration above", "a", "mkdir a; cp train.py a",
     "printf '[tool.syncl]\\noutput-format = \"concise\"\\n' >pyproject.toml", true},
    {"what a configuration extends", NULL,
     "echo 'extend = \"../base.toml\"' >syncl.toml; echo 'output-format = \"concise\"' >../base.toml",
     "echo 'output-format = \"json\"' >../base.toml", true},
    {"a configuration of a folder", NULL, "mkdir a; cp train.py a", "echo 'ignore = [\"ALL\"]' >a/syncl.toml",
     true},
    {"a named configuration", "--config=../c.toml|.", "echo 'fail-on = \"note\"' >../c.toml",
     "echo 'output-format = \"concise\"' >../c.toml", true},
    {"a .gitignore", NULL, "mkdir .git", "echo train.py >.gitignore", true},
    {"a .gitignore that goes", NULL, "mkdir .git; echo train.py >.gitignore", "rm .gitignore", true},
    {"what git excludes", NULL, "mkdir -p .git/info", "echo train.py >.git/info/exclude", true},
    {"a repository around", "--output-format=sarif|train.py", "true", "mkdir ../.git", true},
    {"a baseline", "--baseline=../b.json|.", "$S --no-cache --write-baseline ../b.json uses.py >../o",
     "$S --no-cache --write-baseline ../b.json . >../o", true},
    {"a profile", "--profile=../p.json|train.py", "cp $P ../p.json",
     "sed 's/\"name\": \"/\"name\": \"other /' $P >../p.json", true},
    {"a saved profile", "train.py", "true",
     "mkdir -p ../data/syncl/profiles; cp $P ../data/syncl/profiles/one.json", true},
    {"a rule page", "--extend-rules=../rules|train.py",
     "mkdir ../rules; printf '# mine\\ndef f(): ...\\n' >../rules/a.pyi", "printf 'broken(\\n' >../rules/a.pyi",
     false},
    {"a further rule page", "--extend-rules=../rules/*|train.py",
     "mkdir ../rules; printf '# mine\\ndef f(): ...\\n' >../rules/a.pyi", "printf 'broken(\\n' >../rules/b.pyi",
     false},
    {"a log", "--observed=../log|train.py", "echo >../log",
     "echo \"$PWD/train.py:13: UserWarning: called a synchronizing CUDA operation\" >../log", true},
    {"an argument file", "@../words", "echo train.py >../words", "echo --output-format=json >>../words", true},
};

static void any_change_is_noticed(void **state) {
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const Change *change = &changes[i];
        const char *line = change->line ? change->line : ".";
        shell(change->before);
        Ran first = same_as_cold(state, line, change->what), again = same_as_cold(state, line, change->what);
        if (!same(first, again)) fail_msg("%s: two runs differ", change->what);
        shell(change->command);
        Ran after = same_as_cold(state, line, change->what);
        if (change->shows && same(first, after))
            fail_msg("%s: shows nowhere: the test tests nothing", change->what);
        forget(first), forget(again), forget(after);
        shell(
            "chmod -R u+rwx ..; rm -rf ../work/* ../work/.[a-z]* ../.git ../[abcdt].* ../lib ../data ../rules");
        write_text("train.py", train);
        write_text("uses.py", uses_helper);
    }
}

static void the_environment_counts(void **state) {
    write_text(
        "odd.py",
        "import torch\nx = torch.ones(3).cuda()\nwhile True:\n    y = x.sum()\n    '##[error]a'; y.item()\n");
    forget(same_as_cold(state, "--color=always|.", "plain"));
    setenv("GITHUB_ACTIONS", "true", 1);
    forget(same_as_cold(state, "--color=always|.", "in a workflow"));
    (void)unsetenv("GITHUB_ACTIONS");
    Ran outside = same_as_cold(state, "train.py", "outside");
    shell("mkdir inner; cp train.py inner; echo '    loss.tolist()' >>inner/train.py");
    assert_int_equal(chdir("inner"), 0);
    shell("touch ../err ../out");
    Ran inside = same_as_cold(state, "train.py", "inside");
    assert_int_equal(chdir(".."), 0);
    assert_string_not_equal(outside.out, inside.out);
    forget(outside), forget(inside);
}

/* A file that cannot be read any more, by somebody whom rights bind. */
static void rights_count(void **state) {
    shell("chmod 777 .. . && chmod 644 *.py && mkdir ../cache && chmod 777 ../cache");
    Ran open = run_program(the(state)->program, STDOUT_FILE_AS_NOBODY, ".");
    shell("chmod 0 train.py");
    Ran shut = run_program(the(state)->program, STDOUT_FILE_AS_NOBODY, ".");
    Ran cold = run_program(the(state)->program, STDOUT_FILE_AS_NOBODY, "--no-cache|.");
    assert_true(same(shut, cold));
    assert_false(same(open, shut));
    forget(open), forget(shut), forget(cold);
}

/* ---- what is not kept ---- */

static void some_runs_are_not_kept(void **state) {
    static const char *const lines[] = {"--dump=sites|.", "--write-baseline=../b.json|.", "--no-cache|.",
                                        "nowhere.py", "--add-allow|."};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        forget(run(state, lines[i]));
        if (*block_of("results")) fail_msg("%s: was kept", lines[i]);
    }
}

/* ---- blocks that are none ---- */

static void damaged_blocks_are_misses(void **state) {
    forget(run(state, "."));
    char path[400];
    snprintf(path, sizeof path, "%s", block_of("results"));
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    size_t length = (size_t)info.st_size;
    FILE *file = fopen(path, "rb");
    char *whole = malloc(length), *odd = malloc(length);
    assert_int_equal(fread(whole, 1, length, file), length);
    fclose(file);
    Ran cold = run(state, "--no-cache|.");
    for (size_t at = 0; at < length; at += at < 100 ? 3 : length / 23) {
        memcpy(odd, whole, length);
        odd[at] = (char)(odd[at] ^ 0x41);
        write_file(path, odd, length);
        Ran flipped = run(state, ".");
        write_file(path, whole, at);
        Ran cut = run(state, ".");
        if (!same(flipped, cold) || !same(cut, cold)) fail_msg("a block that is odd at %zu was believed", at);
        forget(flipped), forget(cut);
    }
    write_file(path, whole, length);
    FILE *more = fopen(path, "ab");
    fputc('x', more);
    fclose(more);
    forget(same_as_cold(state, ".", "a byte too many"));
    forget(cold);
    free(whole), free(odd);
}

/* Under a checksum that is right: what no run of ours wrote. */
static void foreign_blocks_are_removed(void **state) {
    (void)state;
    Arena arena = {0};
    Cache cache = cache_at(&arena, "../own", "a build");
    Digest key = {1, 2};
    Inputs inputs = {.arena = &arena, .asked = {.arena = &arena}};
    inputs_file(&inputs, TEXT("train.py"));
    inputs_folder(&inputs, TEXT(""));
    KeptResult kept = {.status = 1}, found;
    vec_push(&arena, &kept.handed, ((Handed){HAND_FILE, "somewhere", TEXT("words")}));
    assert_true(kept_result_keep(&cache, &arena, key, &inputs, &kept) > 0);
    Text good, bytes;
    assert_true(kept_result_find(&cache, &arena, key, &found));
    assert_string_equal(found.handed.items[0].path, "somewhere");
    assert_true(cache_read(&cache, &arena, BLOCK_RESULT, key, &good));
    for (uint32_t at = 0; at < good.length; at++)
        for (int bit = 0; bit < 8; bit += 7) {
            char *odd = arena_copy(&arena, good.bytes, good.length);
            odd[at] = (char)(odd[at] ^ 1 << bit);
            assert_true(cache_write(&cache, BLOCK_RESULT, key, (Text){odd, good.length}) > 0);
            (void)kept_result_find(&cache, &arena, key, &found);
            assert_true(cache_write(&cache, BLOCK_RESULT, key, (Text){odd, at}) > 0);
            assert_false(kept_result_find(&cache, &arena, key, &found));
            assert_false(cache_read(&cache, &arena, BLOCK_RESULT, key, &bytes));
        }
    Cache other = cache_at(&arena, "../own", "another build");
    assert_true(cache_write(&cache, BLOCK_RESULT, key, good) > 0);
    assert_false(cache_read(&other, &arena, BLOCK_RESULT, key, &bytes));
    assert_false(cache_read(&cache, &arena, BLOCK_RESULT, key, &bytes));
    arena_free(&arena);
}

/* What changes between the question and the end of the run. */
static void what_changed_meanwhile_is_not_kept(void **state) {
    (void)state;
    Arena arena = {0};
    Cache cache = cache_at(&arena, "../own", "a build");
    Digest key = {3, 4};
    KeptResult kept = {0}, found;
    Inputs inputs = {.arena = &arena, .asked = {.arena = &arena}};
    inputs_file(&inputs, TEXT("train.py"));
    write_text("train.py", clean);
    assert_int_equal(kept_result_keep(&cache, &arena, key, &inputs, &kept), 0);
    assert_false(kept_result_find(&cache, &arena, key, &found));
    arena_free(&arena);
}

/* Two writes within one tick of the file system's clock leave the same times: what is young is compared by its bytes.
   Kernels with finer times for files that were looked at show no such tick; the mark has to be there all the same. */
static void a_change_within_a_tick_is_noticed(void **state) {
    Arena marks = {0};
    Inputs young_and_old = {.arena = &marks, .asked = {.arena = &marks}};
    inputs_file(&young_and_old, TEXT("train.py"));
    inputs_file(&young_and_old, text_format(&marks, "%s/LICENSE", the(state)->home));
    assert_int_equal(young_and_old.answers.items[0].settled, 0);
    assert_int_equal(young_and_old.answers.items[1].settled, 1);
    arena_free(&marks);
    for (int turn = 0; turn < 300; turn++) {
        Arena arena = {0};
        Inputs inputs = {.arena = &arena, .asked = {.arena = &arena}};
        bool renewed;
        int file = open("tick.py", O_WRONLY | O_CREAT, 0600);
        struct stat info;
        assert_int_equal(pwrite(file, "a = 1\n", 6, 0), 6);
        inputs_file(&inputs, TEXT("tick.py"));
        assert_int_equal(fstat(file, &info), 0);
        assert_int_equal(pwrite(file, "a = 2\n", 6, 0), 6);
        assert_int_equal(futimens(file, (struct timespec[]){info.st_atim, info.st_mtim}), 0);
        close(file);
        assert_false(inputs_holds(&inputs, &renewed));
        arena_free(&arena);
    }
}

/* ---- the folder ---- */

static void without_a_folder_it_is_no_error(void **state) {
    static const char *const places[] = {"/dev/null/none", "/proc/none", "train.py", "train.py/below"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char line[100];
        snprintf(line, sizeof line, "--cache-dir=%s|.", places[i]);
        Ran first = same_as_cold(state, line, places[i]), again = same_as_cold(state, line, places[i]);
        assert_string_equal(again.err, "");
        forget(first), forget(again);
    }
    (void)unsetenv("XDG_CACHE_HOME");
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    (void)unsetenv("HOME");
    forget(same_as_cold(state, ".", "no home"));
    if (home) setenv("HOME", home, 1);
    free(home);
}

static void a_full_disk_is_no_error(void **state) {
    (void)state;
    shell("ulimit -f 1; $S --exit-zero -q . 2>../e | cat >/dev/null");
    char *said = read_file("../e");
    assert_string_equal(said, "");
    free(said);
    shell("test -z \"$(find ../cache -path '*results*' -type f)\""); /* nothing half-written */
}

static void the_folder_is_marked_and_cleaned(void **state) {
    forget(run(state, "."));
    shell("test -f ../cache/syncl/CACHEDIR.TAG && test -f ../cache/syncl/.gitignore");
    shell("test $(stat -c %a ../cache/syncl) = 700");
    expect(state, 0, "3 blocks removed", "--clean-cache"); /* a result, the findings of two scripts */
    shell("test ! -e ../cache/syncl");
    expect(state, 0, "0 blocks removed", "--clean-cache");
    shell("mkdir -p own/results; echo mine >own/.gitignore; echo mine >own/results/mine");
    forget(run(state, "--cache-dir=own|train.py"));
    expect(state, 0, "2 blocks removed", "--cache-dir=own|--clean-cache");
    shell("test \"$(cat own/.gitignore own/results/mine)\" = 'mine\nmine' && test $(find own -type f | wc -l) "
          "= 2");
}

static void the_longest_unused_go_first(void **state) {
    (void)state;
    Arena arena = {0};
    Cache cache = cache_at(&arena, "../own", "a build");
    char *bytes = arena_alloc(&arena, 10000);
    cache.limit_bytes = 50000;
    time_t now = time(NULL);
    for (uint64_t i = 0; i < 9; i++) {
        Digest key = {i, 7};
        uint64_t added = cache_write(&cache, BLOCK_MODEL, key, (Text){bytes, 10000});
        assert_true(added > 10000);
        char path[100];
        snprintf(path, sizeof path, "../own/models/%s", digest_hex(&arena, key).bytes);
        struct utimbuf used = {now - 1000 + (time_t)i, now - 1000 + (time_t)i};
        assert_int_equal(utime(path, &used), 0);
        cache_trim(&cache, added);
        shell("test $(du -sb ../own/models | cut -f1) -le 55000");
    }
    Text found;
    assert_false(cache_read(&cache, &arena, BLOCK_MODEL, (Digest){0, 7}, &found));
    assert_true(cache_read(&cache, &arena, BLOCK_MODEL, (Digest){8, 7}, &found));
    shell("touch -d '40 days ago' ../own/models/*; rm ../own/syncl-cache-size");
    cache_trim(&cache, 1);
    assert_false(cache_read(&cache, &arena, BLOCK_MODEL, (Digest){8, 7}, &found));
    arena_free(&arena);
}

/* ---- side by side ---- */

static void runs_side_by_side_agree(void **state) {
    (void)state;
    shell("for turn in 1 2 3; do sed -i \"s/lr=.*)/lr=0.$turn)/\" train.py; $S --no-cache . >../cold; "
          "for i in 1 2 3 4 5 6; do $S . >../par$i & done; wait; "
          "for i in 1 2 3 4 5 6; do cmp ../cold ../par$i || exit 1; done; done");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_cached, leave_cached)

int main(void) {
    name_program();
    const struct CMUnitTest tests[] = {
        TEST(a_warm_run_is_answered_by_the_cache),
        TEST(a_result_answers_for_every_number_of_threads),
        TEST(every_output_comes_again),
        TEST(the_step_summary_is_the_one_of_today),
        TEST(any_change_is_noticed),
        TEST(the_environment_counts),
        TEST(rights_count),
        TEST(some_runs_are_not_kept),
        TEST(damaged_blocks_are_misses),
        TEST(foreign_blocks_are_removed),
        TEST(what_changed_meanwhile_is_not_kept),
        TEST(a_change_within_a_tick_is_noticed),
        TEST(without_a_folder_it_is_no_error),
        TEST(a_full_disk_is_no_error),
        TEST(the_folder_is_marked_and_cleaned),
        TEST(the_longest_unused_go_first),
        TEST(runs_side_by_side_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
