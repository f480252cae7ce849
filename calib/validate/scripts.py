#!/usr/bin/env python3
"""Step and GPU time of whole scripts, as they are: python3 calib/validate/scripts.py OUT.jsonl SECONDS SCRIPT...

A script runs in a child that is forked with torch imported, with hooks behind the steps of its optimizers; the first optimizer
that steps twice tells the training step. WARM steps settle, PLAIN are timed together, TRACED are traced, with a device wait behind
each, so that a step's GPU work lies between two waits: GPU time is the sum of kernels, copies and fills.
"""
import importlib, io, json, os, runpy, signal, statistics, sys, tempfile, time, traceback
import torch

WARM, PLAIN, TRACED = 6, 12, 8


class Enough(BaseException):
    pass


class Watch:
    def __init__(self, out):
        self.out, self.seen, self.count, self.profiler = out, {}, 0, None
        self.first, self.stamps, self.parts = None, [], []

    def __call__(self, optimizer, args, kwargs):
        key = id(optimizer)
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.first is None and self.seen[key] >= 2:
            self.first = key
        if key != self.first:
            return
        self.count += 1
        if self.count == WARM:
            torch.cuda.synchronize()
            self.begun = time.perf_counter()
        elif self.count == WARM + PLAIN:
            torch.cuda.synchronize()
            self.out["step_us"] = (time.perf_counter() - self.begun) * 1e6 / PLAIN
            self.out["parameters"] = sum(len(group["params"]) for group in optimizer.param_groups)
            self.out["elements"] = sum(p.numel() for group in optimizer.param_groups for p in group["params"])
            self.out["optimizer"] = type(optimizer).__name__
            self.profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA])
            self.profiler.__enter__()
            torch.cuda.synchronize()
        elif self.count > WARM + PLAIN:
            torch.cuda.synchronize()
            if self.count == WARM + PLAIN + TRACED:
                self.profiler.__exit__(None, None, None)
                self.read()
                raise Enough()

    def read(self):
        path = os.path.join(tempfile.gettempdir(), "script-%d.json" % os.getpid())
        self.profiler.export_chrome_trace(path)
        with open(path) as file:
            events = json.load(file)["traceEvents"]
        os.unlink(path)
        cuts = sorted(e["ts"] + e.get("dur", 0) for e in events if "DeviceSynchronize" in e.get("name", "") and e.get("cat") == "cuda_runtime")
        work = sorted((e["ts"], e.get("dur", 0), e.get("cat")) for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"))
        self.out["cuts"] = len(cuts)
        # from the wait at the trace's begin; a script's own device waits would cut finer, and are merged by count
        step = max(len(cuts) - 1, 1) // TRACED or 1
        bounds = cuts[::step] if (len(cuts) - 1) % TRACED == 0 else cuts[-(TRACED + 1):]
        sums, counts = [], []
        for begin, end in zip(bounds, bounds[1:]):
            inside = [dur for ts, dur, _ in work if begin <= ts < end]
            sums.append(round(sum(inside), 1))
            counts.append(len(inside))
        self.out["gpu_us"] = sums
        self.out["operations"] = counts
        self.out["copies_us"] = round(sum(dur for _, dur, cat in work if cat == "gpu_memcpy") / TRACED, 1)


def child(script, path):
    out = {"script": script}
    watch = Watch(out)
    from torch.optim.optimizer import register_optimizer_step_post_hook
    register_optimizer_step_post_hook(watch)
    folder = tempfile.mkdtemp()
    script_path = os.path.abspath(script)
    os.chdir(folder)
    sys.argv = [script_path]
    sys.path.insert(0, os.path.dirname(script_path))
    sys.stdout = sys.stderr = open(os.devnull, "w")
    began = time.time()
    try:
        runpy.run_path(script_path, run_name="__main__")
        out["end"] = "ran to its end"
    except Enough:
        out["end"] = "enough"
    except BaseException as error:
        out["end"] = "%s: %s" % (type(error).__name__, str(error)[:200])
        out["trace"] = traceback.format_exc()[-500:]
    out["count"], out["seconds"], out["optimizers"] = watch.count, round(time.time() - began, 1), len(watch.seen)
    with open(path, "a") as file:
        file.write(json.dumps(out) + "\n")
        file.flush()
    os._exit(0)


def main():
    path, seconds = sys.argv[1], float(sys.argv[2])
    for module in ("torchvision", "numpy", "torch._dynamo", "transformers.modeling_utils", "timm"):
        try:
            importlib.import_module(module)
        except Exception:  # a script that wants it says so
            pass
    for script in sys.argv[3:]:
        pid = os.fork()
        if not pid:
            child(script, path)
        deadline = time.time() + seconds
        while time.time() < deadline:
            done, _ = os.waitpid(pid, os.WNOHANG)
            if done:
                break
            time.sleep(0.05)
        else:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            with open(path, "a") as file:
                file.write(json.dumps({"script": script, "end": "too long"}) + "\n")


main()
