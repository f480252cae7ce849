"""What a condition misses is filled by what the branch calls, kept in a global, an attribute or a table: the load runs once."""
import threading

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KERNEL, STREAM = None, None
LOADED = False
FORMS = {}
TABLES = {}
SIZES = {}
lock = threading.Lock()


def is_supported():
    return torch.cuda.is_available()


def load_kernel():
    global KERNEL, STREAM
    if is_supported():
        probe = torch.rand(1, 1).to(torch.device("cuda"))
        KERNEL = probe @ probe
        STREAM = torch.cuda.current_stream()


def load_tables():
    global LOADED
    TABLES["sums"] = torch.tensor([1.0, 2.0], device="cuda")
    LOADED = True


def probe_form(device):
    x = torch.rand(8, 8)
    out = (x.to(device) @ x.to(device)).cpu()  # sync: copy-to-device note, copy-to-device note, copy-to-host note
    return bool((out == x @ x).all())


def form_of(x):
    index = x.device.index
    if index not in FORMS:
        try:
            FORMS[index] = probe_form(torch.device("cuda", index))
        except RuntimeError:
            FORMS[index] = None
    return FORMS[index]


def form_of_each(devices):
    for index in devices:
        if index in FORMS:
            continue
        try:
            FORMS[index] = probe_form(torch.device("cuda", index)) if is_supported() else None
        except RuntimeError:
            FORMS[index] = None
    return [FORMS[index] for index in devices]


def size_of(key, x):
    size = SIZES.get(key, None)
    if size is None:
        size = int(x.sum())  # sync: host-read note
        SIZES[key] = size
    return size


def width_of(key, x):
    found = SIZES.get(key, None)
    if found is not None:
        return found
    width = int(x.max())  # sync: host-read note
    SIZES[key] = width
    return width


def height_of(key, x):
    try:
        return SIZES[key]
    except KeyError:
        pass
    SIZES[key] = int(x.min())  # sync: host-read note
    return SIZES[key]


class Codebook(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("inited", torch.zeros(1))
        self.register_buffer("embed", torch.zeros(size, dim))

    def init_embed_(self, x):
        if self.inited:  # sync: tensor-truth
            return
        kept = torch.unique(x, dim=0)
        self.embed.data.copy_(kept[: len(self.embed)])
        self.inited.data.copy_(torch.Tensor([True]))

    def forward(self, x):
        self.init_embed_(x)
        return torch.cdist(x, self.embed).argmin(-1)


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim, dim))
        self.codebook = Codebook(16, dim)
        self._plan = None
        self._ready = False
        self._scale = None
        self._last = None
        self._busy = False
        self._started = False
        self._mean = None

    def _make_plan(self, x):
        self._measure(x)

    def _measure(self, x):
        self._plan = x.sum().item()

    def _prepare(self, x):
        if x.ndim == 2:
            self._limit = x.max().item()
        self._ready = True

    def _statistics(self, batches):
        """A pass over all data, once: each of its turns waits."""
        self._mean = 0.0
        with torch.no_grad():
            for (batch,) in batches:
                self._mean += (batch.cuda() @ self.weight).mean().item()  # sync: copy-to-device likely, host-read likely

    def fit(self, batches):
        if self._mean is None:
            self._statistics(batches)
        return self._mean

    def check(self, x):
        if self._busy:
            return
        self._busy = True
        self.sum = x.sum().item()  # sync: host-read
        self._busy = False

    def reset(self):
        self._started = False

    def start(self, x):
        if not self._started:
            self.begin = x.amin().item()  # sync: host-read note
            self._started = True

    def _remember(self, x):
        self.seen = x.mean().item()  # sync: host-read

    @property
    def scale(self):
        if self._scale is None:
            with lock:
                self._scale = self._find_scale()
        return self._scale

    def _find_scale(self):
        return self.weight.abs().max().item()

    def forward(self, x):
        if KERNEL is None:
            load_kernel()
        if not LOADED:
            load_tables()
        if self._plan is None:
            self._make_plan(x)
        if not self._ready:
            self._prepare(x)
        if self._last is None:
            self._remember(x)
        cached = getattr(self, "_bounds", None)
        if cached is None:
            cached = x.aminmax().min.item()
            self._bounds = cached
        if getattr(self, "_spread", None) is None:
            self._spread = x.std().item()
        form_of(x)
        form_of_each(range(torch.cuda.device_count()))
        self.check(x)
        self.start(x)
        sizes = size_of(x.shape, x) + width_of(x.shape, x) + height_of(x.shape, x)
        return x @ self.weight * self.scale * self._plan * cached * sizes + self.codebook(x).sum()


def train(steps):
    model = Layer(8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    first, last, lowest = None, None, None
    for step in range(steps):
        model.fit(DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=8))
        loss = model(torch.randn(4, 8, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if first is None:
            first = loss.item()
        if step % 50 == 0:
            last = None
        if last is None:
            last = loss.item()  # sync: host-read
        if lowest is None or step % 100 == 0:
            lowest = loss.item()  # sync: host-read
    return first, last, lowest


def train_epochs(epochs, steps):
    model = nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(epochs):
        first = None
        for step in range(steps):
            loss = model(torch.randn(4, 8, device="cuda")).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if first is None:
                first = loss.item()  # sync: host-read note likely
        print(first)


train(100)
train_epochs(10, 100)
