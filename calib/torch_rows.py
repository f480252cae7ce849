# Measures the TORCH_QUANTITY rows of profile.def through this interpreter's PyTorch; prints "name sample sample ..." a row,
# microseconds. Started by `syncl --calibrate --with-torch PYTHON`; rows it cannot measure (no torchvision, say) are left out,
# and the built-in numbers stand for them. Everything is timed as it is met in training: behind a training step that has
# gone through the caches. Repeated in a row by itself, the same call takes a half to an eighth of that.
import io, json, os, signal, sys, tempfile, time
signal.alarm(100)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.cuda.set_device(int(sys.argv[1]))
torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.mix = nn.LayerNorm(width), nn.Linear(width, 3 * width)
        self.out, self.up, self.down = nn.Linear(width, width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = (t.view(*t.shape[:2], 4, -1).transpose(1, 2) for t in self.mix(self.norm(x)).chunk(3, -1))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape))
        return x + self.down(F.gelu(self.up(x)))


class Loop:
    """A small training loop of a usual kind; step() queues one step and says where its parts begin."""

    def __init__(self, model, optimizer, batch, uploads):
        self.model = model.cuda()
        self.optimizer = optimizer(self.model.parameters(), lr=1e-6)
        self.batch = batch.pin_memory() if uploads else batch.cuda()

    def step(self, part=lambda: None):
        part()
        batch = self.batch.to("cuda", non_blocking=True)  # where it is there already, zero_grad comes first
        self.optimizer.zero_grad()
        loss = self.model(batch).square().mean()
        part()
        loss.backward()
        part()
        self.optimizer.step()
        part()


def tower(layers):
    return nn.Sequential(*[part for _ in range(layers) for part in (nn.Linear(256, 256), nn.ReLU())])


def convolutions(layers):
    parts = [nn.Conv2d(3, 32, 3, padding=1)]
    for _ in range(layers):
        parts += [nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1)]
    return nn.Sequential(*parts)


loops = [Loop(tower(8), torch.optim.Adam, torch.randn(64, 256), True),
         Loop(convolutions(8), lambda p, lr: torch.optim.SGD(p, lr=lr, momentum=0.9), torch.randn(4, 3, 16, 16), False),
         Loop(nn.Sequential(*[Block(64) for _ in range(3)]), torch.optim.AdamW, torch.randn(2, 16, 64), True)]
for loop in loops:
    for _ in range(20):
        loop.step()
mlp = loops[0]


def times(work, before=lambda: None, held=False, n=20):
    """held: the GPU is busy for 2 ms when the work begins, as in loops where it sets the pace."""
    out = []
    for i in range(n + 5):
        mlp.step()
        before()
        torch.cuda.synchronize()
        if held:
            torch.cuda._sleep(4_000_000)
        start = time.perf_counter()
        work()
        if i >= 5:
            out.append((time.perf_counter() - start) * 1e6)
    return out


