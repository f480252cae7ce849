"""Proofs on a GPU for the pages of timing, asynchrony, switches and graphs.

python3 tests/truth/hazards/run.py proofs | capture | loop | more     (from the repository root)
"""
import os, sys, time, warnings
import torch
import torch.nn as nn
import torch.nn.functional as F
warnings.simplefilter("ignore")
dev = torch.device("cuda")


def say(*words):
    print(*words, sep="\t", flush=True)


def cycles(ms):
    a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda._sleep(1000); torch.cuda.synchronize()
    a.record(); torch.cuda._sleep(20_000_000); b.record(); torch.cuda.synchronize()
    return int(20_000_000 / a.elapsed_time(b) * ms)


def best(f, n=5):
    ts = []
    for _ in range(n):
        torch.cuda.synchronize(); t = time.perf_counter(); f(); ts.append((time.perf_counter() - t) * 1e6)
    return round(min(ts), 1), round(sorted(ts)[n // 2], 1)


def proof_timer():
    x = torch.randn(4096, 4096, device=dev)
    for _ in range(3): x @ x
    torch.cuda.synchronize()
    def unsynced():
        t = time.perf_counter(); [x @ x for _ in range(20)]; return (time.perf_counter() - t) * 1e3
    def synced():
        t = time.perf_counter(); [x @ x for _ in range(20)]; torch.cuda.synchronize(); return (time.perf_counter() - t) * 1e3
    a = unsynced(); torch.cuda.synchronize()
    b = synced()
    [x @ x for _ in range(20)]          # still queued when the next timer starts
    c = synced()
    e0, e1 = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    e0.record(); [x @ x for _ in range(20)]; e1.record(); e1.synchronize()
    say("timer: 20 matmuls of 4096, ms", "no sync before the second reading", a, "synced", b, "start unsynced", c, "events", e0.elapsed_time(e1))


def proof_warmup():
    net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU(), nn.Conv2d(64, 64, 3)).to(dev)
    x = torch.randn(8, 3, 64, 64, device=dev); torch.cuda.synchronize()
    ts = []
    for _ in range(5):
        t = time.perf_counter(); net(x); torch.cuda.synchronize(); ts.append(round((time.perf_counter() - t) * 1e3, 3))
    say("warm-up: first five synced forwards of two convolutions, ms", *ts)


def proof_stale(cy):
    for size in (64, 512, 2048):
        x = torch.ones(size, size, device=dev); torch.cuda.synchronize()
        wrong = {}
        for name in ("to", "copy_ pinned", "copy_ pageable"):
            pin = torch.zeros(size, size, pin_memory=True); page = torch.zeros(size, size)
            for _ in range(2):
                pin.zero_(); page.zero_(); torch.cuda.synchronize()
                x.fill_(1); torch.cuda._sleep(cy); x.fill_(2)
                t = time.perf_counter()
                if name == "to": y = x.to("cpu", non_blocking=True)
                elif name == "copy_ pinned": y = pin.copy_(x, non_blocking=True)
                else: y = page.copy_(x, non_blocking=True)
                us = (time.perf_counter() - t) * 1e6
                now = y.clone()
                torch.cuda.synchronize()
                after = bool((y == 2).all())
            wrong[name] = (int((now != 2).sum()), round(us), "pinned" if y.is_pinned() else "pageable", "right after sync" if after else "WRONG AFTER SYNC")
        say("stale", f"{size}x{size}", *[f"{k}: {v[0]} of {size*size} wrong at once, call {v[1]} us, {v[2]}, {v[3]}" for k, v in wrong.items()])
    x = torch.ones(512, 512, device=dev)
    x.fill_(1); torch.cuda._sleep(cy); x.fill_(3); y = x.to("cpu", non_blocking=True); ev = torch.cuda.Event(); ev.record(); ev.synchronize()
    say("stale: event after the copy, then read", "wrong", int((y != 3).sum()))
    x.fill_(1); torch.cuda._sleep(cy); x.fill_(4); y = x.to("cpu", non_blocking=True); z = x[0, 0].item()
    say("stale: an .item() of the same stream between", "wrong", int((y != 4).sum()))


def proof_h2d(cy):
    for mb in (0.25, 1, 16, 64):
        n = int(mb * 262144)
        page = torch.zeros(n); pin = torch.zeros(n).pin_memory()
        row = [f"{mb} MB"]
        for name, src, nb in (("pageable", page, False), ("pageable non_blocking", page, True), ("pinned", pin, False), ("pinned non_blocking", pin, True)):
            src.to(dev, non_blocking=nb); torch.cuda.synchronize()
            idle = best(lambda: src.to(dev, non_blocking=nb))
            torch.cuda._sleep(cy); t = time.perf_counter(); src.to(dev, non_blocking=nb); held = (time.perf_counter() - t) * 1e6
            torch.cuda.synchronize()
            row.append(f"{name}: idle {idle[1]} us, behind a {round(cy / CYMS)} ms kernel {round(held)} us")
        fresh = []
        for _ in range(4):
            t = time.perf_counter(); p = page.pin_memory(); fresh.append(round((time.perf_counter() - t) * 1e6)); del p
        keep = []
        for _ in range(4):
            t = time.perf_counter(); keep.append(page.pin_memory()); keep[-1] = (keep[-1], round((time.perf_counter() - t) * 1e6))
        row.append(f"pin_memory() dropped each time {fresh} us, all kept {[k[1] for k in keep]} us")
        torch.cuda._sleep(cy); t = time.perf_counter(); p = page.pin_memory(); held = (time.perf_counter() - t) * 1e6; torch.cuda.synchronize()
        big = torch.zeros(n + 4096 * 1024)
        torch.cuda._sleep(cy); t = time.perf_counter(); p2 = big.pin_memory(); held2 = (time.perf_counter() - t) * 1e6; torch.cuda.synchronize()
        row.append(f"behind a kernel: cached {round(held)} us, new size {round(held2)} us")
        say("h2d", *row)


def proof_streams(cy):
    s = torch.cuda.Stream()
    def run(order):
        src = torch.ones(1024, 1024, device=dev); torch.cuda.synchronize()
        with torch.cuda.stream(s):                  # the block that y will get holds sevens
            old = torch.full((1024, 1024), 7.0, device=dev)
        torch.cuda.synchronize(); del old
        t = time.perf_counter()
        with torch.cuda.stream(s):
            torch.cuda._sleep(cy)
            y = src * 2
        if order == "wait_stream": torch.cuda.current_stream().wait_stream(s)
        if order == "cpu sync": s.synchronize()
        z = y + 0
        host = (time.perf_counter() - t) * 1e6
        torch.cuda.synchronize()
        return int((z != 2).sum()), round(host)
    for _ in range(2):
        rows = {o: run(o) for o in ("nothing", "wait_stream", "cpu sync")}
    say("streams", *[f"{k}: {v[0]} wrong, host {v[1]} us" for k, v in rows.items()])
    def reuse(record):
        wrong = 0
        for _ in range(4):
            torch.cuda.synchronize()
            with torch.cuda.stream(s):
                y = torch.ones(1 << 20, device=dev)
            torch.cuda.current_stream().wait_stream(s)
            torch.cuda._sleep(cy)               # the consumer is behind
            z = y + 0
            if record: y.record_stream(torch.cuda.current_stream())
            del y
            with torch.cuda.stream(s):
                w = torch.full((1 << 20,), 9.0, device=dev)
            torch.cuda.synchronize()
            wrong += int((z != 1).sum()); del w, z
        return wrong
    say("record_stream", "without", reuse(False), "with", reuse(True), "wrong of", 4 << 20)


def train_setup():
    torch.manual_seed(0)
    net = nn.Sequential(*[m for _ in range(8) for m in (nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU())], nn.Linear(512, 10)).to(dev)
    return net, torch.optim.AdamW(net.parameters(), lr=1e-4), torch.randn(256, 512, device=dev), torch.randint(0, 10, (256,), device=dev)


def step_us(body, n=40):
    for _ in range(5): body()
    torch.cuda.synchronize(); t = time.perf_counter()
    for _ in range(n): body()
    torch.cuda.synchronize()
    return round((time.perf_counter() - t) * 1e6 / n, 1)


def proof_switches():
    net, opt, x, y = train_setup()
    def body():
        opt.zero_grad(set_to_none=True); F.cross_entropy(net(x), y).backward(); opt.step()
    plain = step_us(body)
    torch.autograd.set_detect_anomaly(True); anomaly = step_us(body); torch.autograd.set_detect_anomaly(False)
    torch.autograd.set_detect_anomaly(True, check_nan=False); unchecked = step_us(body); torch.autograd.set_detect_anomaly(False)
    say("anomaly", "plain step us", plain, "set_detect_anomaly(True)", anomaly, "check_nan=False", unchecked, "plain again", step_us(body))
    from torch.profiler import profile, ProfilerActivity
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]): prof = step_us(body, 20)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], with_stack=True, record_shapes=True, profile_memory=True): full = step_us(body, 20)
    say("profiler", "plain", step_us(body), "CPU+CUDA", prof, "with stacks, shapes, memory", full)
    with torch.autograd.profiler.emit_nvtx(): nvtx = step_us(body)
    say("emit_nvtx", nvtx)
    torch.cuda.memory._record_memory_history(max_entries=100000); mem = step_us(body); torch.cuda.memory._record_memory_history(enabled=None)
    say("_record_memory_history", mem)
    def timed():
        torch.cuda.synchronize(); t0 = time.time(); body(); torch.cuda.synchronize(); time.time() - t0
    a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    def evented(): a.record(); body(); b.record()
    say("a step with timers", "plain", step_us(body), "two synchronize() a step", step_us(timed), "two events a step", step_us(evented))


