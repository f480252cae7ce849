/* Prices of the sample as they were kept (price_list.h), whatever is in them: read, replayed, what came since put in, reported. */
#include "fuzz_ledger.h"
#include "recordings.h"

static void fuzz_prices(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text error = {0};
    const char *path = fuzz_file(fuzz, &arena, "input.json", bytes);
    LedgerInput input = fuzz_ledger_input(fuzz);
    fuzz_ledger(fuzz, &arena, recordings_ledger(&arena, &input, &path, 1, &error), error);
    arena_free(&arena);
}