def middle(values):
    return sorted(values)[len(values) // 2]


measured = {}


def row(name, values):
    measured.setdefault(name, []).extend(values)


def less(values, base, n=1):
    return [v - n * base for v in values]


# ---- where a step's host time goes: the CUDA calls of traced steps, cut into parts by stream waits ----

def traced_calls(loop, steps, held):
    """held: the GPU is busy for some milliseconds at each wait, as in loops where it sets the pace: a host that has
    stood still goes on slower."""
    def wait():
        if held:
            torch.cuda._sleep(4_000_000)
        torch.cuda.current_stream().synchronize()

    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        for _ in range(steps):
            loop.step(wait)
    path = os.path.join(tempfile.gettempdir(), "syncl-trace-%d.json" % os.getpid())
    profiler.export_chrome_trace(path)
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    os.unlink(path)
    calls = [(e["ts"], e["ts"] + e.get("dur", 0), e["name"], e["tid"]) for e in events
             if e.get("cat") in ("cuda_runtime", "cuda_driver")]
    return sorted(calls)


def parts_of(calls, held):
    """Per step: (forward, backward, optimizer), each (begin, end, launches [(time, thread)])."""
    parts, begin, launches = [], None, []
    for start, end, name, thread in calls:
        if "StreamSynchronize" in name:
            if held and launches:  # what holds the GPU is no part's own
                start = launches.pop()[0]
            if begin is not None:
                parts.append((begin, start, launches))
            begin, launches = end, []
        elif begin is not None and ("Launch" in name or "Memset" in name or "Memcpy" in name):
            launches.append((start, thread))
    # Four waits a step: the part between two steps is empty.
    steps = [parts[i:i + 3] for i in range(0, len(parts) - 2, 4)]
    return [step for step in steps if len(step) == 3 and all(len(part[2]) > 2 for part in step)]


def plain_us(loop):
    out = []
    for _ in range(15):
        torch.cuda.synchronize()
        start = time.perf_counter()
        loop.step(torch.cuda.current_stream().synchronize)
        out.append((time.perf_counter() - start) * 1e6)
    return middle(out)


def step_rows():
    rows = {name: [] for name in ("turn_start_us", "launch_us", "backward_start_us", "backward_launch_us",
                                  "backward_end_us", "optimizer_start_us", "optimizer_launch_us")}
    for loop in loops:
        free, held = (parts_of(traced_calls(loop, 14, held), held)[3:] for held in (False, True))
        whole = middle([step[2][1] - step[0][0] for step in free])
        slowed = min(plain_us(loop) / whole, 1)  # tracing takes its time on every call
        steps = free + held
        for forward, backward, optimizer in steps:
            first = forward[2][0][0]
            worker = [at for at, thread in backward[2] if thread != forward[2][0][1]] or [at for at, _ in backward[2]]
            begun = optimizer[2][0][0]
            values = (first - forward[0], (forward[1] - first) / len(forward[2]), worker[0] - backward[0],
                      (worker[-1] - worker[0]) / max(len(worker) - 1, 1),
                      backward[1] - worker[-1], begun - optimizer[0],
                      (optimizer[1] - begun) / len(optimizer[2]))
            for name, value in zip(rows, values):
                rows[name].append(value * slowed)
    for name, values in rows.items():
        row(name, values)


try:
    step_rows()
except Exception as error:  # no CUPTI, say: the built-in numbers stand for these rows
    print("the parts of a step were not measured: %s" % error, file=sys.stderr)

# ---- single calls, in three passes: what a host does for a second is in the spread then ----

x, y = torch.randn(256, 256, device="cuda"), torch.randn(256, 256, device="cuda")
s, mask = x.sum(), x > 0
ints = torch.randint(0, 10, (1000,), device="cuda")
few_numbers = torch.zeros(4)  # a read of one number is the bare copy, near enough
stream, event = torch.cuda.Stream(), torch.cuda.Event()
event.record()
spd = x @ x.T + 256 * torch.eye(256, device="cuda")
ones = torch.ones_like(x)
normal = torch.distributions.Normal
try:
    from torchvision.ops import nms
    boxes = torch.rand(200, 4, device="cuda")
    boxes[:, 2:] += boxes[:, :2]
    scores = torch.rand(200, device="cuda")
except ImportError:
    nms = None


def read_rows():
    """Reads, and what is left of calls that read many values one behind another, with the GPU idle and busy before."""
    item = times(lambda: s.item())
    again = times(lambda: s.item(), before=lambda: (torch.cuda.synchronize(), s.item()))
    pending = middle(times(lambda: s.item(), held=True))
    row("item_us", item)
    row("item_again_us", again)
    for name, value, reads in (("print_scalar_us", s, 8), ("print_matrix_us", x, 89)):
        behind = (reads - 1) * middle(again)
        row(name, less(times(lambda: str(value)), middle(item) + behind))
        row(name, less(times(lambda: str(value), held=True), pending + behind))
    return middle(item)


def call_rows(read):
    row("torch_device_sync_us", times(torch.cuda.synchronize))
    row("torch_stream_sync_us", times(stream.synchronize))
    row("torch_event_sync_us", times(event.synchronize))
    row("torch_copy_us", less(times(lambda: few_numbers.to("cuda")), read))
    row("format_scalar_us", less(times(lambda: f"{s:.4f}"), read))
    row("compaction_us", less(times(lambda: x[mask]), read))
    row("unique_us", less(times(lambda: torch.unique(ints)), read))
    row("linalg_check_us", [a - b - read for a, b in zip(times(lambda: torch.linalg.inv(spd)),
                                                         times(lambda: torch.linalg.inv_ex(spd)))])
    row("distribution_check_us", [(a - b) / 2 - read for a, b in zip(  # two arguments are checked
        times(lambda: normal(x, ones)), times(lambda: normal(x, ones, validate_args=False)))])
    row("save_us", less(times(lambda: torch.save({"x": x}, io.BytesIO())), middle(times(lambda: x.cpu()))))
    row("small_upload_us", less(times(lambda: x.new_tensor([1.0, 2.0])), read))
    row("python_us", times(lambda: len(x)))
    if nms:
        row("nms_us", less(times(lambda: nms(boxes, scores, 0.5)), read))


for _ in range(3):
    call_rows(read_rows())
for name, values in measured.items():
    print(name, *("%.3f" % max(value, 0.0) for value in values))
print("torch", torch.__version__, flush=True)
