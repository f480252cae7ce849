"""A progress bar gives what it is given; what is drawn from a distribution has its shape."""
import torch
from torch.distributions import Categorical, Normal
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

loader = DataLoader(TensorDataset(torch.randn(4096, 3, 8, 8), torch.randint(0, 10, (4096,))), 64, pin_memory=True)
bar = tqdm(loader, desc="training")
for images, labels in bar:
    images = images.to("cuda", non_blocking=True)
    scores = images.flatten(1) * 2  # is: cuda (64, 192)
    mean = scores[:, :4]
    drawn = Normal(mean, mean.exp(), validate_args=False).rsample() + 1  # is: cuda float (64, 4)
    chosen = Categorical(logits=scores, validate_args=False).sample() + 1  # is: cuda int (64,)
