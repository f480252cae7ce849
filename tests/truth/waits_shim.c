/* Preloaded into Python by run_corpus.py: tells a callback of each call of the CUDA runtime that waits.
 * A second witness beside PyTorch's debug mode, which is silent for some of them. It sees libraries that
 * share the runtime's shared object (PyTorch, torchvision), not those that link it statically (NCCL). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static void (*tell)(int api);

void truth_set_callback(void (*callback)(int)) { tell = callback; }

static void *next_symbol(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    static const char *const files[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so"};
    for (size_t i = 0; !found && i < sizeof files / sizeof *files; i++) {
        void *lib = dlopen(files[i], RTLD_LAZY | RTLD_NOLOAD);
        if (lib) found = dlsym(lib, name);
    }
    return found;
}

#define WAITS(number, name, parameters, arguments)             \
    int name parameters {                                      \
        static int(*next) parameters;                          \
        if (!next) *(void **)&next = next_symbol(#name);       \
        if (tell) tell(number);                                \
        return next arguments;                                 \
    }

WAITS(1, cudaStreamSynchronize, (void *s), (s))
WAITS(2, cudaEventSynchronize, (void *e), (e))
WAITS(3, cudaDeviceSynchronize, (void), ())
WAITS(4, cudaMemcpy, (void *to, const void *from, size_t n, int kind), (to, from, n, kind))
WAITS(5, cudaMemcpy2D, (void *to, size_t a, const void *from, size_t b, size_t w, size_t h, int kind), (to, a, from, b, w, h, kind))
