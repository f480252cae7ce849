#ifndef SYNCL_USAGE_H
#define SYNCL_USAGE_H
/* What other processes do with a GPU before we begin, as NVML (what nvidia-smi shows) counts it: libnvidia-ml, loaded at
   run time, asked and closed again. Takes about a second and a half, three times as long where the GPU is in use. */

/* address: of the PCI bus, as cudaDeviceGetPCIBusId gives it. The share of the time in which anything ran on the GPU,
   0..100; -1 = not known (no NVML, or a slice of a GPU). */
int usage_percent(const char *address);

#endif
