/* What issue 2 promises under "Must show", item 4, through the JSON report of build/syncl: where a read stands decides
   its price, launch costs of the profile move it, what is nothing is silent, one wait is one finding, and names do not
   matter. Run from the repository's root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

enum { PATH_SIZE = 300, COMMAND_SIZE = 9000, FINDINGS = 200 };

typedef struct Range {
    double low, high;
} Range;

/* ---- running syncl ---- */

static int enter(void **state) {
    static char folder[PATH_SIZE];
    strcpy(folder, "/tmp/syncl-promises-XXXXXX");
    assert_non_null(mkdtemp(folder));
    (void)unsetenv("GITHUB_ACTIONS");
    *state = folder;
    return 0;
}

static int leave(void **state) {
    char command[PATH_SIZE + 20];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command);
}

/* The report; 0 and 1 are the only exit statuses of a run that worked. */
static yyjson_doc *report(const char *options, const char *path) {
    static char json[1 << 22];
    char command[COMMAND_SIZE];
    const char *build = getenv("BUILD");
    snprintf(command, sizeof command, "'%s/syncl' --output-format json %s '%s'", build ? build : "build",
             options, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t count = fread(json, 1, sizeof json, pipe);
    int status = pclose(pipe);
    assert_true(count < sizeof json);
    if (status != 0 && status != 1 << 8) fail_msg("%s: status %d", command, status);
    yyjson_doc *document = yyjson_read(json, count, 0);
    assert_non_null(document);
    assert_int_equal(yyjson_arr_size(yyjson_ptr_get(yyjson_doc_get_root(document), "/skipped")), 0);
    return document;
}

static yyjson_val *findings(yyjson_doc *document) {
    return yyjson_obj_get(yyjson_doc_get_root(document), "findings");
}

static const char *word(yyjson_val *finding, const char *key) {
    return yyjson_get_str(yyjson_obj_get(finding, key));
}

static unsigned line_of(yyjson_val *finding) {
    return (unsigned)yyjson_get_uint(yyjson_obj_get(finding, "line"));
}

static void write_script(void **state, char *path, const char *const *parts) {
    snprintf(path, PATH_SIZE, "%s/script.py", (const char *)*state);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (; *parts; parts++) fputs(*parts, file);
    assert_int_equal(fclose(file), 0);
}

/* ---- prices ---- */

static const char head[] =
    "import torch\n"
    "import torch.nn as nn\n"
    "import torch.nn.functional as F\n"
    "from torch.utils.data import DataLoader, TensorDataset\n"
    "from sizes import wide\n" /* else the host sets the pace for sure, and a read costs the same anywhere */
    "\n"
    "\n"
    "def main():\n"
    "    device = torch.device('cuda')\n"
    "    data = TensorDataset(torch.randn(6400, 256), torch.randint(0, 10, (6400,)))\n"
    "    loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=4, pin_memory=True)\n"
    "    model = nn.Sequential(nn.Linear(256, wide()), nn.ReLU(), nn.Linear(wide(), 10)).to(device)\n"
    "    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)\n"
    "    total = 0.0\n"
    "    for epoch in range(10):\n"
    "        for inputs, targets in loader:\n"
    "            inputs = inputs.to(device, non_blocking=True)\n"
    "            targets = targets.to(device, non_blocking=True)\n"
    "            optimizer.zero_grad(set_to_none=True)\n"
    "            loss = F.cross_entropy(model(inputs), targets)\n";
static const char item[] = "            total += loss.item()\n";
static const char backward[] = "            loss.backward()\n";
static const char step[] = "            optimizer.step()\n";
static const char tail[] = "        print(f'epoch {epoch}: {total}')\n\n\nmain()\n";

static Range price(void **state, const char *const *parts, const char *profile) {
    char path[PATH_SIZE], options[PATH_SIZE + 20] = "";
    write_script(state, path, parts);
    if (profile) snprintf(options, sizeof options, "--profile '%s'", profile);
    yyjson_doc *document = report(options, path);
    assert_int_equal(yyjson_arr_size(findings(document)), 1);
    yyjson_val *finding = yyjson_arr_get_first(findings(document)), *cost = yyjson_obj_get(finding, "cost");
    assert_string_equal(word(finding, "rule"), "host-read");
    Range range = {yyjson_get_num(yyjson_obj_get(cost, "low_us")),
                   yyjson_get_num(yyjson_obj_get(cost, "high_us"))};
    assert_true(range.low > 0 && range.low < range.high);
    yyjson_doc_free(document);
    return range;
}

static void prices(void **state, Range *ranges, const char *profile) {
    ranges[0] = price(state, (const char *[]){head, item, backward, step, tail, NULL}, profile);
    ranges[1] = price(state, (const char *[]){head, backward, item, step, tail, NULL}, profile);
    ranges[2] = price(state, (const char *[]){head, backward, step, item, tail, NULL}, profile);
}

static bool same(Range a, Range b) { return a.low == b.low && a.high == b.high; }

static void where_a_read_stands_decides_its_price(void **state) {
    Range ranges[3];
    prices(state, ranges, NULL);
    assert_false(same(ranges[0], ranges[1]));
    assert_false(same(ranges[1], ranges[2]));
    assert_false(same(ranges[0], ranges[2]));
}

/* Host time of launches: two rows that the calibrator measures, three of PyTorch's that the file may leave out. */
typedef struct LaunchCost {
    const char *name;
    double median, p10, p90; /* calib/profile.def, where the file has no row */
} LaunchCost;

static const LaunchCost launch_costs[] = {{"enqueue_us", 2.5, 2.3, 4},
                                          {"launch_latency_us", 4, 3.8, 9},
                                          {"launch_us", 16, 10, 30},
                                          {"backward_launch_us", 24, 12, 38},
                                          {"optimizer_launch_us", 10, 6, 16},
                                          {"turn_start_us", 18.5, 5, 140},
                                          {"forward_first_us", 20, 11, 75},
                                          {"backward_start_us", 265, 200, 620},
                                          {"backward_first_us", 33, 12, 75},
                                          {"optimizer_start_us", 175, 70, 215},
                                          {"optimizer_tensor_us", 2.75, 1.2, 8},
                                          {"optimizer_each_us", 0.75, 0.4, 1}};

static void scale(yyjson_mut_doc *profile, const LaunchCost *cost, double factor) {
    yyjson_mut_val *rows = yyjson_mut_obj_get(yyjson_mut_doc_get_root(profile), "quantities");
    yyjson_mut_val *old = yyjson_mut_obj_get(rows, cost->name);
    double median = old ? yyjson_mut_get_num(yyjson_mut_obj_get(old, "median")) : cost->median;
    double p10 = old ? yyjson_mut_get_num(yyjson_mut_obj_get(old, "p10")) : cost->p10;
    double p90 = old ? yyjson_mut_get_num(yyjson_mut_obj_get(old, "p90")) : cost->p90;
    yyjson_mut_obj_remove_key(rows, cost->name);
    yyjson_mut_val *row = yyjson_mut_obj_add_obj(profile, rows, cost->name);
    assert_true(yyjson_mut_obj_add_str(profile, row, "unit", "us"));
    assert_true(yyjson_mut_obj_add_real(profile, row, "median", median * factor));
    assert_true(yyjson_mut_obj_add_real(profile, row, "p10", p10 * factor));
    assert_true(yyjson_mut_obj_add_real(profile, row, "p90", p90 * factor));
    assert_true(yyjson_mut_obj_add_int(profile, row, "samples", 200));
}

static void write_profile(const char *path, double factor) {
    yyjson_doc *document = yyjson_read_file("calib/profiles/h200.json", 0, NULL, NULL);
    assert_non_null(document);
    yyjson_mut_doc *profile = yyjson_doc_mut_copy(document, NULL);
    for (size_t i = 0; i < sizeof launch_costs / sizeof launch_costs[0]; i++)
        scale(profile, &launch_costs[i], factor);
    assert_true(yyjson_mut_write_file(path, profile, 0, NULL, NULL));
    yyjson_mut_doc_free(profile);
    yyjson_doc_free(document);
}

static void launch_costs_move_every_price(void **state) {
    char path[PATH_SIZE + 20];
    Range once[3], twice[3];
    snprintf(path, sizeof path, "%s/profile.json", (const char *)*state);
    write_profile(path, 1);
    prices(state, once, path);
    write_profile(path, 2);
    prices(state, twice, path);
    for (int i = 0; i < 3; i++) assert_true(twice[i].high > once[i].high);
    /* Where the host sets the pace, the value is there by the time that backward() has returned: no launch is waited
       for, and the read alone is left. */
    assert_true(twice[0].low > once[0].low && twice[1].low >= once[1].low && twice[2].low >= once[2].low);
    assert_false(same(twice[0], twice[1]) || same(twice[1], twice[2]) || same(twice[0], twice[2]));
}

/* ---- what is nothing, and what is one ---- */

/* Runs the training loop with these lines at the end of each step; returns how many findings, even unsure ones. */
static size_t found_with(void **state, const char *lines, const char *rule) {
    char path[PATH_SIZE];
    write_script(state, path, (const char *[]){head, backward, step, lines, "\n\nmain()\n", NULL});
    yyjson_doc *document = report("--min-confidence possible", path);
    size_t count = yyjson_arr_size(findings(document));
    if (count && rule) assert_string_equal(word(yyjson_arr_get_first(findings(document)), "rule"), rule);
    yyjson_doc_free(document);
    return count;
}

static void what_does_not_wait_is_silent(void **state) {
    static const char *const quiet[] = {
        "            mask = inputs > 0\n            inputs[mask] = 0\n",
        "            inputs[inputs.isnan()] = 0.0\n",
        "            rate = float(str(0.5)) + int('3')\n            total += rate\n            print(rate)\n",
        "            sizes = {'n': inputs.size(0), 'rank': inputs.dim()}\n"
        "            for key, value in sizes.items(): print(key, value, f'{value:d}')\n",
        "            import argparse\n            args = argparse.ArgumentParser().parse_args()\n"
        "            lr = float(args.lr)\n            print(lr, int(args.epochs))\n",
        "            print(f\"epoch {epoch}\")\n",
        "            import numpy as np\n            a = np.random.rand(10)\n            b = float(a.mean())\n"
        "            if a.sum() > 1: print(a, b, a.tolist(), a.max().item(), a[a > 0.5], np.unique(a))\n",
    };
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
        size_t count = found_with(state, quiet[i], NULL);
        if (count) fail_msg("%zu findings, not 0, with\n%s", count, quiet[i]);
    }
}

