import math
import random

import torch

from renderer import render
from scene.cameras import Camera, look_at
from scene.gaussian_model import GaussianModel


class Scene:
    """Toy scene: a hidden set of gaussians rendered from a ring of cameras."""

    def __init__(self, args, gaussians, shuffle=True):
        self.model_path = args.model_path
        self.gaussians = gaussians
        bg = torch.tensor([1.0, 1.0, 1.0] if args.white_background else [0.0, 0.0, 0.0]).cuda()

        hidden = GaussianModel(args.sh_degree)
        u = torch.randn(300, 3)
        u = u / u.norm(dim=-1, keepdim=True)
        pts = u * torch.tensor([0.8, 0.5, 0.8])
        pts[:100] = pts[:100] * 0.4 + torch.tensor([0.0, 0.7, 0.0])
        hidden.create_from_pcd(pts, torch.rand(300, 3), scale=0.09)
        with torch.no_grad():
            hidden._opacity += 2.0

        self.train_cameras = self._make_cameras(hidden, args.n_train_views, args, bg, 0.0)
        self.test_cameras = self._make_cameras(hidden, args.n_test_views, args, bg, 0.2)
        if shuffle:
            random.shuffle(self.train_cameras)
        centers = torch.stack([c.camera_center for c in self.train_cameras])
        self.cameras_extent = (centers - centers.mean(0)).norm(dim=-1).max().item() * 1.1
        print("Scene extent:", self.cameras_extent)

        init = (torch.rand(args.init_points, 3) * 2 - 1) * 1.1
        self.gaussians.create_from_pcd(init, torch.rand(args.init_points, 3))

    def _make_cameras(self, hidden, n, args, bg, offset):
        cams = []
        for i in range(n):
            a = 2 * math.pi * i / n + offset
            eye = torch.tensor([3.2 * math.cos(a), 0.8 * math.sin(3 * a) + 0.5, 3.2 * math.sin(a)])
            R, T = look_at(eye)
            cam = Camera(i, R, T, 0.9, None, args.resolution, args.resolution, args.data_device)
            with torch.no_grad():
                cam.original_image = render(cam, hidden, bg)["render"].clamp(0, 1).to(args.data_device)
            cams.append(cam)
        return cams

    def save(self, iteration):
        self.gaussians.save("{}/point_cloud/iteration_{}/point_cloud.ply".format(self.model_path, iteration))

    def getTrainCameras(self):
        return self.train_cameras

    def getTestCameras(self):
        return self.test_cameras
