/* A recording of syncl record, whatever its chunks hold: their sums are made right first, as a mistake of the recorder's would
   have them. Read, replayed, joined with the sample's findings, reported. */
#include "fuzz_ledger.h"
#include "record_format.h"
#include "recordings.h"

static void fuzz_sums(char *bytes, size_t length) {
    RecordChunk chunk;
    for (size_t at = sizeof(RecordHead); at + sizeof chunk <= length; at += sizeof chunk + chunk.bytes) {
        memcpy(&chunk, bytes + at, sizeof chunk);
        if (chunk.bytes > length - at - sizeof chunk) chunk.bytes = (uint32_t)(length - at - sizeof chunk);
        chunk.sum = record_sum((unsigned char *)bytes + at + sizeof chunk, chunk.bytes);
        memcpy(bytes + at, &chunk, sizeof chunk);
    }
}

static void fuzz_recording(const Fuzz *fuzz, Text bytes) {
    Arena arena = {0};
    Text error = {0};
    char *sound = arena_alloc(&arena, bytes.length + 1u);
    if (bytes.length) memcpy(sound, bytes.bytes, bytes.length);
    fuzz_sums(sound, bytes.length);
    const char *path = fuzz_file(fuzz, &arena, "input.syncl", (Text){sound, bytes.length});
    LedgerInput input = fuzz_ledger_input(fuzz);
    fuzz_ledger(fuzz, &arena, recordings_ledger(&arena, &input, &path, 1, &error), error);
    arena_free(&arena);
}
