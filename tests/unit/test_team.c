#include "team.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { PIECES = 1000 };

typedef struct Work {
    atomic_uint next;
    uint32_t done[PIECES];
} Work;

typedef struct Member {
    Work *work;
    uint32_t taken;
} Member;

static void work_on(void *self) {
    Member *member = self;
    for (uint32_t i; (i = atomic_fetch_add(&member->work->next, 1)) < PIECES; member->taken++)
        member->work->done[i]++;
}

static void check_team(uint32_t count) {
    Work work = {0};
    Member members[TEAM_LIMIT + 1] = {0};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) members[i].work = &work;
    team_run(work_on, members, sizeof *members, count);
    for (uint32_t i = 0; i < count; i++) taken += members[i].taken;
    assert_int_equal(taken, PIECES);
    for (uint32_t i = 0; i < PIECES; i++) assert_int_equal(work.done[i], 1);
}

static void test_everything_is_done_once(void **state) {
    (void)state;
    check_team(1);
    check_team(2);
    check_team(TEAM_LIMIT);
    check_team(TEAM_LIMIT + 1);
}

static uint32_t cores_with(const char *folder, const char *name, const char *text) {
    char root[] = "/tmp/test_team_XXXXXX", path[256];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "mkdir -p %s/sys/fs/cgroup/%s", root, folder);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof path, "%s/sys/fs/cgroup/%s/%s", root, folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    uint32_t cores = team_cores(root);
    snprintf(path, sizeof path, "rm -r %s", root);
    assert_int_equal(system(path), 0);
    return cores;
}

/* A quota of one core is kept on every machine; none, or more than there is, changes nothing. */
static void test_quota_of_a_container(void **state) {
    (void)state;
    uint32_t all = team_cores("/nowhere");
    assert_in_range(all, 1, 16);
    assert_int_equal(cores_with(".", "cpu.max", "100000 100000\n"), 1);
    assert_int_equal(cores_with(".", "cpu.max", "20000 100000\n"), 1);
    assert_int_equal(cores_with(".", "cpu.max", "max 100000\n"), all);
    assert_int_equal(cores_with(".", "cpu.max", "100000000 100000\n"), all);
    assert_int_equal(cores_with("cpu", "cpu.cfs_quota_us", "-1\n"), all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_is_done_once),
        cmocka_unit_test(test_quota_of_a_container),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
