"""What is made anew when a part of it is of another size is made now and then; a size that nothing there changes says nothing."""
import torch


class Workspace:
    def __init__(self, size):
        self.size = size
        self.rows = torch.ones(size).cuda()


class Solver:
    def __init__(self):
        self.spaces = [Workspace(16)]
        self.limits = [Workspace(16)]

    def reset(self, size):
        self.spaces = [Workspace(size) for _ in range(3)]

    def solve(self, x):
        if self.spaces[0].size != len(x):
            self.reset(len(x))
            print(x.sum().item())  # sync: host-read note
        if self.limits[0].size != len(x):
            print(x.sum().item())  # sync: host-read
        return x + 1


class Grids:
    def __init__(self):
        self.grids = [torch.zeros(1)] * 3
        self.kept = [torch.zeros(1)] * 3

    def place(self, maps):
        for i in range(3):
            if self.grids[i].shape[2:4] != maps[i].shape[2:4]:
                self.grids[i] = torch.zeros(maps[i].shape).to(maps[i].device)  # sync: copy-to-device note
            if self.kept[i].shape[2:4] != maps[i].shape[2:4]:
                print(maps[i].sum().item())  # sync: host-read
            maps[i] += self.grids[i]


solver, grids = Solver(), Grids()
for batch in range(100):
    solver.solve(torch.ones(batch, device="cuda"))
    grids.place([torch.ones(1, 2, batch, batch, device="cuda") for _ in range(3)])
