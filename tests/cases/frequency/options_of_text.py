"""What text by default says: a name cut out of it, in other letters, or joined. Where it is not known, nothing is said."""
import argparse

import torch
from torch import nn


class Attack:
    def __init__(self, model):
        self.model = model

    def attack(self, x):
        return x * x.norm().item()  # sync: host-read note


class Trainer:
    def __init__(self, model, attack_info="Constant~{}", kind="FP32 ", devices="cuda:0", tag=""):
        self.model = model.cuda()
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.attack_name = str.lower(attack_info.split("~")[0])
        self.given = attack_info.split("~")[-1]
        self.kind = kind.strip().lower()
        self.devices = devices
        self.name = tag + "run"
        self.attacker = None
        if self.attack_name == "constant":
            self.attacker = None
        elif self.attack_name == "fgm":
            self.attacker = Attack(model)

    def fit(self, count):
        for i in range(count):
            x = torch.randn(4, 8, device="cuda")
            loss = self.model(x).mean()
            self.optimizer.zero_grad()
            loss.backward()
            if self.attack_name != "constant":
                self.attacker.attack(x)
            self.optimizer.step()
            if self.kind == "fp16":
                print(loss.item())  # sync: host-read note
            if self.kind == "fp32":
                print(loss.item())  # sync: host-read
            if self.kind.startswith("bf"):
                print(loss.item())  # sync: host-read note
            if self.kind.endswith(("16", "8")):
                print(loss.item())  # sync: host-read
            if "," in self.devices:
                print(loss.item())  # sync: host-read note
            if "cuda" in self.devices:
                print(loss.item())  # sync: host-read
            if self.kind[0] == "b" or self.kind[:2] == "fp":
                print(loss.item())  # sync: host-read
            if self.kind[-1] == "6":
                print(loss.item())  # sync: host-read note
            if len(self.given) > 2:
                print(loss.item())  # sync: host-read note
            if self.name == "testrun":
                print(loss.item())  # sync: host-read note
            if self.kind.replace("fp", "bf") == "fp32":
                print(loss.item())  # sync: host-read note
            if self.devices.split(":")[3] == "x":
                print(loss.item())  # sync: host-read


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", default="Plain")
    args = parser.parse_args()
    model = nn.Linear(8, 8).cuda()
    for i in range(1000):
        loss = model(torch.randn(4, 8, device="cuda")).mean()
        loss.backward()
        if args.mode.lower() == "checked":
            print(loss.item())  # sync: host-read note
        if args.mode.upper() in ("PLAIN", "OTHER"):
            print(loss.item())  # sync: host-read


main()
