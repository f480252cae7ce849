"""Axes by name: einsum, einops; constructors of older code."""
import torch
from einops import rearrange, reduce, repeat
from einops.layers.torch import Rearrange
from torch import einsum, nn
from torch.autograd import Variable

dev = torch.device("cuda")


class Attention(nn.Module):
    def __init__(self, dim=64, heads=4):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(dim, dim * 3, bias=False)
        self.patches = nn.Sequential(Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=8, p2=8), nn.Linear(192, dim))
        self.token = nn.Parameter(torch.randn(1, 1, dim))

    def forward(self, image):
        x = self.patches(image)
        tokens = repeat(self.token, "() n d -> b n d", b=image.shape[0])
        x = torch.cat((tokens, x), dim=1) + 0  # is: cuda float (16, 17, 64)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), self.qkv(x).chunk(3, dim=-1))
        scores = einsum("b h i d, b h j d -> b h i j", q, k) + 0  # is: cuda float (16, 4, 17, 17)
        out = torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v)
        out = rearrange(out, "b h n d -> b n (h d)") + 0  # is: cuda float (16, 17, 64)
        kept = rearrange(out, "... d -> d ...") + 0  # is: cuda float (64, 16, 17)
        return reduce(out, "b n d -> b d", "mean") + kept.mean()  # is: cuda float (16, 64)


model = Attention().to(dev)
queue = torch.randn(128, 4096, device=dev)
for step in range(1000):
    images = Variable(torch.randn(16, 3, 32, 32, device=dev))
    out = model(images)  # is: cuda float (16, 64)
    keys = torch.randn(16, 128, device=dev)
    picked = torch.einsum("nc,ck->nk", [keys, queue.clone().detach()]) + 0  # is: cuda float (16, 4096)
    alone = torch.einsum("nchpwq->nhwpqc", out.view(2, 4, 2, 2, 2, 16)) + 0  # is: cuda float (2, 2, 2, 2, 16, 4)
    hidden = out.new_zeros(2, 16) + 0  # is: cuda float (2, 16)
    ids = torch.LongTensor([[1, 2, 3], [4, 5, 6]])
    ids = ids.to(dev)  # sync: copy-to-device
    ids + 0  # is: cuda int (2, 3)
