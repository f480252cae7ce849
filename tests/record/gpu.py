"""The fake GPU (fake_gpu.c) from Python: ctypes lets go of the GIL in each call, as PyTorch does before it waits."""
import ctypes
import os

_cuda = ctypes.CDLL(os.path.join(os.environ["FAKE_GPU"], "libcudart.so.13"))
_cuda.cudaLaunchKernel.argtypes = [ctypes.c_char_p, ctypes.c_double, ctypes.c_int]
_cuda.cuInit(0)
launch, copy, wait, wait_all, free = (_cuda.cudaLaunchKernel, _cuda.cudaMemcpyAsync, _cuda.cudaStreamSynchronize,
                                      _cuda.cudaDeviceSynchronize, _cuda.cudaFree)
