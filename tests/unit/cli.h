/* build/syncl as a user runs it: an empty folder for each test, a process, its exit status and what it says. */
#ifndef SYNCL_CLI_H
#define SYNCL_CLI_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yyjson.h>
#include "keep_json.h"

enum { ARGUMENTS = 12, SECONDS = 120, OUTPUT_LIMIT = 1 << 24 };

static const char train[] = "import torch\n"
                            "import torch.nn as nn\n"
                            "device = torch.device(\"cuda\")\n"
                            "model = nn.Linear(10, 10).to(device)\n"
                            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
                            "total = 0.0\n"
                            "for step in range(1000):\n"
                            "    x = torch.randn(32, 10, device=device)\n"
                            "    loss = model(x).pow(2).mean()\n"
                            "    optimizer.zero_grad()\n"
                            "    loss.backward()\n"
                            "    optimizer.step()\n"
                            "    total += loss.item()\n";
static const char clean[] = "import math\nprint(math.sqrt(2))\n";

/* ---- a folder, a process ---- */

typedef struct Bench {
    char program[4096], home[4096], folder[64]; /* the current folder is folder/work */
} Bench;

typedef struct Ran {
    int status; /* exit status; -1 when a signal ended it */
    char *out, *err;
} Ran;

static inline Bench *the(void **state) { return *state; }

static inline int enter(void **state) {
    static Bench bench;
    const char *build = getenv("BUILD");
    assert_non_null(getcwd(bench.home, sizeof bench.home - 64));
    if (build && build[0] == '/')
        snprintf(bench.program, sizeof bench.program, "%.4000s/syncl", build);
    else
        snprintf(bench.program, sizeof bench.program, "%.4000s/%.60s/syncl", bench.home,
                 build ? build : "build");
    strcpy(bench.folder, "/tmp/syncl-cli-XXXXXX");
    assert_non_null(mkdtemp(bench.folder));
    assert_int_equal(chdir(bench.folder), 0);
    assert_int_equal(mkdir("work", 0700), 0);
    assert_int_equal(chdir("work"), 0);
    (void)unsetenv("GITHUB_ACTIONS");
    setenv("COLUMNS", "400", 1); /* no sentence is broken; user/test_plan.py is about widths */
    setenv("XDG_CACHE_HOME", "/dev/null/none", 1); /* test_cache has one of its own */
    *state = &bench;
    return 0;
}

static inline int leave(void **state) {
    char command[200];
    snprintf(command, sizeof command, "chmod -R u+rwx . && rm -rf '%s'", the(state)->folder);
    int removed = system(command);
    return chdir(the(state)->home) | removed;
}

static inline void write_file(const char *path, const char *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text) { write_file(path, text, strlen(text)); }

static inline char *read_file(const char *path) {
    static char *const none = NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return none;
    char *bytes = malloc(OUTPUT_LIMIT);
    assert_non_null(bytes);
    size_t count = fread(bytes, 1, OUTPUT_LIMIT - 1, file);
    bytes[count] = '\0';
    fclose(file);
    return bytes;
}

/* What the child does to its descriptors before it becomes syncl. */
typedef enum Stdout {
    STDOUT_FILE,
    STDOUT_FILE_AS_NOBODY,
    STDOUT_CLOSED,
    STDOUT_FULL,
    STDOUT_BROKEN_PIPE
} Stdout;

static inline void redirect(Stdout how) {
    int ends[2];
    int err = open("../err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int out =
        how == STDOUT_FULL ? open("/dev/full", O_WRONLY) : open("../out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (how == STDOUT_BROKEN_PIPE && pipe(ends) == 0) {
        close(ends[0]);
        out = ends[1];
    }
    dup2(err, 2);
    if (how == STDOUT_FILE_AS_NOBODY && geteuid() == 0 && setuid(65534) != 0) _exit(126);
    if (how == STDOUT_CLOSED)
        close(1);
    else
        dup2(out, 1);
}

/* Arguments split at '|'. */
static inline Ran run_program(const char *program, Stdout how, const char *line) {
    char words[2000], *argv[ARGUMENTS + 2] = {"syncl"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = words; word && *line && argc <= ARGUMENTS;) {
        argv[argc++] = word;
        word = strchr(word, '|');
        if (word) *word++ = '\0';
    }
    pid_t child = fork();
    if (child == 0) {
        redirect(how);
        alarm(SECONDS);
        execv(program, argv);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    Ran ran = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file("../out"), read_file("../err")};
    keep_json(ran.out);
    return ran;
}

static inline Ran run(void **state, const char *line) { return run_program(the(state)->program, STDOUT_FILE, line); }

static inline void forget(Ran ran) {
    free(ran.out);
    free(ran.err);
}

static inline bool is_one_line(const char *text) {
    const char *end = strchr(text, '\n');
    return end && end > text && end[1] == '\0';
}

/* Runs and checks the exit status; `says` stands somewhere in what it wrote (NULL = whatever). */
static inline void expect(void **state, int status, const char *says, const char *line) {
    Ran ran = run(state, line);
    if (ran.status != status)
        fail_msg("%s: exit %d, not %d\n%s%.2000s", line, ran.status, status, ran.err, ran.out);
    if (says && !strstr(ran.out, says) && !strstr(ran.err, says))
        fail_msg("%s: does not say \"%s\":\n%s%.2000s", line, says, ran.err, ran.out);
    if (status == 2 && !is_one_line(ran.err)) fail_msg("%s: not one line:\n%s", line, ran.err);
    forget(ran);
}

#endif
