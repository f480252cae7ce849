#ifndef SYNCL_MACHINE_H
#define SYNCL_MACHINE_H
/* What this machine is, as far as the system tells without CUDA: profiles belong to a GPU, its driver and a CPU model.
   Reads /proc, /dev and /sys only; what it cannot learn stays empty or 0. */
#include "arena.h"
#include "text.h"

typedef struct Machine {
    VEC(Text) gpus; /* "NVIDIA H200"; empty in WSL and some containers */
    bool sliced;    /* one of them is cut into slices (MIG) */
    bool has_gpu;   /* an NVIDIA GPU is there, named or not */
    int driver;     /* 580 */
    Text cpu;
} Machine;

/* root: "" (the machine), or a folder that stands for / in tests. */
Machine machine_read(Arena *result, const char *root);
/* What the control groups allow, in cores; 0 = no limit known. */
double machine_quota_cores(Arena *scratch, const char *root);

#endif
