#!/usr/bin/env python3
"""Facts that not every PyTorch has: what --torch-version makes of the same script. Sources stand on the pages."""
import sys

from bench import *

HEAD = """import torch
import torch.nn as nn
import torch.distributions as D
dev = torch.device("cuda")
x = torch.randn(64, 64, device=dev)
s = torch.randn((), device=dev)
params = [nn.Parameter(torch.zeros(64, 64, device=dev))]
seq = torch.randn(8, 20, 16, device=dev)
tgt_mask = torch.ones(20, 20, device=dev).triu(1).bool()
decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 2, 32, batch_first=True), 2).to(dev)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2).to(dev)
whole = nn.Transformer(16, 2, 2, 2, 32, batch_first=True).to(dev)
asgd = torch.optim.ASGD(params, lr=0.1)


@torch.compile(mode="reduce-overhead")
def gate(v):
    return v * 2 if v.sum().item() > 0 else v


for step in range(1000):
    torch.nn.functional.mse_loss(params[0], x).backward()
    """

FACTS = [  # statement, rule, versions that have it, versions that do not
    ("v = 2 ** x", "tensor-from-host", ["2.0", "1.13"], ["2.1", "2.11"]),
    ("v = x ** 2", "tensor-from-host", [], ["2.0", "2.11"]),
    ("v = D.Gumbel(x, x.exp(), validate_args=False)", "distribution-validation", ["2.0"], ["2.1", "2.11"]),
    ("v = decoder(seq, seq, tgt_mask=tgt_mask)", "library-wait", ["2.1", "2.11"], ["2.0"]),
    ("v = whole(seq, seq, tgt_mask=tgt_mask)", "library-wait", ["2.1", "2.11"], ["2.0"]),
    ("v = encoder(seq, mask=tgt_mask)", "library-wait", ["2.0", "2.1", "2.11"], []),
    ("asgd.step()", "library-wait", ["2.2", "2.11"], ["2.0", "2.1"]),
    ("v = gate(x)", "compiled-wait", ["2.0", "2.11"], ["1.13"]),
    ("torch.accelerator.synchronize()", "explicit-sync", ["2.6", "2.11"], ["2.5"]),
    ("v = torch.nn.utils.get_total_norm([p.grad for p in params], error_if_nonfinite=True)", "library-wait", ["2.6"], ["2.4"]),
]


def rules_of(*args):
    return [finding["rule"] for finding in json.loads(syncl("--output-format=json", *args).out)["findings"]]


def test_facts_by_version():
    for statement, rule, having, lacking in FACTS:
        write("train.py", HEAD + statement + "\n")
        for version in having + lacking:
            same(rule in rules_of(f"--torch-version={version}", "train.py"), version in having, f"{statement} in {version}")


def test_counts_by_version():
    for statement, waits in (("v = D.Uniform(x, x + 1)", {"2.0": 1, "2.7": 1, "2.11": 2}), ("v = D.Uniform(0.0, s)", {"2.7": 2, "2.11": 3}),
                             ("v = D.Gumbel(x, x.exp())", {"2.7": 3, "2.11": 4})):
        write("train.py", HEAD + statement + "\n")
        for version, count in waits.items():
            line = next(l for l in syncl(f"--torch-version={version}", "--dump=events", "train.py").out.split("\n")
                        if f":{(HEAD + statement).count(chr(10)) + 1}" in l and l.split()[0] == "wait")
            same(line.split()[1].rstrip(","), str(count), f"{statement} in {version}")


main(sys.modules[__name__])
