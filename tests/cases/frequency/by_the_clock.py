"""What waits until so much time has passed runs now and then, also where a context manager says whether it has."""
import time

import torch


class Seldom:
    def __init__(self, minutes=1):
        self.last, self.minutes, self.due = 0, minutes, False

    def __enter__(self):
        passed = time.time() - self.last
        self.due = passed > 60 * self.minutes and passed > 10
        if self.due:
            self.last = time.time()
        return self.due

    def __exit__(self, *args):
        pass


model = torch.nn.Linear(16, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
seldom = Seldom()
last, limit = time.perf_counter(), time.monotonic() + 3600
for step in range(500):
    loss = model(torch.randn(8, 16, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if time.perf_counter() - last > 60:
        print(loss.item())  # sync: host-read note
        last = time.perf_counter()
    with seldom as due:
        if due:
            print(loss.item())  # sync: host-read note
    if not time.monotonic() > limit:
        continue
    print(loss.item())  # sync: host-read note
