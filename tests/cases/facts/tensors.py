"""What inference knows of tensors: where they are, what they hold."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # is: device cuda
x = torch.randn(4, 4, device=device)  # is: cuda float
c = torch.randn(4, 4)  # is: cpu float
p = c.pin_memory()  # is: cpu float pinned
g = c.to(device)  # is: cuda float
b = g.cpu()  # is: cpu float
h = x.half()  # is: cuda float
i = x.long()  # is: cuda int
m = x > 0  # is: cuda bool
both = x + c.cuda()  # is: cuda float
z = torch.zeros(3, dtype=torch.long, device="cuda")  # is: cuda int
n = x.shape[0]  # is: number
s = x.size()  # is: size
d = x.device  # is: device cuda
v = x.sum().item()  # is: number
a = c.numpy()  # is: numpy
f = torch.from_numpy(a)  # is: cpu
lin = nn.Linear(4, 4)
model = lin.to(device)
y = model(x)  # is: cuda float
loss = nn.functional.mse_loss(y, x)  # is: cuda float scalar
row = x[0]  # is: cuda float
t = str(n)  # is: str
nothing = print(n)  # is: None
