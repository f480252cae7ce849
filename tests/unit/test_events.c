/* What a training loop's list of events says: where waits stand, where host work is seen. */
#include "training_loop.h"

static const char head[] = "import numpy as np\nimport torch\nfrom torch.utils.data import DataLoader\n"
                           "model = torch.nn.Linear(8, 8).cuda()\n"
                           "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n";

/* The events of the only loop of the script behind the head, as letters: Data made by workers, data made Here, Numpy or
   other host work of unknown length, Operations, Backward, optimizer Step, Wait. */
static const char *events_of(const char *script) {
    static char letters[100];
    Arena arena = {0};
    const HotLoop *loop = training_loop(&arena, head, script, "");
    uint32_t count = 0;
    for (uint32_t i = 0; i < loop->event_count && count + 1 < sizeof letters; i++) {
        const Event *event = &loop->events[i];
        if (event->kind == EVENT_DATA) letters[count++] = event->in_process ? 'H' : 'D';
        if (event->kind == EVENT_HOST && !event->quantity.length) letters[count++] = 'N';
        if (event->kind == EVENT_OPS) letters[count++] = 'O';
        if (event->kind == EVENT_BACKWARD) letters[count++] = 'B';
        if (event->kind == EVENT_OPTIMIZER) letters[count++] = 'S';
        if (event->kind == EVENT_WAIT) letters[count++] = 'W';
    }
    letters[count] = 0;
    arena_free(&arena);
    return letters;
}

#define STEP "    model(x.cuda(non_blocking=True)).sum().backward()\n    optimizer.step()\n"

static void test_a_scaler_asks_before_it_steps(void **state) {
    (void)state;
    assert_string_equal(events_of("scaler = torch.amp.GradScaler('cuda')\nx = torch.randn(8, 8).cuda()\n"
                                  "for step in range(100):\n"
                                  "    scaler.scale(model(x).sum()).backward()\n    scaler.step(optimizer)\n"),
                        "OBWS");
}

/* The host goes through both parameters of the layer. */
static void test_zero_grad_knows_its_tensors(void **state) {
    (void)state;
    Arena arena = {0};
    const HotLoop *loop = training_loop(
        &arena, head, "for step in range(100):\n    optimizer.zero_grad()\n    x = torch.randn(8, 8)\n" STEP,
        "");
    const Event *first = &loop->events[0];
    assert_true(first->kind == EVENT_HOST && text_equal(first->quantity, TEXT("zero_grad_tensor")));
    assert_true(event_work(first)->tensors.low == 2 && event_work(first)->tensors.high == 2);
    arena_free(&arena);
}

static void test_who_makes_the_batches(void **state) {
    (void)state;
    assert_string_equal(events_of("for x in DataLoader([], pin_memory=True):\n" STEP), "HOBS");
    assert_string_equal(
        events_of("for i, x in enumerate(DataLoader([], num_workers=0, pin_memory=True)):\n" STEP), "HOBS");
    assert_string_equal(events_of("for x in DataLoader([], num_workers=4, pin_memory=True):\n" STEP), "DOBS");
    assert_string_equal(
        events_of("import os\nfor x in DataLoader([], num_workers=os.cpu_count(), pin_memory=True):\n" STEP),
        "DOBS");
    assert_string_equal(
        events_of("options = get()\nfor x in DataLoader([], pin_memory=True, **options):\n" STEP), "DOBS");
}

static void test_next_asks_for_a_batch(void **state) {
    (void)state;
    assert_string_equal(events_of("batches = iter(DataLoader([], pin_memory=True))\nfor step in range(100):\n"
                                  "    x = next(batches)\n" STEP),
                        "HOBS");
    assert_string_equal(events_of("def endless(loader):\n    while True:\n        yield from loader\n"
                                  "batches = endless(DataLoader([], num_workers=2, pin_memory=True))\n"
                                  "for step in range(100):\n    x = next(batches)\n" STEP),
                        "DOBS");
}

static void test_arrays_keep_the_host_busy(void **state) {
    (void)state;
    assert_string_equal(events_of("x = torch.randn(8, 8).cuda()\nfor step in range(100):\n"
                                  "    np.sort([3, 2])\n" STEP),
                        "NOBS");
    assert_string_equal(events_of("x = torch.randn(8, 8).cuda()\nrandom = np.random.default_rng(0)\n"
                                  "def augment():\n    return random.standard_normal(100)\n"
                                  "for step in range(100):\n    augment()\n" STEP),
                        "NOBS");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_scaler_asks_before_it_steps),
        cmocka_unit_test(test_zero_grad_knows_its_tensors),
        cmocka_unit_test(test_who_makes_the_batches),
        cmocka_unit_test(test_next_asks_for_a_batch),
        cmocka_unit_test(test_arrays_keep_the_host_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
