import torch
import torch.nn as nn
import torch.nn.functional as F

from core.corr import CorrBlock, coords_grid


class ResidualBlock(nn.Module):
    def __init__(self, cin, cout, norm, stride=1):
        super().__init__()
        make = {'instance': nn.InstanceNorm2d, 'batch': nn.BatchNorm2d}[norm]
        self.conv1 = nn.Conv2d(cin, cout, 3, padding=1, stride=stride)
        self.conv2 = nn.Conv2d(cout, cout, 3, padding=1)
        self.norm1, self.norm2 = make(cout), make(cout)
        self.downsample = None
        if stride != 1 or cin != cout:
            self.downsample = nn.Sequential(nn.Conv2d(cin, cout, 1, stride=stride), make(cout))

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = F.relu(self.norm2(self.conv2(y)))
        if self.downsample is not None:
            x = self.downsample(x)
        return F.relu(x + y)


class SmallEncoder(nn.Module):
    def __init__(self, output_dim, norm):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 7, stride=2, padding=3)
        self.norm1 = nn.InstanceNorm2d(32) if norm == 'instance' else nn.BatchNorm2d(32)
        self.layer1 = ResidualBlock(32, 32, norm)
        self.layer2 = ResidualBlock(32, 64, norm, 2)
        self.layer3 = ResidualBlock(64, 96, norm, 2)
        self.conv2 = nn.Conv2d(96, output_dim, 1)

    def forward(self, x):
        is_list = isinstance(x, (tuple, list))
        if is_list:
            batch_dim = x[0].shape[0]
            x = torch.cat(x, dim=0)
        x = F.relu(self.norm1(self.conv1(x)))
        x = self.conv2(self.layer3(self.layer2(self.layer1(x))))
        return torch.split(x, [batch_dim, batch_dim], dim=0) if is_list else x


class ConvGRU(nn.Module):
    def __init__(self, hidden_dim, input_dim):
        super().__init__()
        self.convz = nn.Conv2d(hidden_dim + input_dim, hidden_dim, 3, padding=1)
        self.convr = nn.Conv2d(hidden_dim + input_dim, hidden_dim, 3, padding=1)
        self.convq = nn.Conv2d(hidden_dim + input_dim, hidden_dim, 3, padding=1)

    def forward(self, h, x):
        hx = torch.cat([h, x], dim=1)
        z = torch.sigmoid(self.convz(hx))
        r = torch.sigmoid(self.convr(hx))
        q = torch.tanh(self.convq(torch.cat([r * h, x], dim=1)))
        return (1 - z) * h + z * q


class UpdateBlock(nn.Module):
    def __init__(self, corr_planes, hidden_dim, context_dim):
        super().__init__()
        self.convc1 = nn.Conv2d(corr_planes, 96, 1)
        self.convf1 = nn.Conv2d(2, 32, 7, padding=3)
        self.convf2 = nn.Conv2d(32, 32, 3, padding=1)
        self.conv = nn.Conv2d(128, 78, 3, padding=1)
        self.gru = ConvGRU(hidden_dim, context_dim + 80)
        self.flow_head = nn.Sequential(nn.Conv2d(hidden_dim, 96, 3, padding=1), nn.ReLU(inplace=True),
                                       nn.Conv2d(96, 2, 3, padding=1))
        self.mask = nn.Sequential(nn.Conv2d(hidden_dim, 96, 3, padding=1), nn.ReLU(inplace=True),
                                  nn.Conv2d(96, 64 * 9, 1))

    def forward(self, net, inp, corr, flow):
        cor = F.relu(self.convc1(corr))
        flo = F.relu(self.convf2(F.relu(self.convf1(flow))))
        mot = F.relu(self.conv(torch.cat([cor, flo], dim=1)))
        net = self.gru(net, torch.cat([inp, mot, flow], dim=1))
        return net, 0.25 * self.mask(net), self.flow_head(net)


class MiniRAFT(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.hdim, self.cdim = 64, 48
        self.levels, self.radius = 3, args.corr_radius
        self.fnet = SmallEncoder(96, 'instance')
        self.cnet = SmallEncoder(self.hdim + self.cdim, 'batch')
        self.update_block = UpdateBlock(self.levels * (2 * self.radius + 1) ** 2, self.hdim, self.cdim)

    def upsample_flow(self, flow, mask):
        """ [H/8, W/8, 2] -> [H, W, 2] with a convex combination """
        N, _, H, W = flow.shape
        mask = torch.softmax(mask.view(N, 1, 9, 8, 8, H, W), dim=2)
        up = F.unfold(8 * flow, [3, 3], padding=1).view(N, 2, 9, 1, 1, H, W)
        up = torch.sum(mask * up, dim=2).permute(0, 1, 4, 2, 5, 3)
        return up.reshape(N, 2, 8 * H, 8 * W)

    def forward(self, image1, image2, iters=8):
        image1 = 2 * (image1 / 255.0) - 1.0
        image2 = 2 * (image2 / 255.0) - 1.0
        fmap1, fmap2 = self.fnet([image1, image2])
        corr_fn = CorrBlock(fmap1, fmap2, self.levels, self.radius)
        net, inp = torch.split(self.cnet(image1), [self.hdim, self.cdim], dim=1)
        net, inp = torch.tanh(net), torch.relu(inp)

        N, _, H, W = image1.shape
        coords0 = coords_grid(N, H // 8, W // 8, image1.device)
        coords1 = coords0.clone()

        flow_predictions = []
        for _ in range(iters):
            coords1 = coords1.detach()
            corr = corr_fn(coords1)
            net, up_mask, delta_flow = self.update_block(net, inp, corr, coords1 - coords0)
            coords1 = coords1 + delta_flow
            flow_predictions.append(self.upsample_flow(coords1 - coords0, up_mask))
        return coords1 - coords0, flow_predictions
