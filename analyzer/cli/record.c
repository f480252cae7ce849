#include "record.h"
#include "file.h"
#include "output.h"
#include "path.h"
#include "record_read.h"
#include "sibling.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool record_meant(int argc, char **argv) {
    struct stat info;
    if (argc < 2 || strcmp(argv[1], "record") != 0) return false;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) return true;
    return argc > 2 || stat("record", &info) != 0;
}

#ifdef __linux__

enum { CANNOT = 2, FILES_LIMIT = 256, NOT_FOUND = 127, NOT_STARTED = 126 };

typedef VEC(char *) Words;

typedef struct Run {
    Arena *arena;
    const char *program, *library, *folder; /* our own path; the injected library; the absolute folder of the
                                               recordings */
    const char *folder_given;
    const char *steps, *skip; /* as given; NULL = the default */
    bool stop, stopped;       /* stop: end COMMAND once enough was recorded; stopped: done so */
    char **command;
    Words report; /* options that are passed on to the report */
    pid_t child;
} Run;

static void say(const char *words, const char *more) {
    fprintf(stderr, "syncl record: %s%s%s\n", words, *more ? ": " : "", more);
}

/* ---- arguments ---- */

static bool is_count(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 7 && !text[digits] && text[0] != '0';
}

/* The value of an option that takes one, attached or in the next word; NULL = it is another option. */
static const char *value_of(const char *name, char **argv, int *at) {
    size_t length = strlen(name);
    const char *argument = argv[*at];
    if (strncmp(argument, name, length) != 0) return NULL;
    if (argument[length] == '=' && name[1] == '-') return argument + length + 1;
    if (argument[length]) return NULL;
    return argv[*at + 1] && strcmp(argv[*at + 1], "--") != 0 ? argv[++*at] : "";
}

static bool take(Run *run, char **argv, int *at) {
    const char *value;
    if ((value = value_of("--steps", argv, at))) {
        run->steps = value;
        return is_count(value) || (say("--steps takes a number above zero, not", value), false);
    }
    if ((value = value_of("--skip", argv, at))) {
        run->skip = strcmp(value, "auto") == 0 ? NULL : value;
        return !run->skip || is_count(value) ||
               (say("--skip takes auto or a number above zero, not", value), false);
    }
    if ((value = value_of("-o", argv, at)) || (value = value_of("--output", argv, at))) {
        run->folder_given = value;
        return *value || (say("-o needs a folder", ""), false);
    }
    if (strcmp(argv[*at], "--stop") == 0) return run->stop = true;
    if (argv[*at][0] != '-') return say("a `--` goes before the command: syncl record -- ", argv[*at]), false;
    vec_push(run->arena, &run->report, argv[*at]);
    return true;
}

static bool parse(Run *run, int argc, char **argv) {
    int at = 2;
    for (; at < argc && strcmp(argv[at], "--") != 0; at++)
        if (!take(run, argv, &at)) return false;
    run->command = argv + at + (at < argc);
    if (*run->command) return true;
    say("no command given; try: syncl record -- python train.py", "");
    return false;
}

/* ---- the folder ---- */

static bool is_ours(const char *name) {
    Text text = text_of(name);
    return text_starts(text, TEXT("rank")) &&
           (text_ends(text, TEXT(".syncl")) || text_ends(text, TEXT(".enough")));
}

/* Removes recordings of an earlier run there, which would be read together with this one's. */
static bool prepare_folder(Run *run) {
    const char *given = run->folder_given ? run->folder_given : "syncl-recording";
    if (mkdir(given, 0777) != 0 && errno != EEXIST) return say(given, strerror(errno)), false;
    char *absolute = realpath(given, NULL);
    DIR *folder = absolute ? opendir(absolute) : NULL;
    if (!folder) return say(given, strerror(errno)), free(absolute), false;
    run->folder_given = given;
    run->folder = arena_copy(run->arena, absolute, strlen(absolute) + 1);
    free(absolute);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (is_ours(entry->d_name))
            (void)unlink(text_format(run->arena, "%s/%s", run->folder, entry->d_name).bytes);
    closedir(folder);
    return true;
}

