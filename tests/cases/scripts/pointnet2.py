"""PointNet++ classification: farthest point sampling, ball query, class accuracies with numpy."""
import argparse
import datetime
import logging
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm


def square_distance(src, dst):
    B, N, _ = src.shape
    _, M, _ = dst.shape
    dist = -2 * torch.matmul(src, dst.permute(0, 2, 1))
    dist += torch.sum(src**2, -1).view(B, N, 1)
    dist += torch.sum(dst**2, -1).view(B, 1, M)
    return dist


def index_points(points, idx):
    device = points.device
    B = points.shape[0]
    view_shape = list(idx.shape)
    view_shape[1:] = [1] * (len(view_shape) - 1)
    repeat_shape = list(idx.shape)
    repeat_shape[0] = 1
    batch_indices = torch.arange(B, dtype=torch.long).to(device).view(view_shape).repeat(repeat_shape)  # sync: copy-to-device
    return points[batch_indices, idx, :]


def farthest_point_sample(xyz, npoint):
    device = xyz.device
    B, N, C = xyz.shape
    centroids = torch.zeros(B, npoint, dtype=torch.long).to(device)  # sync: copy-to-device
    distance = torch.ones(B, N).to(device) * 1e10  # sync: copy-to-device
    farthest = torch.randint(0, N, (B,), dtype=torch.long).to(device)  # sync: copy-to-device
    batch_indices = torch.arange(B, dtype=torch.long).to(device)  # sync: copy-to-device
    for i in range(npoint):
        centroids[:, i] = farthest
        centroid = xyz[batch_indices, farthest, :].view(B, 1, 3)
        dist = torch.sum((xyz - centroid) ** 2, -1)
        mask = dist < distance
        distance[mask] = dist[mask]  # sync: dynamic-shape x2
        farthest = torch.max(distance, -1)[1]
    return centroids


def query_ball_point(radius, nsample, xyz, new_xyz):
    device = xyz.device
    B, N, C = xyz.shape
    _, S, _ = new_xyz.shape
    group_idx = torch.arange(N, dtype=torch.long).to(device).view(1, 1, N).repeat([B, S, 1])  # sync: copy-to-device
    sqrdists = square_distance(new_xyz, xyz)
    group_idx[sqrdists > radius**2] = N
    group_idx = group_idx.sort(dim=-1)[0][:, :, :nsample]
    group_first = group_idx[:, :, 0].view(B, S, 1).repeat([1, 1, nsample])
    mask = group_idx == N
    group_idx[mask] = group_first[mask]  # sync: dynamic-shape x2
    return group_idx


class SetAbstraction(nn.Module):
    def __init__(self, npoint, radius, nsample, in_channel, mlp):
        super().__init__()
        self.npoint, self.radius, self.nsample = npoint, radius, nsample
        self.mlp_convs = nn.ModuleList()
        last = in_channel
        for out in mlp:
            self.mlp_convs.append(nn.Sequential(nn.Conv2d(last, out, 1), nn.BatchNorm2d(out), nn.ReLU()))
            last = out

    def forward(self, xyz, points):
        xyz = xyz.permute(0, 2, 1)
        new_xyz = index_points(xyz, farthest_point_sample(xyz, self.npoint))
        idx = query_ball_point(self.radius, self.nsample, xyz, new_xyz)
        grouped = index_points(xyz, idx) - new_xyz.view(xyz.size(0), self.npoint, 1, 3)
        if points is not None:
            grouped = torch.cat([grouped, index_points(points.permute(0, 2, 1), idx)], dim=-1)
        x = grouped.permute(0, 3, 2, 1)
        for conv in self.mlp_convs:
            x = conv(x)
        return new_xyz.permute(0, 2, 1), torch.max(x, 2)[0]


class get_model(nn.Module):
    def __init__(self, num_class):
        super().__init__()
        self.sa1 = SetAbstraction(512, 0.2, 32, 3, [64, 64, 128])
        self.sa2 = SetAbstraction(128, 0.4, 64, 128 + 3, [128, 128, 256])
        self.fc = nn.Linear(256, num_class)

    def forward(self, xyz):
        l1_xyz, l1 = self.sa1(xyz, None)
        l2_xyz, l2 = self.sa2(l1_xyz, l1)
        return F.log_softmax(self.fc(l2.max(2)[0]), -1), l2


class get_loss(nn.Module):
    def forward(self, pred, target, trans_feat):
        return F.nll_loss(pred, target)


def test(model, loader, num_class=40):
    mean_correct = []
    class_acc = np.zeros((num_class, 3))
    classifier = model.eval()
    for j, (points, target) in tqdm(enumerate(loader), total=len(loader)):
        points, target = points.cuda(), target.cuda()  # sync: copy-to-device x2
        points = points.transpose(2, 1)
        pred, _ = classifier(points)
        pred_choice = pred.data.max(1)[1]
        for cat in np.unique(target.cpu()):  # sync: copy-to-host
            classacc = pred_choice[target == cat].eq(target[target == cat].long().data).cpu().sum()  # sync: copy-to-host, dynamic-shape x2
            class_acc[cat, 0] += classacc.item() / float(points[target == cat].size()[0])  # sync: dynamic-shape
            class_acc[cat, 1] += 1
        correct = pred_choice.eq(target.long().data).cpu().sum()  # sync: copy-to-host
        mean_correct.append(correct.item() / float(points.size()[0]))
    class_acc[:, 2] = class_acc[:, 0] / class_acc[:, 1]
    return np.mean(mean_correct), np.mean(class_acc[:, 2])


class ModelNet(Dataset):
    def __init__(self, split):
        self.rows = np.load(split + ".npz")["points"]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i, :1024].astype(np.float32), int(self.rows[i, -1, 0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--use_cpu", action="store_true", default=False)
    parser.add_argument("--epoch", default=200, type=int)
    args = parser.parse_args()
    train_loader = DataLoader(ModelNet("train"), batch_size=24, shuffle=True, num_workers=10, drop_last=True)
    test_loader = DataLoader(ModelNet("test"), batch_size=24, shuffle=False, num_workers=10)
    classifier = get_model(40)
    criterion = get_loss()
    if not args.use_cpu:
        classifier = classifier.cuda()
        criterion = criterion.cuda()
    optimizer = torch.optim.Adam(classifier.parameters(), lr=0.001)
    best = 0.0
    for epoch in range(args.epoch):
        mean_correct = []
        classifier = classifier.train()
        for batch_id, (points, target) in tqdm(enumerate(train_loader, 0), total=len(train_loader), smoothing=0.9):
            optimizer.zero_grad()
            points = points.data.numpy()
            points[:, :, 0:3] *= np.random.uniform(0.8, 1.25)
            points = torch.Tensor(points)
            points = points.transpose(2, 1)
            if not args.use_cpu:
                points, target = points.cuda(), target.cuda()  # sync: copy-to-device x2
            pred, trans_feat = classifier(points)
            loss = criterion(pred, target.long(), trans_feat)
            pred_choice = pred.data.max(1)[1]
            correct = pred_choice.eq(target.long().data).cpu().sum()  # sync: copy-to-host
            mean_correct.append(correct.item() / float(points.size()[0]))
            loss.backward()
            optimizer.step()
        print("Train Instance Accuracy: %f" % np.mean(mean_correct))
        with torch.no_grad():
            instance_acc, class_acc = test(classifier.eval(), test_loader)
            if instance_acc >= best:
                best = instance_acc
                torch.save({"epoch": epoch, "model_state_dict": classifier.state_dict()}, "best_model.pth")  # sync: copy-to-host note


if __name__ == "__main__":
    main()
