# options: --min-confidence possible
"""A file that imports no torch and annotates by it cannot be imported: what it does is possible, once somebody mends it."""
import copy
import multiprocessing


def freeze(net: torch.nn.Module):
    for p in net.parameters():
        p.requires_grad = False


class Learner:
    def __init__(self, network, optimizer, replay, device):
        self._network = network.to(device=device)
        self._target = copy.deepcopy(network)
        self._optimizer = optimizer
        self._replay = replay
        self._device = device
        self._lock = multiprocessing.Lock()

    def step(self):
        transitions, weights = self._replay.sample(32)
        self._optimizer.zero_grad()
        loss = self._network(transitions).mean()
        loss.backward()
        self._optimizer.step()
        return loss.detach().cpu().item()  # sync: copy-to-host
