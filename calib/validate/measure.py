#!/usr/bin/env python3
"""Measures what each single change of each loop costs, on a GPU machine.

    python3 calib/validate/measure.py OUT.json [--seconds 180] [--loops mlp_small ...]

A round runs every variant of a loop once, in random order, the next round the same backwards; the plain loop runs twice in it
(A and A'), which is the control. A run is a quarter of its steps to settle, then two event stamps around `steps` more, nothing
waited for in between, so that start and end of a run are not in the figure. The variants share model, optimizer and data. Written
per loop: every sample of every variant (us a step), and of the plain loop the host's time to queue one step, the utilisation that
NVML (nvidia-smi) shows, and, once all changes are measured, since CUPTI stays in a process and slows its launches, the GPU time,
operations and launches of a few traced steps.
"""
import argparse
import ast
import contextlib
import copy
import gc
import json
import os
import random
import subprocess
import sys
import threading
import time

import torch

import changes

SETTLE = 0.25  # of the steps of a run, before it
RUN_US = 300_000  # a run is as many tens of steps as fill this
FEWEST, MOST = 4, 40  # rounds


def definitions(text):
    return [node for node in ast.parse(text).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def with_change(space, plain, changed, name):
    """train() of the changed script among its own functions. Classes stay what they are but those that the change is in, of which
    the script's objects are taken over with all their parts: `trainer` gets the changed method, its model and optimizer are shared."""
    as_it_was, own = {node.name: ast.dump(node) for node in definitions(plain)}, dict(space)
    body = [node for node in definitions(changed) if isinstance(node, ast.FunctionDef) or ast.dump(node) != as_it_was[node.name]]
    exec(compile(ast.Module(body, []), name, "exec"), own)
    classes = {space[node.name]: own[node.name] for node in body if isinstance(node, ast.ClassDef)}
    for key, value in space.items():
        if type(value) in classes:
            own[key] = copy.copy(value)
            own[key].__class__ = classes[type(value)]
    return own["train"]


def functions(loop):
    """The script's train() with each change; None is the plain one."""
    text = changes.read(loop)
    plain = changes.make(text, None)
    space = {"__name__": loop, "__file__": str(changes.LOOPS / f"{loop}.py")}
    exec(compile(plain, loop, "exec"), space)
    return {None: space["train"]} | {change: with_change(space, plain, changes.make(text, change), f"{loop}+{change}")
                                     for change in changes.changes(text)}


def run(train, steps):
    """Microseconds a step."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    train(max(3, int(steps * SETTLE)))
    begin.record()
    train(steps)
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) * 1e3 / steps


def queue_us(train):
    """The host's time for one step with nothing pending: the least disturbed of a few."""
    times = []
    for _ in range(9):
        torch.cuda.synchronize()
        start = time.perf_counter()
        train(1)
        times.append((time.perf_counter() - start) * 1e6)
    return sorted(times)


def traced(train, steps=4):
    """GPU work and launching calls of a few steps: [start, length, name], microseconds; calls with their thread."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        train(steps)
        torch.cuda.synchronize()
    path = f"/tmp/trace-{os.getpid()}.json"
    profiler.export_chrome_trace(path)
    events = json.load(open(path))["traceEvents"]
    os.unlink(path)
    work, calls = [], []
    for event in events:
        row = [round(event.get("ts", 0), 2), round(event.get("dur", 0), 2), event.get("name", "")[:40]]
        link = event.get("args", {}).get("correlation", 0) if isinstance(event.get("args"), dict) else 0
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            work.append(row + [link])
        elif event.get("cat") in ("cuda_runtime", "cuda_driver"):
            calls.append(row + [link, event.get("tid", 0)])
    return {"steps": steps, "work": sorted(work), "calls": sorted(calls)}


def utilisation(train, step_us):
    """What nvidia-smi shows, sampled while the plain loop runs for a second and a half."""
    try:
        import pynvml
        pynvml.nvmlInit()
        shown = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")  # NVML counts all of the machine
        handle = pynvml.nvmlDeviceGetHandleByIndex(int(shown[0] or 0) + torch.cuda.current_device())
    except Exception as error:
        return {"error": str(error)}
    seen, over = [], threading.Event()

    def sample():
        begin = time.perf_counter()
        while not over.wait(0.1):
            if time.perf_counter() - begin > 0.5:
                seen.append(pynvml.nvmlDeviceGetUtilizationRates(handle).gpu)

    sampler = threading.Thread(target=sample)
    sampler.start()
    try:
        train(max(int(1.5e6 / step_us), 3))
        torch.cuda.synchronize()
    finally:
        over.set()
        sampler.join()
    return {"percent": seen}


def traced_facts(train):
    try:
        trace = traced(train)
        return {"trace": trace, "gpu_us": sum(row[1] for row in trace["work"]) / trace["steps"], "operations": len(trace["work"]) / trace["steps"]}
    except Exception as error:  # a machine without CUPTI still measures the changes
        return {"trace_error": f"{type(error).__name__}: {error}"}


def in_rounds(made, variants, steps, seconds, started):
    samples = {name: [] for name in variants}
    rounds, begun, order = 0, time.perf_counter(), []
    while rounds < MOST:
        spent = time.perf_counter() - started
        each = (time.perf_counter() - begun) / rounds if rounds else 0
        if rounds >= FEWEST and spent + each > seconds:
            break
        order = order[::-1] if rounds % 2 else random.sample(variants, len(variants))
        gc.collect()
        for name in order:
            samples[name].append(round(run(made.get(name, made[None]), steps), 2))
        rounds += 1
    return rounds, samples


def measure(loop, seconds, only=None):
    """only: these variants, and nothing else of the loop."""
    started = time.perf_counter()
    torch.set_float32_matmul_precision("highest")  # a loop before may have set it
    made = functions(loop)
    variants = only or ["plain", "again"] + [change for change in made if change]
    for name in variants:
        made.get(name, made[None])(2)
    first = made.get(variants[0], made[None])
    run(first, 10)
    step_us = run(first, 10)
    steps = min(max(round(RUN_US / step_us / 10), 1) * 10, 400)
    facts = {} if only else {"queue_us": queue_us(made[None]), "nvml": utilisation(made[None], step_us)}
    rounds, samples = in_rounds(made, variants, steps, seconds, started)
    return {"loop": loop, "steps": steps, "rounds": rounds, "samples": samples, **facts, **({} if only else traced_facts(made[None]))}


def machine():
    try:
        driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                                capture_output=True, text=True, timeout=20).stdout.strip()
    except OSError:
        driver = ""
    return {"device": torch.cuda.get_device_name(), "driver": driver, "torch": torch.__version__,
            "cuda": torch.version.cuda, "cores": len(os.sched_getaffinity(0)),
            "day": time.strftime("%Y-%m-%d", time.gmtime())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--loops", nargs="*", default=changes.names())
    options = parser.parse_args()
    results = {"machine": machine(), "settle": SETTLE, "loops": []}
    began = time.perf_counter()
    for done, loop in enumerate(options.loops):
        left = options.seconds - (time.perf_counter() - began)
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            random.seed(loop)
            torch.manual_seed(0)
            gc.collect()
            gc.disable()
            try:
                result = measure(loop, left / (len(options.loops) - done))
            except Exception as error:
                result = {"loop": loop, "error": f"{type(error).__name__}: {error}"}
            gc.enable()
            torch.cuda.empty_cache()
        results["loops"].append(result)
        with open(options.out, "w") as file:  # a run that is cut short keeps what it has
            json.dump(results, file)
        plain = sorted(result.get("samples", {}).get("plain", [0]))
        print(loop, result.get("error", ""), "rounds", result.get("rounds"), "plain us", plain[len(plain) // 2],
              "gpu us", round(result.get("gpu_us", 0)), "operations", result.get("operations"),
              "%.0f s" % (time.perf_counter() - began), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
