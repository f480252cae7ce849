"""Self-distillation without labels: a student sees all crops, a teacher, its moving average, the large ones."""
import copy
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class Mlp(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.act = nn.GELU()
        self.fc2 = nn.Linear(hidden, dim)

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class Block(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.norm1 = nn.LayerNorm(dim, eps=1e-6)
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        self.norm2 = nn.LayerNorm(dim, eps=1e-6)
        self.mlp = Mlp(dim, dim * 4)

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, N, C))
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Module):
    def __init__(self, img_size=224, patch_size=16, dim=512, depth=8, num_heads=8):
        super().__init__()
        self.patch_embed = nn.Conv2d(3, dim, kernel_size=patch_size, stride=patch_size)
        self.side = img_size // patch_size
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.randn(1, self.side ** 2, dim) * 0.02)
        self.blocks = nn.ModuleList([Block(dim, num_heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim, eps=1e-6)

    def position(self, side):
        if side == self.side:
            return self.pos_embed
        grid = self.pos_embed.reshape(1, self.side, self.side, -1).permute(0, 3, 1, 2)
        return F.interpolate(grid, size=(side, side), mode="bilinear").flatten(2).transpose(1, 2)

    def forward(self, x):
        x = self.patch_embed(x)
        side = x.shape[-1]
        x = x.flatten(2).transpose(1, 2) + self.position(side)
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1)
        for blk in self.blocks:
            x = blk(x)
        return self.norm(x)[:, 0]


class DINOHead(nn.Module):
    def __init__(self, in_dim=512, out_dim=16384, hidden_dim=2048, bottleneck_dim=256):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(in_dim, hidden_dim), nn.GELU(), nn.Linear(hidden_dim, hidden_dim), nn.GELU(),
                                 nn.Linear(hidden_dim, bottleneck_dim))
        self.last_layer = nn.Linear(bottleneck_dim, out_dim, bias=False)

    def forward(self, x):
        return self.last_layer(F.normalize(self.mlp(x), dim=-1))


class Trainer:
    def __init__(self, batch_size=48, local_crops=4, momentum=0.996):
        self.batch_size, self.local_crops, self.momentum = batch_size, local_crops, momentum
        self.student = nn.Sequential(VisionTransformer(), DINOHead()).cuda()
        self.teacher = copy.deepcopy(self.student)
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.center = torch.zeros(1, 16384, device="cuda")
        decayed = [p for p in self.student.parameters() if p.ndim > 1]
        others = [p for p in self.student.parameters() if p.ndim <= 1]
        self.optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.04}, {"params": others, "weight_decay": 0.0}], lr=1e-6)
        self.images = [torch.rand(2 * batch_size, 3, 224, 224, device="cuda") for _ in range(4)]
        self.loss_meter, self.iteration = [], 0

    def crops(self):
        """Two large crops and the small ones, cut on the GPU."""
        large = self.images[self.iteration % 4]
        small = [large[: self.batch_size, :, 32 * i: 32 * i + 96, 16 * i: 16 * i + 96] for i in range(self.local_crops)]
        return large, torch.cat(small)

    def loss(self, student_out, teacher_out):
        student_out = (student_out / 0.1).chunk(self.local_crops + 2)
        teacher_out = F.softmax((teacher_out - self.center) / 0.04, dim=-1).detach().chunk(2)
        total, terms = 0, 0
        for i, q in enumerate(teacher_out):
            for j, out in enumerate(student_out):
                if i != j:
                    total = total + torch.sum(-q * F.log_softmax(out, dim=-1), dim=-1).mean()
                    terms += 1
        return total / terms

    @torch.no_grad()
    def update_teacher(self, teacher_out):
        for param_q, param_k in zip(self.student.parameters(), self.teacher.parameters()):
            param_k.mul_(self.momentum).add_(param_q.detach(), alpha=1 - self.momentum)
        self.center = self.center * 0.9 + teacher_out.mean(dim=0, keepdim=True) * 0.1
        #+ collapsed: if self.center.std() < 1e-8: raise RuntimeError("the teacher has collapsed")

    def train_one_step(self):
        large, small = self.crops()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            with torch.no_grad():
                teacher_out = self.teacher(large)
            student_out = torch.cat([self.student(large), self.student(small)])
        loss = self.loss(student_out.float(), teacher_out.float())
        #+ finite: if not math.isfinite(loss.item()): sys.exit(1)
        self.optimizer.zero_grad()
        loss.backward()
        #+ item-backward: self.loss_meter.append(loss.item())
        self.optimizer.step()
        self.update_teacher(teacher_out.float())
        #+ features: self.features = teacher_out.detach().float().cpu()
        #+ used: prototypes = torch.unique(teacher_out.argmax(dim=-1)).numel()
        return loss

    def report(self, loss):
        self.iteration += 1
        #+ meter: self.loss_meter.append(float(loss.detach()))
        #+ print: print("loss:", loss.detach(), "at", self.iteration)
        #+ tenth: if self.iteration % 10 == 0: self.loss_meter.append(loss.item())


trainer = Trainer()


def train(steps):
    trainer.student.train()
    for _ in range(steps):
        loss = trainer.train_one_step()
        trainer.report(loss)


if __name__ == "__main__":
    train(60)