def loop():
    net, opt, x, y = train_setup()
    def body():
        opt.zero_grad(set_to_none=True); F.cross_entropy(net(x), y).backward(); opt.step()
    big = torch.randn(2048, 2048, device=dev)
    def heavy():
        h = big
        for _ in range(10): h = torch.relu(h @ big)
    say("launch-bound MLP training step us", step_us(body), "ten matmuls of 2048 us", step_us(heavy), *[f"{k}={os.environ[k]}" for k in os.environ if "BLOCKING" in k or "CACHING" in k])


CAPTURED = """x + y
x @ y
torch.relu(x)
x.sum()
x.sum().item()
float(x.sum())
bool(x.sum() > 0)
x.cpu()
x.to("cpu", non_blocking=True)
buf.copy_(x, non_blocking=True)
buf.copy_(x)
bufc.copy_(x)
bufc.copy_(x, non_blocking=True)
xp.to(dev, non_blocking=True)
xp.to(dev)
xc.to(dev)
xc.to(dev, non_blocking=True)
x.copy_(xp, non_blocking=True)
torch.tensor(5, device=dev)
torch.tensor([1.0, 2.0], device=dev)
torch.zeros(4, device=dev)
torch.full((4,), 3.0, device=dev)
torch.arange(10, device=dev)
torch.scalar_tensor(2.0, device=dev)
x[mask]
torch.masked_select(x, mask)
mask.nonzero()
torch.nonzero_static(mask, size=10)
torch.unique(ints)
torch.where(mask, x, 0.0)
torch.where(mask)
x.masked_fill(mask, 0.0)
x[idx]
x[idx_cpu]
x[idx_list]
x[i0]
x[0]
x[i0:j0]
torch.topk(x, 5)
x.sort()
F.one_hot(ints)
F.one_hot(ints, 10)
torch.bincount(ints)
torch.repeat_interleave(x, ints, dim=0)
torch.repeat_interleave(x, 2, dim=0)
torch.linalg.cholesky(spd)
torch.linalg.cholesky_ex(spd)
torch.linalg.inv(spd)
torch.linalg.inv_ex(spd)
torch.linalg.solve(spd, x)
torch.randn(4, device=dev)
F.dropout(x, 0.5)
torch.multinomial(x.softmax(1), 1)
torch.normal(x, x.abs())
torch.distributions.Categorical(logits=x)
torch.distributions.Categorical(logits=x, validate_args=False).sample()
torch.cuda.synchronize()
torch.cuda.current_stream().synchronize()
torch.cuda.Event().record()
torch.cuda.empty_cache()
print(s, file=io.StringIO())
f"{s:.3f}"
x.shape[0]
torch.cuda.current_stream().wait_stream(stream)
torch.randint(0, 10, (4,), device=dev)
x.pin_memory() if not x.is_cuda else torch.zeros(4).pin_memory()
torch.zeros(1 << 22, pin_memory=True)
torch.cuda.memory_allocated()
torch.histc(x)
torch.histc(x, min=0, max=1)
x.tolist()
x.numpy(force=True)
torch.equal(x, y)
torch.allclose(x, y)
x.fill_(0.0)
x.fill_(s)
F.cross_entropy(torch.randn(256, 10, device=dev), labels)
F.embedding(ints, x)
torch.isfinite(x).all()
torch.cuda.set_rng_state(torch.cuda.get_rng_state())
torch.nn.utils.clip_grad_norm_([xg], 1.0)
(xg * 2).sum().backward()
torch.autograd.grad((xg * 2).sum(), xg)
torch.cuda.nvtx.range_push("a")
time.time()"""


