/* build/syncl-calibrate against a CUDA that is not there: tests/calib/fake_cuda.c stands for libcuda, libcudart and
   cuBLAS, with clocks for streams. What goes wrong is one clear line, exit 2, and an older profile stays as it was. */
#include "profile.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct Place {
    char build[4096], folder[64]; /* folder: empty, ours */
} Place;

typedef struct Ran {
    int status;
    char out[16384], err[4096];
} Ran;

static void read_text(const char *path, char *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(bytes, 1, size - 1, file) : 0;
    bytes[count] = 0;
    if (file) fclose(file);
}

static int enter(void **state) {
    static Place place;
    const char *build = getenv("BUILD");
    char home[3800];
    assert_non_null(getcwd(home, sizeof home));
    snprintf(place.build, sizeof place.build, "%s%s%.200s", build && build[0] == '/' ? "" : home,
             build && build[0] == '/' ? "" : "/", build ? build : "build");
    strcpy(place.folder, "/tmp/syncl-calibrate-XXXXXX");
    assert_non_null(mkdtemp(place.folder));
    *state = &place;
    return 0;
}

static int leave(void **state) {
    const Place *place = *state;
    char command[200];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", place->folder, place->folder);
    return system(command);
}

/* Runs the calibrator in the folder, %F in the line standing for it; skips the test where there is none. */
static Ran *run(void **state, const char *environment, const char *arguments) {
    static Ran ran;
    const Place *place = *state;
    char program[4200], command[20000], path[200];
    snprintf(program, sizeof program, "%s/syncl-calibrate", place->build);
    if (access(program, X_OK) != 0) skip();
    snprintf(
        command, sizeof command,
        "cd %s && exec env -u XDG_DATA_HOME HOME=%s TMPDIR=%s FAKE_ADDRESS=%s LD_LIBRARY_PATH=%s/calib/fake "
        "LD_PRELOAD=%s/calib/fake/libcuda.so.1 ASAN_OPTIONS=verify_asan_link_order=0 CUDA_HOME=%s/calib/fake "
        "%s %s %s >out 2>err",
        place->folder, place->folder, place->folder, place->folder + 5, place->build, place->build,
        place->build, environment, program, arguments);
    int status = system(command);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    snprintf(path, sizeof path, "%s/out", place->folder);
    read_text(path, ran.out, sizeof ran.out);
    snprintf(path, sizeof path, "%s/err", place->folder);
    read_text(path, ran.err, sizeof ran.err);
    return &ran;
}

static void expect(void **state, const char *environment, const char *arguments, int status, const char *says) {
    Ran *ran = run(state, environment, arguments);
    if (ran->status != status) fail_msg("exit %d, not %d: %s%s", ran->status, status, ran->err, ran->out);
    if (!strstr(ran->err, says) && !strstr(ran->out, says))
        fail_msg("does not say \"%s\": %s%s", says, ran->err, ran->out);
    const char *end = strchr(ran->err, '\n');
    if (status == 2 && !strstr(says, "libcuda.so.1") && (!end || end[1]))
        fail_msg("not one line: %s", ran->err);
}

static const Profile *read_profile(void **state, Arena *arena, const char *name) {
    const Place *place = *state;
    Text error = {0};
    const Profile *profile =
        profile_read(arena, text_format(arena, "%s/%s", place->folder, name).bytes, &error);
    if (!profile) fail_msg("%.*s", (int)error.length, error.bytes);
    return profile;
}

