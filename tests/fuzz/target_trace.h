/* A trace of torch.profiler, plain or packed: read, replayed, joined with the sample's findings, reported. */
#include "fuzz_ledger.h"

static void fuzz_trace(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text error = {0};
    LedgerInput input = fuzz_ledger_input(fuzz, fuzz_file(fuzz, &arena, "input.json", bytes));
    fuzz_ledger(fuzz, &arena, ledger_make(&arena, &input, &error), error);
    arena_free(&arena);
}
