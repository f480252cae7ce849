#ifndef SYNCL_MACHINE_H
#define SYNCL_MACHINE_H
/* What this machine is, as far as the system tells without CUDA: measured profiles belong to a GPU model, its
   driver and a CPU model. Reads /proc, /dev and /sys only. Never fails: what it cannot learn stays empty or 0. */
#include "arena.h"
#include "text.h"

typedef struct Machine {
    VEC(Text) gpus; /* GPU model names, e.g. "NVIDIA H200"; empty in WSL and some containers */
    bool sliced;    /* some GPU is partitioned (MIG) */
    bool has_gpu;   /* an NVIDIA GPU is there, even if its model is unknown */
    int driver;     /* major version of the driver, e.g. 580; 0 = unknown */
    Text cpu;
} Machine;

/* root: "" for this machine, or a folder that stands for / in tests. */
Machine machine_read(Arena *result, const char *root);
/* The CPU limit of the control groups, in cores; 0 = no limit known. */
double machine_quota_cores(Arena *scratch, const char *root);

#endif
