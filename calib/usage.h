#ifndef SYNCL_USAGE_H
#define SYNCL_USAGE_H
/* How much other processes use a GPU before we start, by NVML (which nvidia-smi shows too): libnvidia-ml is
   loaded at run time, asked and closed. Takes about 1.5 s, three times as long if the GPU is in use. */

/* Percentage of time in which anything ran on the GPU, 0..100; -1 = unknown (no NVML, or a slice of a GPU).
   address: of the PCI bus, as cudaDeviceGetPCIBusId gives it. */
int usage_percent(const char *address);

#endif
