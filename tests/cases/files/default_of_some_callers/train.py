import sys
import torch
from setup_run import prepare

if sys.argv[1] == "single":
    prepare(backend=None)
else:
    prepare()
net = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in [torch.randn(8, 4)] * 100:
    scale = torch.tensor(1.0)
    loss = net(batch.cuda()).mean() * scale  # sync: copy-to-device
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
