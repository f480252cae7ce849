/* Preloaded into Python by run_corpus.py and run_pages.py: tells a callback of each call of the CUDA runtime that
 * waits, and counts the bytes that cross the bus. A second witness beside PyTorch's debug mode, which is silent for
 * some of them. It sees libraries that share the runtime's shared object (PyTorch, torchvision), not those that link
 * it statically (NCCL). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2 }; /* cudaMemcpyKind */

static void (*tell)(int api);
static long long waits, copied[5];

void truth_set_callback(void (*callback)(int)) { tell = callback; }

/* out: waiting calls, bytes to the host, bytes to the device; counted from zero again. */
void truth_take_counts(long long out[3]) {
    out[0] = waits;
    out[1] = copied[DEVICE_TO_HOST];
    out[2] = copied[HOST_TO_DEVICE];
    waits = copied[DEVICE_TO_HOST] = copied[HOST_TO_DEVICE] = 0;
}

static void *next_symbol(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    static const char *const files[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so"};
    for (size_t i = 0; !found && i < sizeof files / sizeof *files; i++) {
        void *lib = dlopen(files[i], RTLD_LAZY | RTLD_NOLOAD);
        if (lib) found = dlsym(lib, name);
    }
    return found;
}

static void add_copy(int kind, size_t bytes) {
    if (kind == HOST_TO_DEVICE || kind == DEVICE_TO_HOST) copied[kind] += (long long)bytes;
}

static void add_wait(int api) {
    waits++;
    if (tell) tell(api);
}

#define CALL(before, name, parameters, arguments)              \
    int name parameters {                                      \
        static int(*next) parameters;                          \
        if (!next) *(void **)&next = next_symbol(#name);       \
        before;                                                \
        return next arguments;                                 \
    }

CALL(add_wait(1), cudaStreamSynchronize, (void *s), (s))
CALL(add_wait(2), cudaEventSynchronize, (void *e), (e))
CALL(add_wait(3), cudaDeviceSynchronize, (void), ())
CALL((add_wait(4), add_copy(kind, n)), cudaMemcpy, (void *to, const void *from, size_t n, int kind), (to, from, n, kind))
CALL((add_wait(5), add_copy(kind, w * h)), cudaMemcpy2D, (void *to, size_t a, const void *from, size_t b, size_t w, size_t h, int kind), (to, a, from, b, w, h, kind))
CALL(add_copy(kind, n), cudaMemcpyAsync, (void *to, const void *from, size_t n, int kind, void *s), (to, from, n, kind, s))
CALL(add_copy(kind, w * h), cudaMemcpy2DAsync, (void *to, size_t a, const void *from, size_t b, size_t w, size_t h, int kind, void *s), (to, a, from, b, w, h, kind, s))
