import torch
import torch.nn as nn
import torch.nn.functional as F

from models.pointnet2_utils import PointNetFeaturePropagation, PointNetSetAbstraction


class get_model(nn.Module):
    def __init__(self, num_part, num_classes):
        super(get_model, self).__init__()
        self.num_classes = num_classes
        self.sa1 = PointNetSetAbstraction(64, 0.3, 16, 6, [16, 16, 32], False)
        self.sa2 = PointNetSetAbstraction(16, 0.6, 16, 32 + 3, [32, 32, 64], False)
        self.sa3 = PointNetSetAbstraction(None, None, None, 64 + 3, [64, 128], True)
        self.fp3 = PointNetFeaturePropagation(128 + 64, [64])
        self.fp2 = PointNetFeaturePropagation(64 + 32, [64, 32])
        self.fp1 = PointNetFeaturePropagation(32 + 6 + num_classes, [32, 32])
        self.conv1 = nn.Conv1d(32, 32, 1)
        self.bn1 = nn.BatchNorm1d(32)
        self.drop1 = nn.Dropout(0.5)
        self.conv2 = nn.Conv1d(32, num_part, 1)

    def forward(self, xyz, cls_label):
        B, C, N = xyz.shape
        l0_points = xyz
        l0_xyz = xyz[:, :3, :]
        l1_xyz, l1_points = self.sa1(l0_xyz, l0_points[:, 3:, :])
        l2_xyz, l2_points = self.sa2(l1_xyz, l1_points)
        l3_xyz, l3_points = self.sa3(l2_xyz, l2_points)
        l2_points = self.fp3(l2_xyz, l3_xyz, l2_points, l3_points)
        l1_points = self.fp2(l1_xyz, l2_xyz, l1_points, l2_points)
        cls_label_one_hot = cls_label.view(B, self.num_classes, 1).repeat(1, 1, N)
        l0_points = self.fp1(l0_xyz, l1_xyz, torch.cat([cls_label_one_hot, l0_xyz, l0_points[:, 3:, :]], 1), l1_points)
        feat = F.relu(self.bn1(self.conv1(l0_points)))
        x = self.conv2(self.drop1(feat))
        return F.log_softmax(x, dim=1).permute(0, 2, 1), l3_points


class get_loss(nn.Module):
    def forward(self, pred, target, trans_feat):
        return F.nll_loss(pred, target)
