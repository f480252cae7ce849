# Measures the TORCH_QUANTITY rows of profile.def through this interpreter's PyTorch, on an idle GPU; prints
# "name median p10 p90 samples" a row. Started by `syncl --calibrate --with-torch PYTHON`; rows it cannot measure
# (no torchvision, say) are left out, and the built-in numbers stand for them.
import io, signal, sys, time
signal.alarm(100)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.cuda.set_device(int(sys.argv[1]))
torch.manual_seed(0)
N = 100


def times(work, before=lambda: None, n=N):
    for _ in range(10):
        before()
        work()
    out = []
    for _ in range(n):
        before()
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        out.append((time.perf_counter() - start) * 1e6)
    return out


def middle(values):
    return sorted(values)[len(values) // 2]


def row(name, values):
    values = sorted(max(v, 0.0) for v in values)
    at = lambda part: values[min(int(part * len(values)), len(values) - 1)]
    print(name, "%.3f %.3f %.3f" % (at(0.5), at(0.1), at(0.9)), len(values), flush=True)


def less(values, base, n=1):
    return [v - n * base for v in values]


def tower(layers):
    parts = []
    for _ in range(layers):
        parts += [nn.Linear(256, 256), nn.ReLU()]
    return nn.Sequential(*parts).cuda()


x, y = torch.randn(256, 256, device="cuda"), torch.randn(256, 256, device="cuda")
s, mask = x.sum(), x > 0
ints = torch.randint(0, 10, (1000,), device="cuda")
item = times(lambda: s.item())
read = middle(item)
row("item_us", item)

short, long = tower(2), tower(10)
launches = times(lambda: x + 1) + times(lambda: x * y) + times(lambda: x.relu())
launches += [v / 20 for v in times(lambda: long(x))]
row("launch_us", launches)

# A linear layer and its ReLU queue four operations in the backward pass, so eight layers more queue 32. A product of two
# scalars queues two: what its pass takes beyond them is the start.
def backward_times(forward):
    made = []
    return times(lambda: made.pop().backward(), before=lambda: (long.zero_grad(), made.append(forward())))

weight = torch.ones((), device="cuda", requires_grad=True)
few, many = backward_times(lambda: short(x).sum()), backward_times(lambda: long(x).sum())
row("backward_launch_us", [(b - a) / 32 for a, b in zip(few, many)])
row("backward_start_us", less(backward_times(lambda: weight * 2), middle(launches), 2))

sgd, adam = torch.optim.SGD(long.parameters(), lr=1e-9), torch.optim.Adam(long.parameters(), lr=1e-9)
long(x).sum().backward()
sgd_step, adam_step = times(sgd.step), times(adam.step)
each = [(b - a) / 11 for a, b in zip(sgd_step, adam_step)]
row("optimizer_launch_us", each)
row("optimizer_start_us", less(sgd_step, max(middle(each), 0)))
layer = long[0]
entering = middle(times(lambda: layer(x))) - middle(times(lambda: F.linear(x, layer.weight, layer.bias)))
row("turn_start_us", [v + 2 * max(entering, 0) for v in times(lambda: sgd.zero_grad(),
                                                             before=lambda: long(x).sum().backward())])

row("torch_device_sync_us", times(torch.cuda.synchronize))
stream, event = torch.cuda.Stream(), torch.cuda.Event()
event.record()
row("torch_stream_sync_us", times(stream.synchronize))
row("torch_event_sync_us", times(event.synchronize))
few_numbers = torch.zeros(4)  # a read of one number is the bare copy, near enough
row("torch_copy_us", less(times(lambda: few_numbers.to("cuda")), read))
row("print_scalar_us", less(times(lambda: str(s)), read, 8))
row("print_matrix_us", less(times(lambda: str(x)), read, 89))
row("format_scalar_us", less(times(lambda: f"{s:.4f}"), read))
row("compaction_us", less(times(lambda: x[mask]), read))
row("unique_us", less(times(lambda: torch.unique(ints)), read))
spd = x @ x.T + 256 * torch.eye(256, device="cuda")
row("linalg_check_us", [a - b - read for a, b in zip(times(lambda: torch.linalg.inv(spd)),
                                                     times(lambda: torch.linalg.inv_ex(spd)))])
ones = torch.ones_like(x)
normal = torch.distributions.Normal
row("distribution_check_us", [a - b - 2 * read for a, b in zip(
    times(lambda: normal(x, ones)), times(lambda: normal(x, ones, validate_args=False)))])
row("save_us", less(times(lambda: torch.save({"x": x}, io.BytesIO())), middle(times(lambda: x.cpu()))))
row("small_upload_us", less(times(lambda: x.new_tensor([1.0, 2.0])), read))
row("python_us", times(lambda: len(x)))
try:
    import torchvision
    boxes = torch.rand(200, 4, device="cuda")
    boxes[:, 2:] += boxes[:, :2]
    scores = torch.rand(200, device="cuda")
    row("nms_us", less(times(lambda: torchvision.ops.nms(boxes, scores, 0.5)), read))
except ImportError:
    pass
print("torch", torch.__version__, flush=True)
