import torch
from munch import Munch
from torch.utils import data
from torchvision import transforms
from torchvision.datasets import ImageFolder


def get_train_loader(root, batch_size=8, num_workers=4):
    dataset = ImageFolder(root, transforms.ToTensor())
    return data.DataLoader(dataset=dataset, batch_size=batch_size, num_workers=num_workers, pin_memory=True)


class InputFetcher:
    def __init__(self, loader, loader_ref=None, latent_dim=16, mode=''):
        self.loader = loader
        self.loader_ref = loader_ref
        self.latent_dim = latent_dim
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.mode = mode

    def _fetch_inputs(self):
        try:
            x, y = next(self.iter)
        except (AttributeError, StopIteration):
            self.iter = iter(self.loader)
            x, y = next(self.iter)
        return x, y

    def _fetch_refs(self):
        try:
            x, x2, y = next(self.iter_ref)
        except (AttributeError, StopIteration):
            self.iter_ref = iter(self.loader_ref)
            x, x2, y = next(self.iter_ref)
        return x, x2, y

    def __next__(self):
        x, y = self._fetch_inputs()
        x_ref, x_ref2, y_ref = self._fetch_refs()
        z_trg = torch.randn(x.size(0), self.latent_dim)
        inputs = Munch(x_src=x, y_src=y, y_ref=y_ref, x_ref=x_ref, x_ref2=x_ref2, z_trg=z_trg)
        return Munch({k: v.to(self.device) for k, v in inputs.items()})  # sync: copy-to-device
