"""Places out of a NumPy array: the numbers of one row index as Python's do, whole rows are sent."""
import numpy as np
import torch

spectrum = torch.zeros(8, 8, 8, device="cuda")
for step in range(10):
    spots = np.random.randint(0, 8, (5, 3))
    for spot in spots:
        i, j, k = spot
        spectrum[i, j, k] = spectrum.max() * 3
    rows, columns = np.nonzero(spots > 3)
    print(spots.shape, spectrum[rows, columns].shape)  # sync: index-from-host