static Words files_in(Run *run, const char *ending) {
    Words files = {0};
    DIR *folder = opendir(run->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (text_ends(text_of(entry->d_name), text_of(ending)) && is_ours(entry->d_name)) {
            const char *path = text_format(run->arena, "%s/%s", run->folder, entry->d_name).bytes;
            vec_push(run->arena, &files, (char *)path);
        }
    if (folder) closedir(folder);
    return files;
}

/* ---- the command ---- */

static bool find_library(Run *run, const char *invoked) {
    const char *beside = sibling_path(run->arena, invoked, "libsyncl-record.so");
    const char *before = getenv("CUDA_INJECTION64_PATH");
    run->library = beside && access(beside, R_OK) == 0 ? beside : NULL;
    if (!run->library) say("nothing is recorded: libsyncl-record.so is not beside syncl", beside ? beside : "");
    if (run->library && before && *before)
        say("nothing is recorded: CUDA_INJECTION64_PATH names another tool", before), run->library = NULL;
    return run->library != NULL;
}

static void exec_command(Run *run) {
    if (run->library) {
        (void)setenv("CUDA_INJECTION64_PATH", run->library, 1);
        (void)setenv("SYNCL_RECORD_DIR", run->folder, 1);
        if (run->steps) (void)setenv("SYNCL_RECORD_STEPS", run->steps, 1);
        if (run->skip) (void)setenv("SYNCL_RECORD_SKIP", run->skip, 1);
    }
    (void)execvp(run->command[0], run->command);
    int status = errno == ENOENT ? NOT_FOUND : NOT_STARTED;
    say(run->command[0], strerror(errno));
    _exit(status);
}

/* The process id in "FOLDER/rank0-4711.syncl" or "-4711-2.syncl"; 0 = there is none. */
static pid_t process_of(const char *path) {
    const char *dash = strchr(strrchr(path, '/'), '-');
    return dash ? (pid_t)strtol(dash + 1, NULL, 10) : 0;
}

static bool is_over(const char *recording) {
    pid_t process = process_of(recording);
    return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

/* Whether the process has used the GPU. One that only looked for it, such as torchrun's own, may never do. */
static bool has_called(const Run *run, const char *recording) {
    static const off_t certain_bytes = 64 * 1024;
    struct stat info;
    Text error = {0};
    if (stat(recording, &info) != 0 || info.st_size > certain_bytes) return true;
    const Recorded *recorded = record_read(run->arena, recording, &error);
    return !recorded || recorded->calls.count > 0;
}

/* A process reports when it has enough. Processes that ended, such as helpers, and those that make no calls are
   not waited for. */
static bool has_enough(const Run *run) {
    Arena scratch = {0};
    Run now = *run;
    now.arena = &scratch; /* asked ten times a second */
    Words recordings = files_in(&now, ".syncl"), enough = files_in(&now, ".enough");
    bool said = enough.count > 0;
    for (uint32_t i = 0; said && i < recordings.count; i++) {
        const char *recording = recordings.items[i];
        const char *mark = text_format(&scratch, "%s.enough", recording).bytes;
        said = access(mark, F_OK) == 0 || is_over(recording) || !has_called(&now, recording);
    }
    arena_free(&scratch);
    return said;
}

/* By its environment, since a process id may be another process's here: COMMAND may be a container. */
static bool is_recorded(const Run *run, pid_t process, Arena *arena) {
    const char *mark = text_format(arena, "SYNCL_RECORD_DIR=%s", run->folder).bytes;
    FILE *environment = fopen(text_format(arena, "/proc/%d/environ", (int)process).bytes, "r");
    char *word = NULL;
    size_t room = 0;
    bool found = false;
    while (environment && !found && getdelim(&word, &room, '\0', environment) > 0)
        found = strcmp(word, mark) == 0;
    free(word);
    if (environment) (void)fclose(environment);
    return found;
}

/* Interrupts COMMAND, and the processes that are recorded: a shell waits for the process that it runs, which a
   terminal's Ctrl-C would reach. */
static void interrupt(Run *run) {
    Arena scratch = {0};
    Run now = *run;
    now.arena = &scratch;
    Words recordings = files_in(&now, ".syncl");
    (void)kill(run->child, SIGINT);
    for (uint32_t i = 0; i < recordings.count; i++) {
        pid_t process = process_of(recordings.items[i]);
        if (process > 0 && process != run->child && is_recorded(run, process, &scratch))
            (void)kill(process, SIGINT);
    }
    arena_free(&scratch);
}

/* Signals that the terminal sends to both processes are left to COMMAND; those sent to us alone are passed on. */
static int wait_for(Run *run) {
    const struct timespec tick = {.tv_nsec = 100000000};
    sigset_t taken;
    int status = 0;
    sigemptyset(&taken);
    sigaddset(&taken, SIGINT), sigaddset(&taken, SIGQUIT), sigaddset(&taken, SIGTERM),
        sigaddset(&taken, SIGHUP);
    sigaddset(&taken, SIGCHLD);
    for (;;) {
        pid_t ended = waitpid(run->child, &status, WNOHANG);
        if (ended == run->child || (ended < 0 && errno != EINTR)) return status;
        siginfo_t info;
        int signal_number = sigtimedwait(&taken, &info, &tick);
        bool passed = signal_number > 0 && signal_number != SIGCHLD && info.si_code != SI_KERNEL;
        if (passed) (void)kill(run->child, signal_number);
        if (run->stop && !run->stopped && has_enough(run)) {
            run->stopped = true;
            interrupt(run);
        }
    }
}

static int run_command(Run *run) {
    sigset_t taken, before;
    sigemptyset(&taken);
    sigaddset(&taken, SIGINT), sigaddset(&taken, SIGQUIT), sigaddset(&taken, SIGTERM),
        sigaddset(&taken, SIGHUP);
    sigaddset(&taken, SIGCHLD);
    sigprocmask(SIG_BLOCK, &taken, &before);
    run->child = fork();
    if (run->child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        exec_command(run);
    }
    int status = run->child > 0 ? wait_for(run) : -1;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* ---- the report ---- */

/* Whether a file was written by the user: not Python's own, not installed, and on disk. */
static bool is_users(Run *run, Text file) {
    bool installed = text_holds(file, "site-packages/") || text_holds(file, "dist-packages/") ||
                     text_holds(file, "/lib/python3");
    return file.length && file.bytes[0] != '<' && !installed && text_ends(file, TEXT(".py")) &&
           file_exists(run->arena, file);
}

/* The path as the user would write it here. */
static Text named_here(Run *run, Text path) {
    char *here = getcwd(NULL, 0);
    Text folder = here ? text_format(run->arena, "%s", here) : TEXT("");
    free(here);
    bool below = folder.length > 1 && path_is_below(path, folder);
    return below ? path_below(path, folder) : path;
}

static void add_source(Run *run, Words *sources, Text file, Text folder) {
    Text path = named_here(run, file.bytes[0] == '/' ? file : path_join(run->arena, folder, file));
    const char *given = path_terminated(run->arena, path);
    for (uint32_t i = 0; i < sources->count; i++)
        if (strcmp(sources->items[i], given) == 0) return;
    if (sources->count < FILES_LIMIT && is_users(run, path)) vec_push(run->arena, sources, (char *)given);
}

static void add_sources(Run *run, Words *sources, const Recorded *recorded) {
    for (uint32_t burst = 0; burst < recorded->bursts.count; burst++) {
        const TraceStacks *stacks = recorded->bursts.items[burst]->stacks;
        for (uint32_t i = 0; i < stacks->frames.count; i++)
            if (stacks->frames.items[i].file.length)
                add_source(run, sources, stacks->frames.items[i].file, recorded->folder);
    }
}

/* ---- the sources at the time ---- */

enum { ROW_BYTES = 65535 };

static bool add_row(Run *run, Output *chunk, uint32_t id, const char *path) {
    Text bytes, error = {0};
    if (!file_read(run->arena, text_of(path), &bytes, &error)) return false;
    VEC(uint32_t) words = {0};
    vec_push(run->arena, &words, id);
    for (uint32_t from = 0; from < bytes.length && words.count < ROW_BYTES / sizeof id;) {
        const char *feed = memchr(bytes.bytes + from, '\n', bytes.length - from);
        uint32_t end = feed ? (uint32_t)(feed - bytes.bytes) : bytes.length;
        vec_push(run->arena, &words, record_line_hash(bytes.bytes + from, end - from));
        from = end + 1;
    }
    RecordRow row = {RECORD_SOURCE, (uint16_t)(words.count * sizeof id)};
    output_bytes(chunk, (Text){(const char *)&row, sizeof row});
    output_bytes(chunk, (Text){(const char *)words.items, row.bytes});
    return true;
}

/* Stores hashes of the sources' lines, so that stacks can be mapped to them after edits (moved_lines.h). */
static void keep_lines(Run *run, const Recorded *recorded) {
    Output rows = {.arena = run->arena};
    for (uint32_t id = 1; id < recorded->texts.count; id++) {
        Text text = recorded->texts.items[id], path = text;
        if (!text_ends(text, TEXT(".py"))) continue;
        if (text.bytes[0] != '/') path = path_join(run->arena, recorded->folder, text);
        if (is_users(run, path)) (void)add_row(run, &rows, id, path_terminated(run->arena, path));
    }
    Text all = {rows.bytes.items, rows.bytes.count}, error = {0};
    if (!all.length || recorded->cut) return;
    RecordChunk head = {.bytes = all.length, .sum = record_sum((const unsigned char *)all.bytes, all.length)};
    Output chunk = {.arena = run->arena};
    output_bytes(&chunk, (Text){(const char *)&head, sizeof head});
    output_bytes(&chunk, all);
    Text bytes = {chunk.bytes.items, chunk.bytes.count};
    if (!output_append(bytes, recorded->path.bytes, &error, run->arena)) say(error.bytes, "");
}

/* Says nothing about a process without steps if another one has some. */
static void say_recorded(const Recorded *recorded, bool others) {
    if (others && recorded->bursts.count == 0 && !recorded->trouble.length) return;
    const char *what = recorded->trouble.length ? "nothing is recorded"
                       : recorded->bursts.count == 0
                           ? "the run ended before a step was seen, so nothing is priced"
                           : NULL;
    if (what)
        fprintf(stderr, "syncl record: process %u: %s%s%.*s\n", recorded->process, what,
                recorded->trouble.length ? ": " : "", SHOWN(recorded->trouble));
    if (recorded->no_stacks.length && !recorded->trouble.length)
        fprintf(stderr, "syncl record: process %u: %.*s\n", recorded->process, SHOWN(recorded->no_stacks));
}

static void exec_report(Run *run, const Words *sources) {
    Words words = {0};
    vec_push(run->arena, &words, (char *)run->program);
    vec_push(run->arena, &words, (char *)"--exit-zero");
    vec_push(run->arena, &words, (char *)text_format(run->arena, "--trace=%s", run->folder_given).bytes);
    for (uint32_t i = 0; i < run->report.count; i++) vec_push(run->arena, &words, run->report.items[i]);
    for (uint32_t i = 0; i < sources->count; i++) vec_push(run->arena, &words, sources->items[i]);
    vec_push(run->arena, &words, NULL);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* standard output belongs to COMMAND */
    (void)execv(words.items[0], words.items);
    say(words.items[0], strerror(errno));
    _exit(CANNOT);
}

static void report(Run *run) {
    Words files = files_in(run, ".syncl"), marks = files_in(run, ".enough"), sources = {0};
    VEC(const Recorded *) read = {0};
    uint32_t bursts = 0;
    for (uint32_t i = 0; i < marks.count; i++) (void)unlink(marks.items[i]);
    for (uint32_t i = 0; i < files.count; i++) {
        Text error = {0};
        const Recorded *recorded = record_read(run->arena, files.items[i], &error);
        if (error.length) say(error.bytes, "");
        if (!recorded) continue;
        vec_push(run->arena, &read, recorded);
        add_sources(run, &sources, recorded);
        keep_lines(run, recorded);
        bursts += recorded->bursts.count;
    }
    for (uint32_t i = 0; i < read.count; i++) say_recorded(read.items[i], bursts > 0);
    if (!files.count) say("nothing is recorded: no process of the command started CUDA", "");
    if (bursts && !sources.count)
        say("no stack names a source file of yours; try: syncl --trace", run->folder_given);
    if (!bursts || !sources.count) return;
    pid_t child = fork();
    if (child == 0) exec_report(run, &sources);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    fprintf(stderr,
            "syncl record: the recording is in %s; again, with any other option: syncl --trace %s %s%s; "
            "--write-prices=FILE keeps it, small enough to commit\n",
            run->folder_given, run->folder_given, sources.items[0], sources.count > 1 ? " ..." : "");
}

/* Ends as the command did, as whoever started us expects. */
static int exit_like(const Run *run, int status) {
    if (status == -1) return CANNOT;
    if (run->stopped) return 0;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    (void)signal(WTERMSIG(status), SIG_DFL);
    (void)kill(getpid(), WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

int record_run(int argc, char **argv) {
    Arena arena = {0};
    Run run = {.arena = &arena};
    if (!parse(&run, argc, argv)) return arena_free(&arena), CANNOT;
    run.program = sibling_path(&arena, argv[0], "syncl");
    if (access("/proc/self/exe", X_OK) == 0) run.program = "/proc/self/exe";
    if (find_library(&run, argv[0]) && !prepare_folder(&run)) return arena_free(&arena), CANNOT;
    int status = run_command(&run);
    if (status == -1) say("no process could be started", strerror(errno));
    if (run.library && status != -1) report(&run);
    int ended = exit_like(&run, status);
    arena_free(&arena);
    return ended;
}

#else

int record_run(int argc, char **argv) {
    (void)argc, (void)argv;
    fputs("syncl record: works on Linux, where NVIDIA's driver does\n", stderr);
    return 2;
}

#endif
