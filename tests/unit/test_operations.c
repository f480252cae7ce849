/* How many GPU operations a turn of a loop is said to queue: layers in nn.Sequential, in lists, in loops. */
#include "training_loop.h"
#include <math.h>

static const char head[] = "import torch\nimport torch.nn as nn\n";
static const char tail[] = "model = make().cuda()\n"
                           "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
                           "x = torch.randn(8, 8, device=\"cuda\")\n"
                           "for step in range(1000):\n"
                           "    y = model(x)\n"
                           "    y.backward(x)\n"
                           "    optimizer.step()\n";

/* Of the training loop: operations outside inner loops, inside those of unknown length, backward and long ones. */
typedef struct Counted {
    double outside, inside, backward, lengthy, waits;
} Counted;

static Counted count_of(const char *make) {
    Arena arena = {0};
    const HotLoop *loop = training_loop(&arena, head, make, tail);
    Counted counted = {0};
    double turns = 1;
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        if (event->kind == EVENT_LOOP_BEGIN && event->count > 0) turns *= event->count;
        if (event->kind == EVENT_LOOP_BEGIN && event->count <= 0) unknown++;
        if (event->kind == EVENT_LOOP_END && unknown) unknown--;
        if (event->kind == EVENT_WAIT) counted.waits += event->count * turns;
        if (event->kind == EVENT_LOOP_END && !unknown) turns = 1;
        if (event->kind != EVENT_OPS) continue;
        *(unknown ? &counted.inside : &counted.outside) += event->count * turns;
        counted.backward += event->backward * turns, counted.lengthy += event->matmuls * turns;
    }
    arena_free(&arena);
    return counted;
}

static void assert_counted(const char *make, double outside, double inside, double lengthy) {
    Counted counted = count_of(make);
    if (fabs(counted.outside - outside) > 0.01 || fabs(counted.inside - inside) > 0.01 ||
        fabs(counted.lengthy - lengthy) > 0.01)
        fail_msg("%s: %g and %g in a loop, %g long", make, counted.outside, counted.inside, counted.lengthy);
}

/* A convolution converts to channels last and back, unless the model is laid out so or its kernel is one element. */
static void test_layouts(void **state) {
    (void)state;
    assert_counted("def make():\n    return nn.Conv2d(8, 8, 3)\n", 4, 0, 2);
    assert_counted("def make():\n    return nn.Conv2d(8, 8, 1)\n", 2, 0, 2);
    assert_counted("def make():\n    return nn.Conv2d(8, 8, 3).to(memory_format=torch.channels_last)\n", 2, 0,
                   2);
    assert_true(fabs(count_of("def make():\n    return nn.Conv2d(8, 8, 3)\n").backward - 9) < 0.01);
}

/* A product on tensor cores clears a workspace first: nine in ten do. */
static void test_cleared_workspaces(void **state) {
    (void)state;
    assert_counted("def make():\n"
                   "    torch.backends.cuda.matmul.allow_tf32 = True\n"
                   "    return nn.Linear(8, 8)\n",
                   1.9, 0, 1);
    assert_counted("def make():\n    return nn.Linear(8, 8).to(torch.float16)\n", 1.9, 0, 1);
}

static void test_sequential(void **state) {
    (void)state;
    assert_counted("def make():\n    return nn.Linear(8, 8)\n", 1, 0, 1);
    assert_counted(
        "def make():\n    return nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU())\n", 4, 0,
        2);
    /* A linear layer's backward pass queues 5, a ReLU's 1. */
    Counted counted =
        count_of("def make():\n    return nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))\n");
    assert_true(fabs(counted.backward - 11) < 0.01);
    assert_counted("def make():\n"
                   "    return nn.Sequential(nn.Sequential(nn.Linear(8, 8), nn.ReLU()), nn.Linear(8, 8))\n",
                   3, 0, 2);
}

static void test_lists_of_known_length(void **state) {
    (void)state;
    assert_counted("def make():\n    return nn.Sequential(*[nn.Linear(8, 8) for _ in range(6)])\n", 6, 0, 6);
    assert_counted(
        "depth, width = 5, 8\n"
        "def make():\n    return nn.Sequential(nn.Linear(8, 8), *[nn.Linear(8, 8) for _ in range(depth)])\n",
        6, 0, 6);
    assert_counted("class Net(nn.Module):\n"
                   "    def __init__(self):\n"
                   "        super().__init__()\n"
                   "        self.parts = nn.ModuleList([nn.Linear(8, 8) for _ in range(7)])\n"
                   "    def forward(self, x):\n"
                   "        for part in self.parts:\n"
                   "            x = part(x).relu()\n"
                   "        return x\n"
                   "def make():\n    return Net()\n",
                   14, 0, 7);
}

