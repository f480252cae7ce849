import torch
import torch.nn as nn


def furthest_point_sample(xyz, npoint):
    B, N, _ = xyz.shape
    centroids = torch.zeros(B, npoint, dtype=torch.long).to(xyz.device)
    distance = torch.ones(B, N).to(xyz.device) * 1e10
    farthest = torch.randint(0, N, (B,), dtype=torch.long).to(xyz.device)
    batch_indices = torch.arange(B, dtype=torch.long).to(xyz.device)
    for i in range(npoint):
        centroids[:, i] = farthest
        centroid = xyz[batch_indices, farthest, :].view(B, 1, 3)
        dist = torch.sum((xyz - centroid) ** 2, -1)
        mask = dist < distance
        distance[mask] = dist[mask]
        farthest = torch.max(distance, -1)[1]
    return centroids


def knn_group(xyz, centers, k):
    idx = torch.cdist(centers, xyz).topk(k, dim=-1, largest=False)[1]       # B S k
    B = xyz.size(0)
    b = torch.arange(B, device=xyz.device).view(B, 1, 1)
    return xyz[b, idx] - centers.unsqueeze(2)


class LocalEncoder(nn.Module):
    def __init__(self, n_center=64, k=16, out=128):
        super(LocalEncoder, self).__init__()
        self.n_center = n_center
        self.k = k
        self.mlp = nn.Sequential(nn.Conv2d(3, 64, 1), nn.BatchNorm2d(64), nn.ReLU(inplace=True),
                                 nn.Conv2d(64, out, 1))
        self.pos = nn.Conv1d(3, out, 1)

    def forward(self, xyz):
        idx = furthest_point_sample(xyz, self.n_center)
        centers = torch.gather(xyz, 1, idx.unsqueeze(-1).expand(-1, -1, 3))
        g = knn_group(xyz, centers, self.k).permute(0, 3, 1, 2).contiguous()
        f = self.mlp(g).max(-1)[0]
        f = f + self.pos(centers.transpose(1, 2))
        return f.max(-1)[0]


class PCN(nn.Module):
    def __init__(self, num_dense=1024, latent_dim=256, grid_size=2):
        super(PCN, self).__init__()
        self.num_dense = num_dense
        self.latent_dim = latent_dim
        self.grid_size = grid_size
        assert self.num_dense % self.grid_size ** 2 == 0
        self.num_coarse = self.num_dense // (self.grid_size ** 2)

        self.first_conv = nn.Sequential(
            nn.Conv1d(3, 64, 1), nn.BatchNorm1d(64), nn.ReLU(inplace=True), nn.Conv1d(64, 128, 1))
        self.second_conv = nn.Sequential(
            nn.Conv1d(256, 256, 1), nn.BatchNorm1d(256), nn.ReLU(inplace=True), nn.Conv1d(256, latent_dim, 1))
        self.local = LocalEncoder(out=128)
        self.mlp = nn.Sequential(
            nn.Linear(latent_dim + 128, 512), nn.ReLU(inplace=True),
            nn.Linear(512, 512), nn.ReLU(inplace=True), nn.Linear(512, 3 * self.num_coarse))
        self.final_conv = nn.Sequential(
            nn.Conv1d(latent_dim + 128 + 3 + 2, 256, 1), nn.BatchNorm1d(256), nn.ReLU(inplace=True),
            nn.Conv1d(256, 128, 1), nn.BatchNorm1d(128), nn.ReLU(inplace=True), nn.Conv1d(128, 3, 1))
        a = torch.linspace(-0.05, 0.05, steps=self.grid_size, dtype=torch.float).view(1, self.grid_size).expand(
            self.grid_size, self.grid_size).reshape(1, -1)
        b = torch.linspace(-0.05, 0.05, steps=self.grid_size, dtype=torch.float).view(self.grid_size, 1).expand(
            self.grid_size, self.grid_size).reshape(1, -1)
        self.folding_seed = torch.cat([a, b], dim=0).view(1, 2, self.grid_size ** 2).cuda()

    def forward(self, xyz):
        B, N, _ = xyz.shape
        feature = self.first_conv(xyz.transpose(2, 1))
        feature_global = torch.max(feature, dim=2, keepdim=True)[0]
        feature = torch.cat([feature_global.expand(-1, -1, N), feature], dim=1)
        feature = self.second_conv(feature)
        feature_global = torch.max(feature, dim=2, keepdim=False)[0]
        feature_global = torch.cat([feature_global, self.local(xyz)], dim=1)

        coarse = self.mlp(feature_global).reshape(-1, self.num_coarse, 3)
        point_feat = coarse.unsqueeze(2).expand(-1, -1, self.grid_size ** 2, -1)
        point_feat = point_feat.reshape(-1, self.num_dense, 3).transpose(2, 1)
        seed = self.folding_seed.unsqueeze(2).expand(B, -1, self.num_coarse, -1)
        seed = seed.reshape(B, -1, self.num_dense)
        feature_global = feature_global.unsqueeze(2).expand(-1, -1, self.num_dense)
        feat = torch.cat([feature_global, seed, point_feat], dim=1)
        fine = self.final_conv(feat) + point_feat
        return coarse.contiguous(), fine.transpose(1, 2).contiguous()
