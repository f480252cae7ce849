"""Which paddings of nested tensors wait: each is called while the GPU is held for 150 ms.

python3 tests/truth/hazards/nested.py > tests/truth/hazards/nested.txt     (2>/dev/null: PyTorch warns of the prototype)
"""
import time

import torch


def ask(name, call):
    call()
    call()
    torch.cuda.synchronize()
    torch.cuda._sleep(int(3e8))
    start = time.perf_counter()
    call()
    took = time.perf_counter() - start
    torch.cuda.synchronize()
    print(f"{name}: {took * 1e3:.3f} ms behind a held GPU", "WAITS" if took > 0.02 else "does not wait", flush=True)


print(torch.__version__, torch.cuda.get_device_name())
v = torch.randn(100, 8, device="cuda")
off = torch.tensor([0, 30, 70, 100], device="cuda")
j = torch.nested.nested_tensor_from_jagged(v, off)
s = torch.nested.as_nested_tensor([torch.randn(3, 8, device="cuda"), torch.randn(5, 8, device="cuda")])
jm = torch.nested.nested_tensor_from_jagged(v, off, min_seqlen=30, max_seqlen=40)
big = torch.tensor(50, device="cuda")
pad = torch.nested.to_padded_tensor
ask("jagged to_padded_tensor no size", lambda: pad(j, 0.0))
ask("jagged host int size", lambda: pad(j, 0.0, output_size=(3, 50, 8)))
ask("jagged known max, no size", lambda: pad(jm, 0.0))
ask("jagged fresh, no size", lambda: pad(torch.nested.nested_tensor_from_jagged(v, off), 0.0))
ask("jagged fresh, host int size", lambda: pad(torch.nested.nested_tensor_from_jagged(v, off), 0.0, output_size=(3, 50, 8)))
ask("jagged gpu size", lambda: pad(j, 0.0, output_size=(3, big, 8)))
ask("strided to_padded_tensor", lambda: pad(s, 0.0))
ask("strided host size", lambda: pad(s, 0.0, output_size=(2, 9, 8)))
ask("jagged method", lambda: j.to_padded_tensor(0.0))
ask("jagged values", lambda: j.values())
ask("jagged offsets", lambda: j.offsets())
