/* Which saved profile prices a run: machines as folders that stand for /, profiles as small files. */
#include "profile_saved.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

typedef struct Place {
    Arena arena;
    char folder[64];
} Place;

static int enter(void **state) {
    static Place place;
    place = (Place){.folder = "/tmp/syncl-saved-XXXXXX"};
    assert_non_null(mkdtemp(place.folder));
    *state = &place;
    return 0;
}

static int leave(void **state) {
    Place *place = *state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", place->folder);
    arena_free(&place->arena);
    return system(command);
}

/* Writes a file below the folder, making its folders. */
static void put(Place *place, const char *path, const char *bytes) {
    const char *whole = text_format(&place->arena, "%s/%s", place->folder, path).bytes;
    const char *command = text_format(&place->arena, "mkdir -p \"$(dirname '%s')\"", whole).bytes;
    assert_int_equal(system(command), 0);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

static void put_profile(Place *place, const char *path, const char *gpu, const char *cpu, int driver) {
    Text json = text_format(&place->arena,
                            "{\"format\":2,\"name\":\"%s\",\"device\":\"%s\",\"measured\":\"today\","
                            "\"host\":{\"cpu\":\"%s\",\"driver\":%d},\"quantities\":{",
                            path, gpu, cpu, driver);
#define QUANTITY(name, unit, median, p10, p90, meaning)                                                 \
    json = text_format(                                                                                 \
        &place->arena, "%.*s%s\"%s\":{\"unit\":\"%s\",\"median\":2,\"p10\":1,\"p90\":3,\"samples\":9}", \
        (int)json.length, json.bytes, json.bytes[json.length - 1] == '{' ? "" : ",\n", #name, unit);
#define TORCH_QUANTITY(name, unit, median, p10, p90, meaning)
#define ASSUMED_QUANTITY(name, unit, median, p10, p90, meaning)
#include "../../calib/profile.def"
#undef QUANTITY
    put(place, path, text_format(&place->arena, "%.*s}}", (int)json.length, json.bytes).bytes);
}

static void put_machine(Place *place, const char *gpu, const char *driver) {
    put(place, "proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC 7\nflags\t: fpu\n");
    if (gpu) {
        const char *model = text_format(&place->arena, "Model: \t\t %s\nIRQ: 1\n", gpu).bytes;
        put(place, "proc/driver/nvidia/gpus/0000:01:00.0/information", model);
    }
    const char *version =
        text_format(&place->arena, "NVRM version: NVIDIA UNIX x86_64 Kernel Module  %s  Fri\nGCC 12\n", driver)
            .bytes;
    put(place, "proc/driver/nvidia/version", version);
}

/* The name of the chosen profile, or the error. */
static const char *chosen(Place *place, const char *named, const char *configured) {
    Machine machine = machine_read(&place->arena, place->folder);
    SavedProfiles saved = profile_saved(&place->arena, place->folder, &machine);
    Text error = {0};
    const Profile *profile = profile_choose(&place->arena, &saved, named, configured, &error);
    Text said = profile ? profile->name : error;
    return text_format(&place->arena, "%.*s%s", (int)said.length, said.bytes,
                       profile && strchr(profile->text.bytes, ';') && strstr(profile->text.bytes, "another")
                           ? " (labelled)"
                           : "")
        .bytes;
}

static void test_machine(void **state) {
    Place *place = *state;
    Machine machine = machine_read(&place->arena, place->folder);
    assert_false(machine.has_gpu || machine.driver || machine.cpu.length);
    put_machine(place, "NVIDIA H200", "580.159.03");
    machine = machine_read(&place->arena, place->folder);
    assert_true(machine.has_gpu && machine.driver == 580 && machine.gpus.count == 1);
    assert_true(text_equal(machine.gpus.items[0], TEXT("NVIDIA H200")));
    assert_true(text_equal(machine.cpu, TEXT("AMD EPYC 7")));
}

static void test_windows_subsystem(void **state) {
    Place *place = *state;
    put(place, "dev/dxg", "");
    put(place, "proc/cpuinfo", "model name\t: AMD EPYC 7\n");
    put_profile(place, "a.json", "NVIDIA T4", "AMD EPYC 7", 0);
    put_profile(place, "b.json", "NVIDIA T4", "AMD EPYC 9", 0);
    assert_true(machine_read(&place->arena, place->folder).has_gpu);
    assert_string_equal(chosen(place, NULL, NULL), "a.json");
}

static void test_choice(void **state) {
    Place *place = *state;
    const char *other = text_format(&place->arena, "%s/other/c.json", place->folder).bytes;
    put_machine(place, "NVIDIA H200", "580.1");
    put_profile(place, "other/c.json", "NVIDIA L4", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, NULL), "reference H200");
    put_profile(place, "b.json", "NVIDIA T4", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, NULL), "b.json (labelled)");
    assert_string_equal(chosen(place, NULL, other), "other/c.json");
    put_profile(place, "a.json", "NVIDIA H200", "AMD EPYC 9", 580);
    assert_non_null(strstr(chosen(place, NULL, NULL), "2 profiles are saved"));
    assert_non_null(strstr(chosen(place, NULL, NULL), "/a.json, "));
    put_profile(place, "d.json", "NVIDIA H200", "AMD EPYC 7", 535);
    assert_string_equal(chosen(place, NULL, other), "d.json (labelled)");
    put_profile(place, "e.json", "NVIDIA H200 MIG 1g.18gb", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, other), "e.json");
    assert_string_equal(chosen(place, other, NULL), "other/c.json");
    assert_non_null(strstr(chosen(place, "/nowhere/x.json", NULL), "cannot read profile"));
}

