import torch


class ChamferFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, xyz1, xyz2):
        with torch.no_grad():
            d = torch.cdist(xyz1, xyz2)
            dist1, idx1 = d.min(2)
            dist2, idx2 = d.min(1)
        ctx.save_for_backward(xyz1, xyz2, idx1, idx2)
        ctx.mark_non_differentiable(idx1, idx2)
        return dist1 ** 2, dist2 ** 2, idx1, idx2

    @staticmethod
    def backward(ctx, g1, g2, _i1, _i2):
        xyz1, xyz2, idx1, idx2 = ctx.saved_tensors
        e1 = idx1.unsqueeze(-1).expand(-1, -1, 3)
        e2 = idx2.unsqueeze(-1).expand(-1, -1, 3)
        t1 = 2 * g1.unsqueeze(-1) * (xyz1 - torch.gather(xyz2, 1, e1))
        t2 = 2 * g2.unsqueeze(-1) * (xyz2 - torch.gather(xyz1, 1, e2))
        grad1 = t1.clone().scatter_add_(1, e2, -t2)
        grad2 = t2.clone().scatter_add_(1, e1, -t1)
        return grad1, grad2


class ChamferDistanceL2(torch.nn.Module):
    def __init__(self, ignore_zeros=False):
        super(ChamferDistanceL2, self).__init__()
        self.ignore_zeros = ignore_zeros

    def forward(self, xyz1, xyz2):
        if xyz1.size(0) == 1 and self.ignore_zeros:
            non_zeros1 = torch.sum(xyz1, dim=2).ne(0)
            non_zeros2 = torch.sum(xyz2, dim=2).ne(0)
            xyz1 = xyz1[non_zeros1].unsqueeze(dim=0)
            xyz2 = xyz2[non_zeros2].unsqueeze(dim=0)
        dist1, dist2, _, _ = ChamferFunction.apply(xyz1, xyz2)
        return torch.mean(dist1) + torch.mean(dist2)


class ChamferDistanceL1(torch.nn.Module):
    def forward(self, xyz1, xyz2):
        dist1, dist2, _, _ = ChamferFunction.apply(xyz1, xyz2)
        dist1 = torch.mean(torch.sqrt(dist1 + 1e-12))
        dist2 = torch.mean(torch.sqrt(dist2 + 1e-12))
        return (dist1 + dist2) / 2


def f_score(pred, gt, th=0.01):
    d = torch.cdist(pred, gt)
    p = (d.min(2)[0] < th).float().mean(1)
    r = (d.min(1)[0] < th).float().mean(1)
    f = 2 * p * r / (p + r)
    f[torch.isnan(f)] = 0
    return f
