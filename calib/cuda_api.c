#include "cuda_api.h"
#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>

/* Where CUDA's libraries are if the loader does not know: in the toolkit, in WSL, and in the wheels that come
   with PyTorch (one folder for cu13, one for each library of cu12), in the active environment or that of an
   interpreter. */
static const char *const folders[] = {
    "/lib64",
    "/lib",
    "/targets/*/lib",
    "/lib/python3*/site-packages/nvidia/*/lib",
    "/lib/python3*/dist-packages/nvidia/*/lib",
};

static void *open_matching(Arena *arena, const char *folder, const char *const *names) {
    void *library = NULL;
    for (; *names && !library; names++) {
        glob_t found;
        if (glob(text_format(arena, "%s/%s", folder, *names).bytes, 0, NULL, &found) == 0)
            for (size_t i = 0; i < found.gl_pathc && !library; i++)
                library = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_GLOBAL);
        globfree(&found);
    }
    return library;
}

/* The environment of an interpreter: two folders up. */
static const char *environment_of(Arena *arena, const char *python) {
    if (!python || !strchr(python, '/')) return NULL;
    char *path = arena_copy(arena, python, strlen(python) + 1);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) return NULL;
        *slash = 0;
    }
    return path;
}

static void *open_in(Arena *arena, const char *home, const char *const *names) {
    void *library = NULL;
    for (size_t i = 0; home && i < sizeof folders / sizeof folders[0] && !library; i++)
        library = open_matching(arena, text_format(arena, "%s%s", home, folders[i]).bytes, names);
    return library;
}

/* First what the user named or activated, then what the loader knows, then the usual places of toolkits. */
static void *open_library(Arena *arena, const char *const *names, const char *python) {
    const char *named[] = {environment_of(arena, python), getenv("CUDA_HOME"), getenv("CUDA_PATH"),
                           getenv("VIRTUAL_ENV"), getenv("CONDA_PREFIX")};
    static const char *const usual[] = {"/usr/local/cuda", "/opt/cuda", "/usr"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof named / sizeof named[0] && !library; i++)
        library = open_in(arena, named[i], names);
    for (const char *const *name = names; *name && !library; name++)
        library = dlopen(*name, RTLD_NOW | RTLD_GLOBAL);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0] && !library; i++)
        library = open_in(arena, usual[i], names);
    return library;
}

/* ISO C cannot cast an object pointer to a function pointer; POSIX guarantees that the bytes are one. */
static bool find_symbol(void *library, const char *symbol, void *function) {
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static const char *missing_symbol(CudaApi *api, void *driver, void *runtime, void *blas) {
#define DRIVER(name, symbol) \
    if (!find_symbol(driver, symbol, &api->name)) return symbol;
#define RUNTIME(name, symbol) \
    if (!find_symbol(runtime, symbol, &api->name)) return symbol;
#define BLAS(name, symbol) \
    if (!find_symbol(blas, symbol, &api->name)) return symbol;
#include "cuda.def"
    return NULL;
}

static bool start_driver(CudaApi *api, Arena *arena, Text *error) {
    const char *reason = "unknown error";
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    CUresult result = api->cuInit(0);
    if (result == CUDA_SUCCESS) result = api->cuDeviceGetCount(&api->device_count);
    api->no_gpu = result == CUDA_ERROR_NO_DEVICE || (result == CUDA_SUCCESS && api->device_count == 0);
    if (api->no_gpu) {
        *error = visible
                     ? text_format(arena,
                                   "the NVIDIA driver shows no GPU, with CUDA_VISIBLE_DEVICES='%s'; nothing "
                                   "measured",
                                   visible)
                     : TEXT("the NVIDIA driver is here but shows no GPU (a container without one?); nothing "
                            "measured");
        return false;
    }
    if (result != CUDA_SUCCESS) {
        api->cuGetErrorString(result, &reason);
        *error = text_format(arena, "the NVIDIA driver does not start (%s); nothing measured", reason);
        return false;
    }
    api->cuDriverGetVersion(&api->driver_version);
    api->cudaRuntimeGetVersion(&api->runtime_version);
    if (api->driver_version < 12000) {
        *error = text_format(
            arena, "the NVIDIA driver is too old (CUDA %d.%d, 12.0 or driver 525 is needed); nothing measured",
            api->driver_version / 1000, api->driver_version % 1000 / 10);
        return false;
    }
    return true;
}

bool cuda_load(CudaApi *api, Arena *arena, const char *python, Text *error) {
    const char *const drivers[] = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", NULL};
    const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", NULL};
    const char *const blases[] = {"libcublas.so.13", "libcublas.so.12", NULL};
    void *driver = open_library(arena, drivers, NULL);
    api->no_gpu = !driver;
    if (!driver) {
        *error = TEXT("no NVIDIA driver here (libcuda.so.1 not found); nothing measured.");
        return false;
    }
    void *runtime = open_library(arena, runtimes, python);
    /* libcublas needs libcublasLt, which may be on no search path */
    const char *const lights[] = {"libcublasLt.so.13", "libcublasLt.so.12", NULL};
    (void)open_library(arena, lights, python);
    void *blas = open_library(arena, blases, python);
    if (!runtime || !blas) {
        *error =
            text_format(arena,
                        "%s not found (versions 12 and 13 are looked for); nothing measured. Set CUDA_HOME, or "
                        "activate the environment that holds PyTorch",
                        runtime ? "libcublas" : "libcudart");
        return false;
    }
    const char *symbol = missing_symbol(api, driver, runtime, blas);
    if (symbol) {
        *error = text_format(arena, "this machine's CUDA libraries lack %s; nothing measured", symbol);
        return false;
    }
    return start_driver(api, arena, error);
}