/* A machine with two kinds of GPU: which is meant must be said. */
static void test_several_kinds(void **state) {
    Place *place = *state;
    const char *other = text_format(&place->arena, "%s/other/c.json", place->folder).bytes;
    put_machine(place, "NVIDIA H200", "580.1");
    put(place, "proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t NVIDIA T4\n");
    put_profile(place, "a.json", "NVIDIA H200", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, NULL), "a.json");
    put_profile(place, "b.json", "NVIDIA T4", "AMD EPYC 7", 535);
    assert_string_equal(chosen(place, NULL, NULL), "a.json");
    put_profile(place, "b.json", "NVIDIA T4", "AMD EPYC 7", 580);
    assert_non_null(strstr(chosen(place, NULL, NULL), "2 profiles are of this machine's GPUs, which differ: "));
    assert_non_null(strstr(chosen(place, NULL, NULL), "/a.json, "));
    put_profile(place, "other/c.json", "NVIDIA L4", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, other), "other/c.json");
    assert_string_equal(chosen(place, other, NULL), "other/c.json");
}

static bool already(Place *place, bool each_kind) {
    Machine machine = machine_read(&place->arena, place->folder);
    SavedProfiles saved = profile_saved(&place->arena, place->folder, &machine);
    return profile_saved_already(&saved, &machine, each_kind);
}

static void test_measured_already(void **state) {
    Place *place = *state;
    put_machine(place, "NVIDIA H200", "580.1");
    put_profile(place, "a.json", "NVIDIA H200", "AMD EPYC 7", 535);
    assert_false(already(place, false));
    put_profile(place, "a.json", "NVIDIA H200", "AMD EPYC 7", 580);
    assert_true(already(place, false) && already(place, true));
    put(place, "proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t NVIDIA T4\n");
    assert_true(already(place, false) && !already(place, true));
    put_profile(place, "b.json", "NVIDIA T4", "AMD EPYC 7", 580);
    assert_true(already(place, true));
    put(place, "proc/driver/nvidia/capabilities/gpu0/mig/gi3/access", "");
    assert_false(already(place, false)); /* a slice was not measured yet */
}

