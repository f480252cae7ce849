"""GPU time of operations by size: sums of kernels' durations from one trace, cases told apart by a spin kernel. JSON rows."""
import json, os, sys, tempfile, time, traceback
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
out = open(sys.argv[1], "w")
began = time.time()
REPS = 4
cases = []
R = lambda *s, kind=torch.float32, grad=False: torch.randn(*s, device="cuda", dtype=kind).requires_grad_(grad)
KINDS = {"half": torch.bfloat16, "float": torch.float32}


def case(work, **words):
    cases.append((words, work))


def run_cases():
    """Each case: made, run twice, then REPS times between two spin kernels."""
    kept = []
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        for words, make in cases:
            opened = False
            try:
                work = make()
                for _ in range(2):
                    work()
                torch.cuda.synchronize()
                torch.cuda._sleep(2000)
                opened = True
                for _ in range(REPS):
                    work()
                torch.cuda._sleep(2000)
                torch.cuda.synchronize()
                kept.append(words)
            except Exception as error:
                torch.cuda.synchronize()
                out.write(json.dumps({**words, "error": str(error)[:160]}) + "\n")
                if opened:
                    torch.cuda._sleep(2000)
                    kept.append({**words, "error": "failed within"})
            work = None
    path = os.path.join(tempfile.gettempdir(), "rates-%d.json" % os.getpid())
    profiler.export_chrome_trace(path)
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    os.unlink(path)
    work = sorted((e["ts"], e.get("dur", 0), e["name"]) for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"))
    groups, open_group = [], None
    for ts, dur, name in work:
        if "spin_kernel" in name:
            if open_group is None:
                open_group = []
            else:
                groups.append(open_group)
                open_group = None
        elif open_group is not None:
            open_group.append((dur, name))
    if len(groups) != len(kept):
        out.write(json.dumps({"error": "groups", "groups": len(groups), "kept": len(kept)}) + "\n")
    for words, group in zip(kept, groups):
        out.write(json.dumps({**words, "us": round(sum(d for d, _ in group) / REPS, 3), "kernels": len(group) / REPS,
                              "each": [round(d, 2) for d, _ in group[:len(group) // REPS][:12]]}) + "\n")
    out.flush()
    cases.clear()
    torch.cuda.empty_cache()


def tf32(on):
    torch.backends.cuda.matmul.allow_tf32 = on


def gemms():
    shapes = [(m, n, k) for m in (32, 256, 2048, 16384) for n, k in ((64, 64), (256, 256), (512, 512), (1024, 1024), (3072, 768), (768, 3072), (4096, 4096))]
    shapes += [(1, 1024, 1024), (65536, 64, 64), (65536, 256, 64), (262144, 32, 32), (16384, 16384, 512), (10, 512, 16384), (16384, 10, 512), (256, 256, 262144), (64, 64, 65536), (1000, 1000, 1000), (8192, 8192, 8192)]
    for precision in ("double", "float", "tf32", "half"):
        tf32(precision == "tf32")
        kind = {"double": torch.float64, "float": torch.float32, "tf32": torch.float32, "half": torch.bfloat16}[precision]
        for m, n, k in shapes:
            if precision == "double" and m * n * k > 1 << 31 or precision == "float" and m * n * k > 1 << 37:
                continue
            def make(m=m, n=n, k=k, kind=kind):
                a, b = R(m, k, kind=kind), R(n, k, kind=kind)
                return lambda: a @ b.T
            case(make, what="gemm", precision=precision, m=m, n=n, k=k)
        for b, m, n, k in ((64, 64, 64, 64), (512, 128, 128, 64), (128, 512, 512, 64), (32, 1024, 1024, 64)):
            def make(b=b, m=m, n=n, k=k, kind=kind):
                x, y = R(b, m, k, kind=kind), R(b, n, k, kind=kind)
                return lambda: x @ y.transpose(1, 2)
            if precision != "double":
                case(make, what="bmm", precision=precision, b=b, m=m, n=n, k=k)
        run_cases()
    tf32(False)


def moves():
    for p, kind in KINDS.items():
        for n in (1 << 8, 1 << 14, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26):
            def unary(n=n, kind=kind):
                x = R(n, kind=kind)
                return lambda: x * 2
            def binary(n=n, kind=kind):
                x, y = R(n, kind=kind), R(n, kind=kind)
                return lambda: x + y
            def gelu(n=n, kind=kind):
                x = R(n, kind=kind)
                return lambda: F.gelu(x)
            def total(n=n, kind=kind):
                x = R(n, kind=kind)
                return lambda: x.sum()
            def turned(n=n, kind=kind):
                x = R(16, n // 16, kind=kind).t()
                return lambda: x.contiguous()
            def cast(n=n, kind=kind):
                x = R(n, kind=kind)
                return lambda: x.to(torch.float32 if kind == torch.bfloat16 else torch.bfloat16)
            def drop(n=n, kind=kind):
                x = R(n, kind=kind)
                return lambda: F.dropout(x, 0.1)
            for name, make in (("mul", unary), ("add", binary), ("gelu", gelu), ("sum", total), ("transpose", turned), ("cast", cast), ("dropout", drop)):
                case(make, what=name, precision=p, n=n)
        run_cases()


def with_backward(make_inputs, call):
    """forward and forward + backward as two cases."""
    def forward():
        inputs = make_inputs()
        return lambda: call(*inputs)
    def both():
        inputs = make_inputs()
        with torch.no_grad():
            shape = call(*inputs)
        seed = torch.ones_like(shape)
        leaves = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
        return lambda: torch.autograd.grad(call(*inputs), leaves, seed, allow_unused=True)
    return forward, both


def layers():
    def add(what, make_inputs, call, **words):
        forward, both = with_backward(make_inputs, call)
        case(forward, what=what, way="forward", **words)
        case(both, what=what, way="both", **words)
    for p, kind in KINDS.items():
        for rows, width in ((64, 256), (1024, 512), (16384, 768), (65536, 1024)):
            add("layer_norm", lambda r=rows, w=width, t=kind: (R(r, w, kind=t, grad=True), R(w, kind=t, grad=True), R(w, kind=t, grad=True)),
                lambda x, g, b: F.layer_norm(x, x.shape[-1:], g, b), precision=p, rows=rows, width=width)
            add("softmax", lambda r=rows, w=width, t=kind: (R(r, w, kind=t, grad=True),), lambda x: x.softmax(-1), precision=p, rows=rows, width=width)
            add("cross_entropy", lambda r=rows, w=width, t=kind: (R(r, w, kind=t, grad=True), torch.randint(0, w, (r,), device="cuda")),
                lambda x, y: F.cross_entropy(x, y), precision=p, rows=rows, width=width)
            add("embedding", lambda r=rows, w=width, t=kind: (R(10000, w, kind=t, grad=True), torch.randint(0, 10000, (r,), device="cuda")),
                lambda e, i: F.embedding(i, e), precision=p, rows=rows, width=width)
            add("linear", lambda r=rows, w=width, t=kind: (R(r, w, kind=t, grad=True), R(w, w, kind=t, grad=True), R(w, kind=t, grad=True)),
                lambda x, w, b: F.linear(x, w, b), precision=p, rows=rows, width=width)
            add("gather", lambda r=rows, w=width, t=kind: (R(r, w, kind=t, grad=True), torch.randint(0, r, (2 * r,), device="cuda")),
                lambda x, i: x[i], precision=p, rows=rows, width=width)
            add("index_add", lambda r=rows, w=width, t=kind: (R(2 * r, w, kind=t, grad=True), torch.randint(0, r, (2 * r,), device="cuda")),
                lambda x, i: torch.zeros(x.shape[0] // 2, x.shape[1], device="cuda", dtype=x.dtype).index_add(0, i, x), precision=p, rows=rows, width=width)
        run_cases()
        for b, c, s in ((64, 64, 56), (64, 256, 28), (16, 32, 32), (256, 64, 32)):
            add("batch_norm", lambda b=b, c=c, s=s, t=kind: (R(b, c, s, s, kind=t, grad=True), R(c, grad=True), R(c, grad=True), torch.zeros(c, device="cuda"), torch.ones(c, device="cuda")),
                lambda x, g, d, m, v: F.batch_norm(x, m, v, g, d, True), precision=p, b=b, c=c, s=s)
            add("group_norm", lambda b=b, c=c, s=s, t=kind: (R(b, c, s, s, kind=t, grad=True), R(c, kind=t, grad=True), R(c, kind=t, grad=True)),
                lambda x, g, d: F.group_norm(x, 8, g, d), precision=p, b=b, c=c, s=s)
            add("max_pool", lambda b=b, c=c, s=s, t=kind: (R(b, c, s, s, kind=t, grad=True),), lambda x: F.max_pool2d(x, 2), precision=p, b=b, c=c, s=s)
            add("upsample", lambda b=b, c=c, s=s, t=kind: (R(b, c, s // 2, s // 2, kind=t, grad=True),), lambda x: F.interpolate(x, scale_factor=2), precision=p, b=b, c=c, s=s)
        for b, h, t_, d in ((8, 8, 64, 64), (16, 16, 512, 64), (64, 12, 256, 64), (4, 16, 2048, 64), (128, 8, 197, 64), (64, 4, 32, 64), (64, 6, 256, 64)):
            for causal in (False, True):
                add("attention", lambda b=b, h=h, t_=t_, d=d, t=kind: tuple(R(b, h, t_, d, kind=t, grad=True) for _ in range(3)),
                    lambda q, k, v, causal=causal: F.scaled_dot_product_attention(q, k, v, is_causal=causal), precision=p, b=b, h=h, t=t_, d=d, causal=causal)
        run_cases()
        for b, ci, co, s, k, stride, groups in ((16, 3, 64, 224, 7, 2, 1), (64, 64, 64, 56, 3, 1, 1), (64, 64, 256, 56, 1, 1, 1), (64, 256, 64, 56, 1, 1, 1), (64, 128, 128, 28, 3, 1, 1),
                (64, 256, 256, 14, 3, 1, 1), (64, 512, 512, 7, 3, 1, 1), (64, 1024, 256, 14, 1, 1, 1), (64, 256, 512, 28, 3, 2, 1), (16, 64, 64, 128, 3, 1, 1), (8, 3, 64, 256, 3, 2, 1),
                (64, 3, 32, 32, 3, 1, 1), (64, 32, 64, 32, 3, 1, 1), (512, 64, 128, 32, 3, 2, 1), (128, 1, 16, 28, 3, 1, 1), (64, 96, 96, 56, 7, 1, 96), (64, 32, 32, 112, 3, 1, 32), (128, 3, 512, 224, 16, 16, 1), (4, 32, 32, 64, 3, 1, 1)):
            add("conv2d", lambda b=b, ci=ci, co=co, s=s, k=k, g=groups, t=kind: (R(b, ci, s, s, kind=t, grad=True), R(co, ci // g, k, k, kind=t, grad=True)),
                lambda x, w, k=k, stride=stride, g=groups: F.conv2d(x, w, None, stride, k // 2 if k != 16 else 0, 1, g), precision=p, b=b, ci=ci, co=co, s=s, k=k, stride=stride, groups=groups)
        run_cases()
        for b, ci, co, s, k, stride in ((64, 128, 64, 16, 4, 2), (16, 64, 64, 64, 2, 2)):
            add("conv_transpose2d", lambda b=b, ci=ci, co=co, s=s, k=k, t=kind: (R(b, ci, s, s, kind=t, grad=True), R(ci, co, k, k, kind=t, grad=True)),
                lambda x, w, k=k, stride=stride: F.conv_transpose2d(x, w, None, stride, 1 if k == 4 else 0), precision=p, b=b, ci=ci, co=co, s=s, k=k, stride=stride)
        for b, ci, co, n, k in ((32, 64, 64, 4096, 9), (32, 1, 64, 16000, 80)):
            add("conv1d", lambda b=b, ci=ci, co=co, n=n, k=k, t=kind: (R(b, ci, n, kind=t, grad=True), R(co, ci, k, kind=t, grad=True)),
                lambda x, w, k=k: F.conv1d(x, w, None, 1, k // 2), precision=p, b=b, ci=ci, co=co, n=n, k=k)
        for way, hidden, steps, b, deep in (("lstm", 256, 35, 20, 1), ("lstm", 512, 64, 64, 2), ("gru", 256, 50, 64, 1)):
            def make(way=way, hidden=hidden, steps=steps, b=b, deep=deep, t=kind):
                module = (nn.LSTM if way == "lstm" else nn.GRU)(hidden, hidden, deep).to("cuda", t)
                x = R(steps, b, hidden, kind=t, grad=True)
                return lambda: module(x)[0].sum().backward()
            case(make, what=way, way="both", precision=p, hidden=hidden, steps=steps, b=b, deep=deep)
        run_cases()


def others():
    for n, size in ((10, 1 << 12), (60, 1 << 18), (60, 1 << 20), (160, 1 << 16), (12, 1 << 23)):
        for name, make_optimizer in (("sgd", lambda p: torch.optim.SGD(p, lr=1e-6)), ("sgd_momentum", lambda p: torch.optim.SGD(p, lr=1e-6, momentum=0.9)), ("adam", lambda p: torch.optim.Adam(p, lr=1e-6)),
                                     ("adamw", lambda p: torch.optim.AdamW(p, lr=1e-6)), ("adamw_fused", lambda p: torch.optim.AdamW(p, lr=1e-6, fused=True)), ("clip", None), ("zero", None)):
            def make(n=n, size=size, make_optimizer=make_optimizer, name=name):
                params = [R(size, grad=True) for _ in range(n)]
                for p in params:
                    p.grad = torch.full_like(p, 1e-3)
                if name == "clip":
                    return lambda: torch.nn.utils.clip_grad_norm_(params, 1e9)
                if name == "zero":
                    return lambda: torch._foreach_zero_([p.grad for p in params])
                return make_optimizer(params).step
            case(make, what="optimizer", way=name, n=n, size=size)
    run_cases()
    for n in (1 << 10, 1 << 16, 1 << 20, 1 << 24):
        case(lambda n=n: (lambda x=R(n): x.sort()), what="sort", n=n)
        case(lambda n=n: (lambda x=R(n): x.cumsum(0)), what="cumsum", n=n)
        case(lambda n=n: (lambda x=R(n): torch.randn_like(x)), what="randn", n=n)
        case(lambda n=n: (lambda x=R(n // 64, 64): x.topk(5, 1)), what="topk", n=n)
        case(lambda n=n: (lambda x=R(n // 64, 64): x.argmax(1)), what="argmax", n=n)
        case(lambda n=n: (lambda x=torch.randint(0, n, (n,), device="cuda"): torch.unique(x)), what="unique", n=n)
        case(lambda n=n: (lambda x=R(n): x[x > 0]), what="mask", n=n)
        host = torch.randn(n).pin_memory()
        case(lambda h=host: (lambda: h.to("cuda", non_blocking=True)), what="upload_pinned", n=n)
        case(lambda n=n: (lambda x=R(n): x.to("cpu")), what="download_pageable", n=n)
    run_cases()


for part in (gemms, moves, layers, others):
    try:
        part()
    except Exception:
        cases.clear()
        out.write(json.dumps({"what": part.__name__, "error": traceback.format_exc()[-800:]}) + "\n")
    out.write(json.dumps({"what": "seconds", "part": part.__name__, "seconds": time.time() - began}) + "\n")
    out.flush()