#define assert_near(quantity, expected)                                             \
    if ((quantity).median < (expected)-0.5 || (quantity).median > (expected) + 0.5) \
    fail_msg(#quantity " is %f, not %f", (quantity).median, (double)(expected))

static void test_measures_and_saves(void **state) {
    Arena arena = {0};
    expect(state, "", "-o gpu.syncl --samples all.json", 0, "saved gpu.syncl");
    const Profile *profile = read_profile(state, &arena, "gpu.syncl");
    assert_true(text_equal(profile->device, TEXT("Fake GPU")));
    assert_false(profile->torch_measured);
    /* The fake's launch call takes 2.5 us, its work starts 4 after that, a small copy takes 2 more, a big product 200;
       a look at the clock 0.05. */
    assert_near(profile->enqueue_us, 2.5);
    assert_near(profile->idle_gap_us, 6.5);
    assert_near(profile->sync_added_us, 6.5);
    assert_near(profile->read_back_us, 6);
    assert_near(profile->gemm_8192_us, 200);
    assert_near(profile->gemm_8192_synced_us, 204);
    assert_near(profile->read_pending_us, 206);
    assert_near(profile->to_host_pinned_gbps, 50);
    assert_true(profile->pageable_async_bytes.median == 2 << 20);
#define QUANTITY(name, unit, median, p10, p90, meaning) assert_true(profile->name.samples > 0);
#define TORCH_QUANTITY(name, unit, median, p10, p90, meaning)
#define ASSUMED_QUANTITY(name, unit, median, p10, p90, meaning)
#include "../../calib/profile.def"
#undef QUANTITY
    arena_free(&arena);
}

/* An interpreter that answers with a row of each kind; what it says besides is passed over. */
static void test_rows_of_torch(void **state) {
    Arena arena = {0};
    const Place *place = *state;
    const char *path = text_format(&arena, "%s/python", place->folder).bytes;
    static char all[200000];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#!/bin/sh\necho a warning\n", file);
#define QUANTITY(name, unit, median, p10, p90, meaning)
#define TORCH_QUANTITY(name, unit, median, p10, p90, meaning) fputs("echo " #name " 5 4 6 x\n", file);
#define ASSUMED_QUANTITY(name, unit, median, p10, p90, meaning)
#include "../../calib/profile.def"
#undef QUANTITY
    fputs("echo torch 2.11.0+cu130\n", file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    expect(state, "", "-o gpu.json --with-torch ./python --samples all.json", 0, "saved gpu.json");
    const char *samples = text_format(&arena, "%s/all.json", place->folder).bytes;
    read_text(samples, all, sizeof all);
    assert_non_null(strstr(all, "\"item_again_us\":[4.0,5.0,6.0]"));
    const Profile *profile = read_profile(state, &arena, "gpu.json");
    assert_true(profile->torch_measured);
    assert_true(profile->torch_device_sync_us.median == 5 && profile->torch_device_sync_us.samples == 3);
    assert_true(profile->nms_us.p10 > 4 && profile->torch_copy_us.p90 > 5.5);
    assert_non_null(strstr(profile->text.bytes, "torch 2.11.0+cu130"));
    arena_free(&arena);
}

static void test_one_profile_a_kind(void **state) {
    expect(state, "FAKE_GPUS=3", "--device all", 0, "GPU 2 is another Fake GPU, as GPU 0");
    const Ran *ran = run(state, "", "--help");
    assert_int_equal(ran->status, 0);
    char command[300];
    const Place *place = *state;
    snprintf(command, sizeof command, "test $(ls %s/.local/share/syncl/profiles/*.json | wc -l) = 2",
             place->folder);
    assert_int_equal(system(command), 0);
    expect(state, "FAKE_GPUS=3", "-o first.json", 0,
           "GPU 1 is another kind (Fake GPU MIG 1g.5gb): --device 1 measures it");
    assert_null(strstr(run(state, "FAKE_GPUS=3", "--device 0 -o first.json")->out, "another kind"));
    expect(state, "", "--device all -o one.json", 2, "a profile a kind of GPU");
    expect(state, "FAKE_GPUS=2 CUDA_VISIBLE_DEVICES=0,1", "--device 2", 2,
           "no GPU 2 here, only 2, with CUDA_V");
}

static void test_no_driver(void **state) {
    expect(state, "LD_LIBRARY_PATH= LD_PRELOAD= ", "-o x.json", 2,
           "syncl: no NVIDIA driver here (libcuda.so.1 not found); nothing measured.\n");
}

static void test_driver_trouble(void **state) {
    expect(state, "FAKE_CUDA=none", "", 2, "shows no GPU");
    expect(state, "FAKE_CUDA=none CUDA_VISIBLE_DEVICES=7", "", 2, "CUDA_VISIBLE_DEVICES='7'");
    expect(state, "FAKE_GPUS=0", "", 2, "shows no GPU");
    expect(state, "FAKE_CUDA=broken", "", 2, "does not start (unknown error)");
    expect(state, "FAKE_CUDA=old", "", 2, "too old (CUDA 11.4, 12.0 or driver 525 is needed)");
}

static void write_old(void **state) {
    const Place *place = *state;
    char command[300];
    snprintf(command, sizeof command, "echo old > %s/old.json", place->folder);
    assert_int_equal(system(command), 0);
}

static void assert_old(void **state) {
    const Place *place = *state;
    char command[400];
    snprintf(command, sizeof command, "cd %s && test \"$(cat old.json)\" = old && ! ls *.tmp 2>/dev/null",
             place->folder);
    assert_int_equal(system(command), 0);
}

static void test_old_profile_stays(void **state) {
    write_old(state);
    expect(state, "FAKE_CUDA=memory", "-o old.json", 2, "taking 384 MiB on the GPU failed: out of memory");
    assert_old(state);
    expect(state, "", "-o old.json --with-torch /nowhere/python", 2, "did not measure PyTorch");
    assert_old(state);
    Ran *ran = run(state, "FAKE_CUDA=slow timeout -s INT 0.5", "-o old.json");
    assert_non_null(strstr(ran->err, "interrupted; nothing saved"));
    assert_old(state);
}

static void test_busy(void **state) {
    Arena arena = {0};
    write_old(state);
    expect(
        state, "FAKE_BUSY=87", "-o old.json", 2,
        "is busy: other programs use it 87 % of the time; nothing measured. Try again when it is free, or add "
        "--even-if-busy");
    assert_old(state);
    assert_null(strstr(run(state, "FAKE_BUSY=87", "-o old.json")->out, "enqueue"));
    expect(state, "FAKE_BUSY=5", "-o idle.json", 0, "saved idle.json"); /* a desktop */
    expect(state, "FAKE_BUSY=87 FAKE_BUSY_READINGS=16", "-o over.json", 0,
           "saved over.json"); /* its job has just ended */
    assert_null(strstr(read_profile(state, &arena, "idle.json")->text.bytes, "others"));
    expect(state, "FAKE_BUSY=87", "-o busy.json --even-if-busy", 0, "saved busy.json");
    assert_non_null(
        strstr(read_profile(state, &arena, "busy.json")->text.bytes, "others kept the GPU 87 % busy"));
    expect(state, "FAKE_BUSY=87 FAKE_CUDA=wsl", "", 2, "is busy: other programs use it 87 %");
    arena_free(&arena);
}

/* libcuda is found where WSL has it. */
static void test_wsl(void **state) { expect(state, "FAKE_CUDA=wsl", "-o gpu.json", 0, "saved gpu.json"); }

static void test_unwritable(void **state) {
    expect(state, "", "-o /nowhere/at/all.json", 2, "cannot write '/nowhere/at/all.json'");
    expect(state, "", "-o .", 2, "cannot write '.'");
    assert_null(strstr(run(state, "", "-o /nowhere/at/all.json")->out, "enqueue"));
    expect(state, "HOME= ", "", 2, "name a file with -o");
}

static void test_one_at_a_time(void **state) {
    const Place *place = *state;
    char command[600];
    snprintf(command, sizeof command, "exec flock -n %s/syncl-fake-%s-0.lock sleep 2", place->folder,
             place->folder + 5);
    pid_t other = fork();
    if (other == 0) execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    write_old(state);
    expect(state, "", "-o old.json", 2, "another calibration is measuring this GPU");
    assert_old(state);
    kill(other, SIGTERM);
    waitpid(other, NULL, 0);
}

static void test_options(void **state) {
    expect(state, "", "--nonsense", 2, "unknown option '--nonsense'");
    expect(state, "", "-o", 2, "-o needs a value");
    expect(state, "", "--device x", 2, "--device takes a number or all, not 'x'");
    expect(state, "", "--device -1", 2, "--device takes a number or all");
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(test_measures_and_saves),
        APART(test_rows_of_torch),
        APART(test_one_profile_a_kind),
        APART(test_no_driver),
        APART(test_driver_trouble),
        APART(test_old_profile_stays),
        APART(test_busy),
        APART(test_wsl),
        APART(test_unwritable),
        APART(test_one_at_a_time),
        APART(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