/* Slices are machines of their own: where a GPU is sliced, a slice's profile comes before the whole one's. */
static void test_slices(void **state) {
    Place *place = *state;
    put_machine(place, "NVIDIA H200", "580.1");
    put_profile(place, "a.json", "NVIDIA H200", "AMD EPYC 7", 580);
    put_profile(place, "b.json", "NVIDIA H200 MIG 1g.18gb", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, NULL), "a.json");
    put(place, "proc/driver/nvidia/capabilities/gpu0/mig/gi3/access", "");
    assert_true(machine_read(&place->arena, place->folder).sliced);
    assert_string_equal(chosen(place, NULL, NULL), "b.json");
    put_profile(place, "c.json", "NVIDIA H200 MIG 3g.71gb", "AMD EPYC 7", 580);
    assert_non_null(strstr(chosen(place, NULL, NULL), "2 profiles are of this machine's GPUs, which differ: "));
    put_profile(place, "b.json", "NVIDIA H2000 MIG 1g.18gb", "AMD EPYC 7", 580);
    assert_string_equal(chosen(place, NULL, NULL), "c.json");
}

/* The least of a batch job's own control group and those around it; either version. */
static void test_quota(void **state) {
    Place *place = *state;
    assert_true(machine_quota_cores(&place->arena, place->folder) == 0);
    put(place, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    put(place, "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_true(machine_quota_cores(&place->arena, place->folder) == 0);
    put(place, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    assert_true(machine_quota_cores(&place->arena, place->folder) == 4);
    put(place, "proc/self/cgroup", "0::/slurm/job_7\n");
    put(place, "sys/fs/cgroup/slurm/job_7/cpu.max", "max 100000\n");
    put(place, "sys/fs/cgroup/slurm/cpu.max", "150000 100000\n");
    assert_true(machine_quota_cores(&place->arena, place->folder) == 1.5);
    put(place, "sys/fs/cgroup/cpu.max", "50000 100000\n");
    assert_true(machine_quota_cores(&place->arena, place->folder) == 0.5);
}

static const char *listed(Place *place, const SavedProfiles *saved) {
    Output output = {.arena = &place->arena};
    profile_list(&output, saved, place->folder);
    return text_format(&place->arena, "%.*s", (int)output.bytes.count, output.bytes.items).bytes;
}

static void test_damaged_are_said(void **state) {
    Place *place = *state;
    put(place, "a.json", "{\"format\": 1, \"quantities\": {}}");
    put(place, "b.json", "{");
    Machine machine = machine_read(&place->arena, place->folder);
    SavedProfiles saved = profile_saved(&place->arena, place->folder, &machine);
    assert_int_equal(saved.count, 2);
    assert_non_null(strstr(saved.items[0].error.bytes, "has format 1, this syncl reads format 2"));
    assert_non_null(strstr(saved.items[1].error.bytes, "is damaged"));
    assert_string_equal(chosen(place, NULL, NULL), "reference H200");
    assert_non_null(strstr(listed(place, &saved), "unusable: profile"));
}

static void test_list(void **state) {
    Place *place = *state;
    put_machine(place, "NVIDIA H200", "580.1");
    put_profile(place, "a.json", "NVIDIA T4", "AMD EPYC 7", 580);
    put_profile(place, "b.json", "NVIDIA H200", "AMD EPYC 7", 580);
    Machine machine = machine_read(&place->arena, place->folder);
    SavedProfiles saved = profile_saved(&place->arena, place->folder, &machine);
    const char *list = listed(place, &saved);
    assert_non_null(strstr(list, "b.json\n    this machine: NVIDIA H200, measured today"));
    assert_true(strstr(list, "a.json\n    another machine") > strstr(list, "b.json"));
    SavedProfiles none = {0};
    assert_non_null(strstr(listed(place, &none), "no profile is saved"));
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(test_machine),       APART(test_windows_subsystem), APART(test_choice),
        APART(test_several_kinds), APART(test_measured_already),  APART(test_slices),
        APART(test_quota),         APART(test_damaged_are_said),  APART(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
