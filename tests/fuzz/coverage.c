/* The libFuzzer program: FUZZ_TARGET names the target. Half of the changes are of bytes, as libFuzzer makes them; half
   move whole lines about, which leaves more of a program standing (not of the cache's blocks, which have no lines). */
#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t most, unsigned seed);

static Fuzz fuzz;
static FuzzTarget *target;
static bool has_lines;

static void leave(void) { fuzz_close(&fuzz); }

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    target = fuzz_target(getenv("FUZZ_TARGET"));
    if (!target) fuzz_broken("FUZZ_TARGET names no target");
    has_lines = target != fuzz_cache;
    fuzz_open(&fuzz);
    atexit(leave);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target(&fuzz, (Text){size ? (const char *)data : "", (uint32_t)size});
    return 0;
}

/* ---- changes by line ---- */

typedef struct Piece {
    size_t start, end;
} Piece;

static uint32_t roll(unsigned *seed, size_t sides) {
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((*seed >> 8) % (sides ? sides : 1));
}

/* One to four whole lines, from anywhere. */
static Piece some_lines(const uint8_t *data, size_t size, unsigned *seed) {
    Piece piece = {roll(seed, size), 0};
    while (piece.start > 0 && data[piece.start - 1] != '\n') piece.start--;
    piece.end = piece.start;
    for (uint32_t left = 1 + roll(seed, 4); left > 0 && piece.end < size; left--) {
        while (piece.end < size && data[piece.end] != '\n') piece.end++;
        if (piece.end < size) piece.end++;
    }
    return piece;
}

/* `data` with data[cut] replaced by `put`. */
static size_t spliced(uint8_t *data, size_t size, size_t most, Piece cut, const uint8_t *put, size_t length) {
    size_t now = size - (cut.end - cut.start) + length;
    if (now > most) return size;
    memmove(data + cut.start + length, data + cut.end, size - cut.end);
    if (length) memcpy(data + cut.start, put, length);
    return now;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    static const char *const blanks[] = {"    ", "\t", " ", "\n"};
    if (size < 2 || !has_lines || roll(&seed, 2)) return LLVMFuzzerMutate(data, size, most);
    Piece one = some_lines(data, size, &seed), other = some_lines(data, size, &seed);
    size_t length = other.end - other.start;
    uint8_t *copy = malloc(length + 1);
    memcpy(copy, data + other.start, length);
    const char *blank = blanks[roll(&seed, 4)];
    switch (roll(&seed, 5)) {
    case 0: size = spliced(data, size, most, one, copy, 0); break;      /* deleted */
    case 1: size = spliced(data, size, most, one, copy, length); break; /* replaced by others */
    case 2: size = spliced(data, size, most, (Piece){one.start, one.start}, copy, length); break;
    case 3:
        size = spliced(data, size, most, (Piece){one.start, one.start}, (const uint8_t *)blank, strlen(blank));
        break;
    default:
        while (one.end > one.start && one.end - one.start > 4) one.end--;
        size = spliced(data, size, most, one, copy, 0); /* its first bytes: an indentation */
    }
    free(copy);
    return size ? size : LLVMFuzzerMutate(data, size, most);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size,
                                 uint8_t *out, size_t most, unsigned seed) {
    if (one_size > most || !one_size || !two_size) return 0;
    memcpy(out, one, one_size);
    Piece cut = some_lines(one, one_size, &seed), put = some_lines(two, two_size, &seed);
    if (roll(&seed, 2)) cut.end = cut.start;
    return spliced(out, one_size, most, cut, two + put.start, put.end - put.start);
}