static void one_wait_is_one_finding(void **state) {
    const char *lines = "            loss_value = loss.item()\n            print(loss_value)\n";
    assert_int_equal(found_with(state, lines, "host-read"), 1);
}

static void what_loader_workers_run_is_silent(void **state) {
    static const char dataset[] =
        "import torch\nimport torch.nn as nn\nfrom torch.utils.data import DataLoader, Dataset\n\n\n"
        "class Samples(Dataset):\n"
        "    def __init__(self):\n"
        "        self.images, self.labels = torch.rand(100, 3, 8, 8), torch.randint(0, 9, (100,))\n\n"
        "    def __len__(self):\n        return len(self.labels)\n\n"
        "    def __getitem__(self, index):\n"
        "        image = self.images[index]\n"
        "        if image.mean() > 0.5:\n            image = image.flip(-1)\n"
        "        image = image[:, image[0, 0] > 0.1].sum(1)\n"
        "        print(float(image.max()), image.tolist(), image.numpy().sum())\n"
        "        return image, self.labels[index].item()\n\n\n"
        "model = nn.Linear(3, 9).cuda()\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "for x, y in DataLoader(Samples(), batch_size=8, num_workers=4, pin_memory=True):\n"
        "    x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)\n"
        "    optimizer.zero_grad()\n"
        "    nn.functional.cross_entropy(model(x), y).backward()\n"
        "    optimizer.step()\n";
    char path[PATH_SIZE];
    write_script(state, path, (const char *[]){dataset, NULL});
    yyjson_doc *document = report("--min-confidence possible", path);
    yyjson_val *first = yyjson_arr_get_first(findings(document));
    if (first) fail_msg("line %u: %s", line_of(first), word(first, "message"));
    yyjson_doc_free(document);
}

