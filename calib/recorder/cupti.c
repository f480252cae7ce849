#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_DEFAULT */
#include "cupti.h"
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Paths from the folder of a loaded CUDA library: wheels of CUDA 13 have one folder, those of 12 one for each
   library; toolkits have it beside the others or under extras. */
static const char *const beside[] = {
    "libcupti.so.1[2-9]",
    "../../cuda_cupti/lib/libcupti.so.1[2-9]",
    "../extras/CUPTI/lib64/libcupti.so.1[2-9]",
    "../../../extras/CUPTI/lib64/libcupti.so.1[2-9]",
    "../../nvidia/cu1[2-9]/lib/libcupti.so.1[2-9]",
    "../../nvidia/cuda_cupti/lib/libcupti.so.1[2-9]",
};

static void *open_matching(const char *folder, size_t length, const char *name) {
    char pattern[PATH_MAX];
    void *library = NULL;
    glob_t found;
    int written = snprintf(pattern, sizeof pattern, "%.*s/%s", (int)length, folder, name);
    if (written < 0 || (size_t)written >= sizeof pattern) return NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = found.gl_pathc; i-- > 0 && !library;)
            library = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return library;
}

/* Searches the libraries of the process: CUPTI itself, else one that it may be beside. */
typedef struct Search {
    char path[PATH_MAX]; /* path of CUPTI, or "" */
    char folders[8][PATH_MAX];
    size_t count;
} Search;

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
    static const char *const neighbours[] = {"libcudart", "libtorch_cuda", "libtorch_cpu", "libcublas.",
                                             "libnvrtc"};
    Search *search = context;
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!slash || strlen(info->dlpi_name) >= PATH_MAX) return 0;
    if (strncmp(slash + 1, "libcupti.so", 11) == 0) strcpy(search->path, info->dlpi_name);
    for (size_t i = 0; i < sizeof neighbours / sizeof neighbours[0] && search->count < 8; i++)
        if (strncmp(slash + 1, neighbours[i], strlen(neighbours[i])) == 0)
            snprintf(search->folders[search->count++], PATH_MAX, "%.*s", (int)(slash - info->dlpi_name),
                     info->dlpi_name);
    return 0;
}

static void *open_cupti(void) {
    static const char *const names[] = {"libcupti.so.13", "libcupti.so.12"};
    static const char toolkit[] = "/usr/local/cuda/lib64";
    const char *named = getenv("SYNCL_RECORD_CUPTI");
    if (named) return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    Search *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    dl_iterate_phdr(look_at, search);
    void *library = search->path[0] ? dlopen(search->path, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; i < search->count && !library; i++)
        for (size_t k = 0; k < sizeof beside / sizeof beside[0] && !library; k++)
            library = open_matching(search->folders[i], strlen(search->folders[i]), beside[k]);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    for (size_t k = 0; k < sizeof beside / sizeof beside[0] && !library; k++)
        library = open_matching(toolkit, sizeof toolkit - 1, beside[k]);
    free(search);
    return library;
}

/* ISO C cannot cast an object pointer to a function pointer; POSIX guarantees that the bytes are one. */
static bool find(void *library, const char *symbol, void *function) {
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static int major_of(uint32_t version) {
    return version >= 10000 ? (int)(version / 10000) : version >= 18 ? 12 : 11;
}

/* An older CUPTI works with a newer driver, as an older CUDA runtime does, but not the reverse. */
static const char *refuse(const Cupti *cupti) {
    int (*driver_version)(int *), driver = 0;
    if (!find(RTLD_DEFAULT, "cuDriverGetVersion", &driver_version)) {
        void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
        if (!library || !find(library, "cuDriverGetVersion", &driver_version))
            return "the driver's version is unknown";
    }
    if (driver_version(&driver) != 0) return "the driver's version is unknown";
    if (major_of(cupti->version) < 12) return "its CUPTI is older than CUDA 12.1";
    if (major_of(cupti->version) > 13) return "its CUPTI is newer than CUDA 13, which was never tried";
    return major_of(cupti->version) > driver / 1000 ? "its CUPTI is of a newer CUDA than the driver" : NULL;
}

const char *cupti_load(Cupti *cupti) {
    void *library = open_cupti();
    if (!library)
        return "no CUPTI was found: it comes with PyTorch's CUDA wheels (nvidia-cuda-cupti) and the CUDA "
               "toolkit";
#define CUPTI(name, ...) \
    if (!find(library, "cupti" #name, &cupti->name)) return "its CUPTI lacks cupti" #name;
#include "cupti.def"
    if (cupti->GetVersion(&cupti->version) != CUPTI_OK) return "its CUPTI does not start with this driver";
    return refuse(cupti);
}
