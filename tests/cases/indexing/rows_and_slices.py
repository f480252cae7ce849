"""A row of a matrix is a vector, a slice of a vector is one: their single elements wait, those of what may have more dimensions not."""
import torch

dev = torch.device("cuda")
matrix = torch.zeros(16, 16, device=dev)
cube = torch.zeros(4, 4, 4, device=dev)
vector = torch.zeros(16, device=dev)
order = torch.randperm(16, device=dev)
names = [str(i) for i in range(16)]
for step in range(100):
    row = matrix[0]
    row[2] = 5.0  # sync: index-from-host
    matrix[3][1] = 1.0  # sync: index-from-host
    part = vector[2:6]
    part[0] = 1.0  # sync: index-from-host
    best = [names[i] for i in order[:4]]  # sync: host-read
    for i in order[4:8]:
        picked = matrix[i]  # sync: host-read
    matrix[3] = 1.0
    cube[0][1] = 1.0
    cube[1] = 0
    plane = cube[2]
    plane[0] = 0.0
    vector[2:6] = 1.0
    whole = vector[:]
    folded = vector.view(4, 4)
    folded[1] = 1.0
    chosen = matrix[order[:4]]
    rows = [r.sum() for r in matrix[:4]]
    for r in matrix:
        row = row + r
    flat = [t for t in order[:4]]
