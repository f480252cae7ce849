/* Files beside the sources: profiles, baselines, a team's rule pages and stubs, logs of the debug mode, git's answers. */
#include "baseline.h"
#include "explain.h"
#include "fuzz.h"
#include "git.h"
#include "rulepage.h"

static void fuzz_profile(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text error = {0};
    const Profile *profile = profile_read(&arena, fuzz_file(fuzz, &arena, "input.json", bytes), &error);
    fuzz_holds(profile || error.length, "no profile and no reason");
    if (profile) {
        Analysis priced = *fuzz->sample;
        priced.profile = profile;
        priced.costs = cost_findings(&arena, priced.findings, profile, &fuzz->options.cost);
        fuzz_report(&arena, &priced, &fuzz->options);
    }
    arena_free(&arena);
}

static void fuzz_baseline(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text error = {0};
    KnownList known = {0};
    ReportOptions options = fuzz->options;
    options.known = &known;
    if (baseline_read(&arena, fuzz_file(fuzz, &arena, "input.json", bytes), &known, &error))
        fuzz_report(&arena, fuzz->sample, &options);
    else
        fuzz_holds(error.length, "no baseline and no reason");
    arena_free(&arena);
}

static void fuzz_observed(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    ReportOptions options = fuzz->options;
    options.observed = bytes;
    fuzz_report(&arena, fuzz->sample, &options);
    arena_free(&arena);
}

static void fuzz_rules(const Fuzz *fuzz, PageSource source) {
    Arena arena = {0};
    Text error = {0};
    Output pages = {.arena = &arena};
    const Rulebook *book = rulepage_read(&arena, rulebook_builtin(), &source, 1, &error);
    fuzz_holds(book || error.length, "no rulebook and no reason");
    (void)rulepage_examples(&arena, &source, 1);
    if (book) {
        explain_rules(&pages, book);
        explain_rule(&pages, book, book->hazard_count - 1);
        fuzz_report_file(fuzz, &arena, fuzz->path, book);
    }
    arena_free(&arena);
}

static void fuzz_page(const Fuzz *fuzz, Text bytes) { fuzz_rules(fuzz, (PageSource){TEXT("team.md"), bytes}); }
static void fuzz_stub(const Fuzz *fuzz, Text bytes) { fuzz_rules(fuzz, (PageSource){TEXT("team.pyi"), bytes}); }

/* ---- git ---- */

static bool fuzz_wanted(Text path) { return text_ends(path, TEXT(".py")); }

static void fuzz_answer(const Fuzz *fuzz, Arena *arena, const char *name, Text *rest) {
    uint32_t end = 0;
    while (end < rest->length && rest->bytes[end] != '\x1e') end++;
    (void)fuzz_file(fuzz, arena, name, text_slice(*rest, 0, end));
    *rest = text_slice(*rest, end < rest->length ? end + 1 : end, rest->length);
}

/* A `git` that says what the input says, to rev-parse, ls-tree and cat-file: three parts, apart by a byte 0x1E. */
static void fuzz_git(const Fuzz *fuzz, Text bytes) {
    static const char git[] = "#!/bin/sh\nfor word in \"$@\"; do case $word in rev-parse|ls-tree|cat-file) "
                              "exec /bin/cat \"${0%/*}/$word\";; esac; done\n";
    Arena arena = {0};
    Text error = {0}, folder = text_format(&arena, "%s/bin", fuzz->folder);
    GitTree tree = {0};
    if (mkdir(folder.bytes, 0700) == 0) {
        const char *path = fuzz_file(fuzz, &arena, "bin/git", text_of(git));
        fuzz_holds(chmod(path, 0700) == 0 && setenv("PATH", folder.bytes, 1) == 0, "no git of ours");
    }
    fuzz_answer(fuzz, &arena, "bin/rev-parse", &bytes);
    fuzz_answer(fuzz, &arena, "bin/ls-tree", &bytes);
    (void)fuzz_file(fuzz, &arena, "bin/cat-file", bytes);
    fuzz_holds(git_files(&arena, fuzz->options.repository.root, "HEAD", fuzz_wanted, &tree, &error) ||
                   error.length,
               "no files and no reason");
    for (uint32_t i = 0; i < tree.files.count; i++) (void)text_hash(tree.files.items[i].bytes);
    arena_free(&arena);
}