RANDOM = """torch.randn(4, device=dev)
F.dropout(x, 0.5)
torch.randint(0, 10, (4,), device=dev)
torch.multinomial(x.softmax(1), 1)
torch.normal(x, x.abs())
torch.distributions.Categorical(logits=x, validate_args=False).sample()
stream.wait_stream(torch.cuda.current_stream()); torch.cuda.current_stream().wait_stream(stream)
torch.cuda.current_stream().wait_stream(stream)
x.record_stream(stream)
torch.cuda.current_stream().wait_event(ev)
model(x)
F.scaled_dot_product_attention(x[None, None], y[None, None], x[None, None])
torch._foreach_add_([x, y], 1.0)
scaler.scale(s)"""


def capture(CAPTURED=CAPTURED):
    ns = {"time": time}
    exec(compile(open("rules/prelude.py").read(), "prelude", "exec"), ns)
    ns.setdefault("stream", torch.cuda.Stream())
    for text in CAPTURED.split("\n"):
        try:
            side = torch.cuda.Stream(); side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(2): exec(text, ns)
            torch.cuda.current_stream().wait_stream(side); torch.cuda.synchronize()
        except Exception as e:
            say(text, "cannot run", repr(e)[:120]); continue
        graph, result = torch.cuda.CUDAGraph(), "survives"
        try:
            with torch.cuda.graph(graph): exec(text, ns)
        except Exception as e:
            result = "breaks\t" + type(e).__name__ + " " + str(e).split("\n")[0][:110]
        else:
            try: graph.replay(); torch.cuda.synchronize()
            except Exception as e: result = "breaks on replay\t" + str(e).split("\n")[0][:110]
        say(text, result)
        try: torch.ones(1, device=dev).sum().item()
        except Exception as e: say(text, "LEFT THE PROCESS BROKEN", str(e)[:80]); break
    if CAPTURED == RANDOM: return
    import torch._dynamo as dynamo
    def g(x):
        y = x * 2
        if y.sum().item() > 0: y = y + 1
        return y * 3
    def h(x): return (x * 2 + 1) * 3
    for f in (g, h):
        try:
            e = dynamo.explain(f)(ns["x"]); say("torch.compile of " + f.__name__, "graphs", e.graph_count, "graph breaks", e.graph_break_count)
        except Exception as e: say("explain", repr(e)[:150])
    def m(x): return x[x > 0].sum()
    try:
        e = dynamo.explain(m)(ns["x"]); say("torch.compile of x[x > 0].sum()", "graphs", e.graph_count, "graph breaks", e.graph_break_count)
    except Exception as e: say("explain", repr(e)[:150])
    try:
        c = torch.compile(g, mode="reduce-overhead"); c(ns["x"]); c(ns["x"]); c(ns["x"]); say("reduce-overhead with .item()", "ran")
    except Exception as e: say("reduce-overhead", repr(e)[:200])


def proofs():
    cy = cycles(10)
    globals()["CYMS"] = cy / 10
    say(torch.__version__, torch.cuda.get_device_name(0))
    for f, args in ((proof_timer, ()), (proof_warmup, ()), (proof_stale, (cy,)), (proof_streams, (cy,)), (proof_switches, ()), (proof_h2d, (cy,))):
        try: f(*args)
        except Exception as e: say(f.__name__, "RAISED", repr(e)[:300])


def more():
    globals()["CYMS"] = cycles(10) / 10
    proof_streams(cycles(10))
    proof_switches()
    capture(RANDOM)


{"proofs": proofs, "capture": capture, "loop": loop, "more": more}[sys.argv[1]]()
