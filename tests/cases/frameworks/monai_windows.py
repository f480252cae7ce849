"""Windows that a model sees on the GPU are stitched where `device` says, else where the volume is."""
import torch
from monai.inferers import sliding_window_inference


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv3d(1, 2, 3, padding=1)

    def forward(self, x):
        if x.isnan().any():  # sync: tensor-truth
            raise ValueError("nan")
        return self.conv(x)


def validate(net, volumes):
    hits = 0
    for size in volumes:
        image, label = torch.rand(1, 1, size, size, size), torch.ones(1, size, size, size)
        out = sliding_window_inference(image, (96, 96, 96), 4, net, sw_device="cuda", device="cpu")
        hits += (out.argmax(1) == label).sum().item()
        out = sliding_window_inference(image.cuda(), (96, 96, 96), 4, net)  # sync: copy-to-device
        hits += out.argmax(1).sum().item()  # sync: host-read
        out = sliding_window_inference(inputs=image.cuda(), roi_size=96, sw_batch_size=4, predictor=net, device=torch.device("cpu"))  # sync: copy-to-device
        hits += out.argmax(1).sum().item()
    return hits


print(validate(Net().cuda(), range(96, 300)))
