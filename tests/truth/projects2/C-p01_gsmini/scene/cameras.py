import math

import torch
from torch import nn


class Camera(nn.Module):
    def __init__(self, uid, R, T, fov, image, width, height, data_device="cuda"):
        super(Camera, self).__init__()
        self.uid = uid
        self.R = R
        self.T = T
        self.fov = fov
        self.image_width = width
        self.image_height = height
        self.data_device = torch.device(data_device)
        self.fx = width / (2.0 * math.tan(fov / 2.0))
        self.fy = height / (2.0 * math.tan(fov / 2.0))
        self.world_view = R.to(self.data_device)
        self.trans = T.to(self.data_device)
        # camera position in world coordinates
        self.camera_center = -self.world_view.t() @ self.trans
        self.original_image = None
        if image is not None:
            self.original_image = image.clamp(0.0, 1.0).to(self.data_device)


def look_at(eye, target=None, up=None):
    if target is None:
        target = torch.zeros(3)
    if up is None:
        up = torch.tensor([0.0, 1.0, 0.0])
    fwd = target - eye
    fwd = fwd / fwd.norm()
    right = torch.linalg.cross(fwd, up)
    right = right / right.norm()
    down = torch.linalg.cross(fwd, right)
    R = torch.stack([right, down, fwd], dim=0)
    T = -R @ eye
    return R, T