/* Blocks of the program's own in nn.Sequential: the same forward is called for each. */
static void test_blocks(void **state) {
    (void)state;
    const char *block = "class Block(nn.Module):\n"
                        "    def __init__(self):\n"
                        "        super().__init__()\n"
                        "        self.a = nn.Linear(8, 8)\n"
                        "    def forward(self, x):\n"
                        "        return self.a(x).relu()\n"
                        "def make():\n    return nn.Sequential(";
    char make[1000];
    snprintf(make, sizeof make, "%sBlock(), Block(), Block())\n", block);
    assert_counted(make, 6, 0, 3);
    snprintf(make, sizeof make, "%s*[Block() for _ in range(12)])\n", block);
    assert_counted(make, 24, 0, 12);
}

/* `x = block(x)`: the second round of the loop's fixpoint calls the block with more than the first did, and a third with
   more again. It is one call. */
static void test_a_value_carried_round_a_loop(void **state) {
    (void)state;
    const char *blocks = "class Block(nn.Module):\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.a = nn.Linear(8, 8)\n"
                         "    def forward(self, x, seen=None):\n"
                         "        x = self.a(x).relu()\n"
                         "        x.sum().item()\n"
                         "        return x\n"
                         "class Net(nn.Module):\n"
                         "    def __init__(self):\n"
                         "        super().__init__()\n"
                         "        self.blocks = nn.ModuleList([Block() for _ in range(4)])\n"
                         "        self.last = nn.Linear(8, 8)\n"
                         "    def forward(self, x):\n"
                         "        seen = None\n"
                         "        for block in self.blocks:\n"
                         "            %s\n"
                         "        return self.last(x)\n"
                         "def make():\n    return Net()\n";
    static const char *const bodies[] = {"x = block(x)", "seen = x = block(x, seen)",
                                         "old, x = x, block(x, seen)\n            seen = old"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char make[2000];
        snprintf(make, sizeof make, blocks, bodies[i]);
        assert_counted(make, 4 * 3 + 1, 0, 5);
        assert_true(fabs(count_of(make).waits - 4) < 0.01);
    }
}

static void test_unknown_length(void **state) {
    (void)state;
    assert_counted("class Net(nn.Module):\n"
                   "    def __init__(self, depth):\n"
                   "        super().__init__()\n"
                   "        self.parts = nn.ModuleList([nn.Linear(8, 8) for _ in range(depth)])\n"
                   "        self.last = nn.Linear(8, 8)\n"
                   "    def forward(self, x):\n"
                   "        for part in self.parts:\n"
                   "            x = part(x).relu()\n"
                   "        return self.last(x)\n"
                   "def make():\n    return Net(int(input()))\n",
                   1, 2, 2);
}

/* print() states the work of scalars and of matrices: of one scalar the second is nothing, and must not hide the first. */
static void test_host_work_of_print(void **state) {
    (void)state;
    Arena arena = {0};
    Text error = {0};
    char folder[] = "/tmp/syncl-operations-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/train.py", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%sdef make():\n    return nn.Linear(8, 8)\n%s    print(\"loss\", y.sum())\n", head, tail);
    fclose(file);
    const char *paths[] = {path};
    AnalyzeOptions options = {.paths = paths, .path_count = 1};
    const Analysis *analysis = analyze(&arena, &options, &error);
    unlink(path);
    rmdir(folder);
    assert_int_equal(analysis->findings->sites.count, 2);
    const HotLoop *loop = &analysis->findings->loops.items[1];
    double scalars = 0;
    for (uint32_t i = 0; i < loop->event_count; i++)
        if (loop->events[i].kind == EVENT_HOST && text_equal(loop->events[i].quantity, TEXT("print_scalar")))
            scalars += loop->events[i].count;
    assert_true(scalars > 0.99 && scalars < 1.01);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),        cmocka_unit_test(test_cleared_workspaces),
        cmocka_unit_test(test_sequential),     cmocka_unit_test(test_lists_of_known_length),
        cmocka_unit_test(test_blocks),         cmocka_unit_test(test_a_value_carried_round_a_loop),
        cmocka_unit_test(test_unknown_length), cmocka_unit_test(test_host_work_of_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
