"""What the host does where a step's parts begin: launches behind a wait, by number of parameter tensors. JSON rows."""
import json, os, sys, tempfile, time, traceback
import torch
import torch.nn as nn
torch.manual_seed(0)
out = open(sys.argv[1], "w")
began = time.time()


def put(**row):
    out.write(json.dumps(row) + "\n")
    out.flush()


def traced(work):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        work()
        torch.cuda.synchronize()
    path = os.path.join(tempfile.gettempdir(), "hosts-%d.json" % os.getpid())
    profiler.export_chrome_trace(path)
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    os.unlink(path)
    return sorted((e["ts"], e.get("dur", 0), e["name"], e["tid"]) for e in events if e.get("cat") in ("cuda_runtime", "cuda_driver"))


def sync():
    torch.cuda.current_stream().synchronize()


def launches_of(calls):
    """[(end of the wait before, [begin of each launch], begin of the wait behind)] for each part between two stream waits."""
    parts, begin, launches = [], None, []
    for ts, dur, name, tid in calls:
        if "StreamSynchronize" in name:
            if begin is not None:
                parts.append((begin, launches, ts))
            begin, launches = ts + dur, []
        elif begin is not None and ("Launch" in name or "Memset" in name or "Memcpy" in name):
            launches.append(ts)
    return parts


def middle(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def measure(name, n, prepare, work, held_ms=0, reps=9):
    def once(held):
        prepare()
        if held:
            torch.cuda._sleep(int(held_ms * 1.9e6))
        sync()
        start = time.perf_counter()
        work()
        took = (time.perf_counter() - start) * 1e6
        sync()
        return took
    for _ in range(3):
        once(False)
    plain = [once(held_ms > 0) for _ in range(reps)]
    calls = traced(lambda: [once(held_ms > 0) for _ in range(reps)])
    parts = [part for part in launches_of(calls) if part[1]]
    # the first part begins behind the wait of the first prepare(): work, then the next prepare, in turn
    mine = parts[0::2] if len(parts) >= 2 * reps - 1 else parts
    put(what=name, n=n, held_ms=held_ms, plain=[round(v, 1) for v in plain], parts=len(parts),
        first=[round(p[1][0] - p[0], 1) for p in mine], count=middle([len(p[1]) for p in mine]),
        whole=[round(p[2] - p[0], 1) for p in mine],
        gaps=[round(middle([p[1][i] - p[1][i - 1] for p in mine if len(p[1]) > i]) or 0, 1)
              for i in range(1, 16) if any(len(p[1]) > i for p in mine)],
        last=[round(p[2] - p[1][-1], 1) for p in mine])


def nothing():
    torch.zeros(1, device="cuda").add_(1)


def params_of(n):
    params = [torch.zeros(64, 64, device="cuda", requires_grad=True) for _ in range(n)]
    for p in params:
        p.grad = torch.full_like(p, 1e-3)
    return params


makes = {
    "sgd": lambda p: torch.optim.SGD(p, lr=1e-6),
    "sgd_momentum": lambda p: torch.optim.SGD(p, lr=1e-6, momentum=0.9),
    "adam": lambda p: torch.optim.Adam(p, lr=1e-6),
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-6),
    "adamw_fused": lambda p: torch.optim.AdamW(p, lr=1e-6, fused=True),
    "adamw_single": lambda p: torch.optim.AdamW(p, lr=1e-6, foreach=False),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=1e-6),
}


def optimizers():
    for n in (4, 14, 62, 161, 320):
        params = params_of(n)
        for name, make in makes.items():
            if name == "adamw_single" and n > 62:
                continue
            optimizer = make(params)
            measure("step " + name, n, nothing, optimizer.step)
        for held in (2, 30):
            measure("step adamw", n, nothing, torch.optim.AdamW(params, lr=1e-6).step, held)
        measure("clip", n, nothing, lambda: torch.nn.utils.clip_grad_norm_(params, 1e9))
        sgd = torch.optim.SGD(params, lr=1e-6)

        def grads():
            for p in params:
                p.grad = torch.full_like(p, 1e-3)
            nothing()
        measure("zero_grad none", n, grads, lambda: (sgd.zero_grad(), nothing()))
        measure("zero_grad zero", n, grads, lambda: sgd.zero_grad(set_to_none=False))
        scaler = torch.amp.GradScaler("cuda")

        def scaled():
            grads()
            scaler._per_optimizer_states.clear() if hasattr(scaler, "_per_optimizer_states") else None
            scaler.scale(torch.ones((), device="cuda"))
        try:
            measure("unscale", n, scaled, lambda: scaler.unscale_(sgd))
        except Exception as error:
            put(what="unscale", n=n, error=str(error)[:200])


def tower(layers):
    return nn.Sequential(*[part for _ in range(layers) for part in (nn.Linear(256, 256), nn.ReLU())])


def convs(layers):
    parts = [nn.Conv2d(3, 32, 3, padding=1)]
    for _ in range(layers):
        parts += [nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1)]
    return nn.Sequential(*parts)


def passes():
    layer = nn.TransformerEncoderLayer(128, 4, 256, batch_first=True)
    models = (("tower", tower(20), torch.randn(64, 256)), ("convs", convs(12), torch.randn(4, 3, 32, 32)),
              ("former", nn.TransformerEncoder(layer, 6, enable_nested_tensor=False), torch.randn(4, 32, 128)))
    for name, model, batch in models:
        model, batch = model.cuda(), batch.cuda()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6)
        n = len(list(model.parameters()))
        state = {}

        def forward():
            state["loss"] = model(batch).square().mean()

        def amp_forward():
            with torch.autocast("cuda", dtype=torch.bfloat16):
                state["loss"] = model(batch).float().square().mean()

        def backward():
            state["loss"].backward()

        def ready():
            model.zero_grad()
            forward()

        def amp_ready():
            model.zero_grad()
            amp_forward()

        def stepped():
            ready()
            backward()
        for held in (0, 2, 10, 30, 100):
            measure(name + " forward", n, nothing, forward, held, 9 if held < 50 else 4)
            measure(name + " backward", n, ready, backward, held, 9 if held < 50 else 4)
            measure(name + " step", n, stepped, optimizer.step, held, 9 if held < 50 else 4)
        measure(name + " amp forward", n, nothing, amp_forward)
        measure(name + " amp backward", n, amp_ready, backward)
        for held in (0, 2, 30):
            value = torch.ones((), device="cuda")
            measure(name + " item", n, ready, lambda: value.item(), held)


for part in (passes, optimizers):
    try:
        part()
    except Exception:
        put(what=part.__name__, error=traceback.format_exc()[-800:])
    put(what="seconds", part=part.__name__, seconds=time.time() - began)
