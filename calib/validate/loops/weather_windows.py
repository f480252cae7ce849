"""The weather in six hours from the weather now: attention within shifted windows of a grid on the globe, float32 with TF32 products."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True

VARIABLES = ["z500", "z850", "t500", "t850", "u500", "u850", "v500", "v850", "q700", "q850", "t2m", "u10", "v10", "msl", "tp", "tcc"]
N_VARS, N_LAT, N_LON = 16, 128, 256
PATCH, WINDOW, DIM, DEPTH, HEADS = 4, 8, 512, 8, 8
BATCH_SIZE = 10
LEARNING_RATE = 1e-6
device = torch.device("cuda:0")


def window_partition(x):
    B, H, W, C = x.shape
    x = x.view(B, H // WINDOW, WINDOW, W // WINDOW, WINDOW, C)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, WINDOW * WINDOW, C)


def window_reverse(windows, B, H, W):
    x = windows.view(B, H // WINDOW, W // WINDOW, WINDOW, WINDOW, -1)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(B, H, W, -1)


class WindowAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.bias_table = nn.Parameter(torch.zeros((2 * WINDOW - 1) ** 2, num_heads))
        coords = torch.stack(torch.meshgrid(torch.arange(WINDOW), torch.arange(WINDOW), indexing="ij")).flatten(1)
        relative = (coords[:, :, None] - coords[:, None, :]).permute(1, 2, 0) + WINDOW - 1
        self.register_buffer("index", relative[..., 0] * (2 * WINDOW - 1) + relative[..., 1])
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        n, tokens, dim = x.shape
        q, k, v = self.qkv(x).reshape(n, tokens, 3, self.num_heads, dim // self.num_heads).permute(2, 0, 3, 1, 4)
        scores = (q * (dim // self.num_heads) ** -0.5) @ k.transpose(-2, -1)
        bias = self.bias_table[self.index.view(-1)].view(tokens, tokens, -1).permute(2, 0, 1)
        attention = (scores + bias[None]).softmax(dim=-1)
        return self.proj((attention @ v).transpose(1, 2).reshape(n, tokens, dim))


class WeatherBlock(nn.Module):
    def __init__(self, dim, num_heads, shift):
        super().__init__()
        self.shift = shift
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = WindowAttention(dim, num_heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        B, H, W, C = x.shape
        shifted = torch.roll(self.norm1(x), shifts=(-self.shift, -self.shift), dims=(1, 2))
        attended = window_reverse(self.attn(window_partition(shifted)), B, H, W)
        x = x + torch.roll(attended, shifts=(self.shift, self.shift), dims=(1, 2))
        return x + self.mlp(self.norm2(x))


class WeatherNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(N_VARS, DIM, PATCH, PATCH)
        self.blocks = nn.Sequential(*[WeatherBlock(DIM, HEADS, 0 if i % 2 == 0 else WINDOW // 2) for i in range(DEPTH)])
        self.norm = nn.LayerNorm(DIM)
        self.recover = nn.ConvTranspose2d(DIM, N_VARS, PATCH, PATCH)

    def forward(self, state):
        x = self.blocks(self.embed(state).permute(0, 2, 3, 1))
        return state + self.recover(self.norm(x).permute(0, 3, 1, 2))


latitude = torch.linspace(-89.3, 89.3, N_LAT, device=device)
area = torch.cos(torch.deg2rad(latitude))
area = (area / area.mean())[None, None, :, None]
net = WeatherNet().to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.95), weight_decay=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10_000_000)
now = [torch.randn(BATCH_SIZE, N_VARS, N_LAT, N_LON) for _ in range(4)]
later = [state + 0.1 * torch.randn_like(state) for state in now]
now_pinned = [state.pin_memory() for state in now]
later_pinned = [state.pin_memory() for state in later]
rmse_of = {name: [] for name in VARIABLES}
curve, forecasts = [], [None]


def train(steps):
    net.train()
    for step in range(steps):
        x = now_pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: x = now[step % 4].to(device)
        y = later_pinned[step % 4].to(device, non_blocking=True)
        forecast = net(x)
        squared = (forecast - y) ** 2 * area
        loss = squared.mean()
        #+ item-forward: curve.append(loss.item())
        #+ nan: assert not torch.isnan(forecast).any(), f"nan in step {step}"
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: curve.append(loss.item())
        optimizer.step()
        scheduler.step()
        #+ item-end: curve.append(loss.item())
        rmse = squared.detach().mean(dim=(0, 2, 3)).sqrt()
        #+ variables: for name, value in zip(VARIABLES, rmse.cpu()): rmse_of[name].append(float(value))
        #+ forecasts: forecasts[0] = forecast.detach().cpu()
        #+ print: print("rmse", rmse)


if __name__ == "__main__":
    train(60)