/* ---- names ---- */

static int by_bytes(const void *a, const void *b) { return strcmp(a, b); }

/* Rule, line and level of every finding in the file at `path`, sorted. */
static char *summary(const char *path) {
    static char rows[FINDINGS][80];
    char *text = calloc(FINDINGS, sizeof rows[0]);
    assert_non_null(text);
    yyjson_doc *document = report("", path);
    size_t index, count, used = 0;
    yyjson_val *finding;
    yyjson_arr_foreach(findings(document), index, count, finding) {
        assert_true(used < FINDINGS);
        snprintf(rows[used++], sizeof rows[0], "%4u %s %s\n", line_of(finding), word(finding, "rule"),
                 word(finding, "level"));
    }
    yyjson_doc_free(document);
    qsort(rows, used, sizeof rows[0], by_bytes);
    for (size_t i = 0; i < used; i++) strcat(text, rows[i]);
    return text;
}

static void names_do_not_matter(void **state) {
    if (system("python3 -c '' 2>/dev/null") != 0) {
        print_message("note: renaming skipped: python3 is missing\n");
        skip();
    }
    char command[COMMAND_SIZE], script[PATH_SIZE], renamed[PATH_SIZE];
    snprintf(command, sizeof command, "python3 tests/rename.py '%s' corpus/scripts/*.py", (const char *)*state);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    unsigned names, scripts = 0, total = 0, differ = 0;
    while (fscanf(pipe, "%299s %299s %u", script, renamed, &names) == 3) {
        char *before = summary(script), *after = summary(renamed);
        if (names < 20) fail_msg("%s: only %u names were renamed", script, names);
        if (strcmp(before, after) != 0) {
            print_message("%s, before:\n%sand renamed:\n%s", script, before, after);
            differ++;
        }
        scripts++, total += names;
        free(before);
        free(after);
    }
    assert_int_equal(pclose(pipe), 0);
    glob_t found;
    assert_int_equal(glob("corpus/scripts/*.py", 0, NULL, &found), 0);
    assert_int_equal(scripts, found.gl_pathc);
    globfree(&found);
    print_message("note: %u names of %u scripts renamed, the findings of %u differ\n", total, scripts, differ);
    assert_int_equal(differ, 0);
}

int main(void) {
#define APART(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        APART(where_a_read_stands_decides_its_price), APART(launch_costs_move_every_price),
        APART(what_does_not_wait_is_silent),          APART(one_wait_is_one_finding),
        APART(what_loader_workers_run_is_silent),     APART(names_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
