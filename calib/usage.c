#include "usage.h"
#include "text.h"
#include <dlfcn.h>
#include <string.h>
#include <time.h>

/* A program that just ended (perhaps an earlier run of ours) still shows in the first readings, so the last
   JUDGED count. While they show any use they are repeated, up to READINGS_MOST, in case it is of a job that
   ended seconds ago. */
enum { READINGS = 10, READINGS_MOST = 30, JUDGED = 5, PAUSE_NS = 150000000 };

/* NVML's header is not always where CUDA's are; these declarations are unchanged since its first version. */
typedef struct Utilization {
    unsigned gpu, memory; /* percent */
} Utilization;

typedef struct Nvml {
    int (*init)(void);
    int (*shutdown)(void);
    int (*device_by_address)(const char *address, void **device);
    int (*utilization)(void *device, Utilization *utilization);
} Nvml;

static bool find(void *library, const char *symbol, void *function) {
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool complete(void *library, Nvml *nvml) {
    return find(library, "nvmlInit_v2", &nvml->init) && find(library, "nvmlShutdown", &nvml->shutdown) &&
           find(library, "nvmlDeviceGetHandleByPciBusId_v2", &nvml->device_by_address) &&
           find(library, "nvmlDeviceGetUtilizationRates", &nvml->utilization);
}

static int watch(const Nvml *nvml, const char *address) {
    void *device = NULL;
    Utilization now = {0};
    unsigned last[JUDGED] = {0}, sum = 0;
    if (nvml->device_by_address(address, &device) != 0) return -1;
    for (int reading = 0; reading < READINGS || (reading < READINGS_MOST && sum > 0); reading++) {
        if (reading) nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        if (nvml->utilization(device, &now) != 0 || now.gpu > 100) return -1;
        sum += now.gpu - last[reading % JUDGED];
        last[reading % JUDGED] = now.gpu;
    }
    return (int)(sum / JUDGED);
}

int usage_percent(const char *address) {
    Nvml nvml;
    int percent = -1;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library) library = dlopen("/usr/lib/wsl/lib/libnvidia-ml.so.1", RTLD_NOW);
    if (library && complete(library, &nvml) && nvml.init() == 0) {
        percent = watch(&nvml, address);
        nvml.shutdown();
    }
    if (library) dlclose(library);
    return percent;
}
