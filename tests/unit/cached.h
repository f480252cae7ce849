#ifndef SYNCL_CACHED_H
#define SYNCL_CACHED_H
/* A project of two files with a cache of its own, in ../cache; $S is the program, $P a profile. */
#include "cli.h"
#include <dirent.h>

static const char uses_helper[] =
    "import torch\nfrom helper import read\nfrom pack.deep import also\nmodel = torch.nn.Linear(9, 9).cuda()\n"
    "opt = torch.optim.SGD(model.parameters(), lr=0.1)\nfor i in range(1000):\n"
    "    loss = model(torch.randn(9, 9, device='cuda')).sum()\n    opt.zero_grad()\n    loss.backward()\n    "
    "opt.step()\n"
    "    float(read(loss))\n    float(also(loss))\n    print(loss.item())\n";

/* ---- a project, its cache ---- */

static inline void shell(const char *command) {
    if (system(command) != 0) fail_msg("failed: %s", command);
}

static inline int enter_cached(void **state) {
    (void)enter(state);
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/cache", the(state)->folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("XDG_DATA_HOME", "../data", 1);
    write_text("train.py", train);
    write_text("uses.py", uses_helper);
    return 0;
}

static inline int leave_cached(void **state) {
    setenv("XDG_CACHE_HOME", "/dev/null/none", 1);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    (void)unsetenv("GITHUB_ACTIONS");
    return leave(state);
}

/* The only block of a kind: its path; an empty one where there is none. */
static inline const char *block_of(const char *kind) {
    static char path[600];
    char folder[200];
    snprintf(folder, sizeof folder, "../cache/syncl/%s", kind);
    DIR *stream = opendir(folder);
    path[0] = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (entry->d_name[0] != '.') snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stream) closedir(stream);
    return path;
}

static inline bool same(Ran a, Ran b) {
    return a.status == b.status && strcmp(a.out, b.out) == 0 && strcmp(a.err, b.err) == 0;
}

/* `line` with the cache and without says the same; gives what it says. */
static inline Ran same_as_cold(void **state, const char *line, const char *when) {
    char cold_line[1000];
    snprintf(cold_line, sizeof cold_line, "--no-cache|%s", line);
    Ran warm = run(state, line), cold = run(state, cold_line);
    if (!same(warm, cold))
        fail_msg("%s: %s: exit %d and %d\n%.1500s\n---- without a cache:\n%.1500s", when, line, warm.status,
                 cold.status, warm.out, cold.out);
    forget(cold);
    return warm;
}

static inline void name_program(void) {
    char here[4096], word[5000];
    const char *build = getenv("BUILD");
    assert_non_null(getcwd(here, sizeof here));
    snprintf(word, sizeof word, "%s%s%s/syncl", build && build[0] == '/' ? "" : here,
             build && build[0] == '/' ? "" : "/", build ? build : "build");
    setenv("S", word, 1);
    snprintf(word, sizeof word, "%s/calib/profiles/h200.json", here);
    setenv("P", word, 1);
}

#endif
