"""A class of a package that nobody sees is no class of the program with a method of that name: what is asked of it leads to none. What
a function is given may be."""
import outside.things
from outside.calculators import Calculator

import torch


class Energies(Calculator):
    def __init__(self, model):
        self.model = torch.nn.Linear(3, 1).cuda()

    def calculate(self, atoms):
        Calculator.calculate(self, atoms)
        outside.things.Calculator.calculate(self, atoms)
        for positions in atoms.pieces:
            print(self.model(positions.cuda()).item())  # sync: host-read


class Dispersion(Calculator):
    def calculate(self, atoms):
        Calculator.calculate(self, atoms)
        self.results = {"energy": 0.0}


class Both(torch.nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.other = Dispersion()

    def forward(self, atoms):
        for atom in atoms:
            self.other.calculate(atom)
        return self.body(atoms)
