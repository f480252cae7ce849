"""captum: each attribution method asked for a few batches."""
import torch
from captum import attr as A
from captum.concept import TCAV, CAV  # noqa: F401
from captum.influence import TracInCP, TracInCPFast, TracInCPFastRandProj
from captum.metrics import infidelity, sensitivity_max
from captum.robust import FGSM, PGD, MinParamPerturbation

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.relu1, self.pool1, self.pool2 = torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.MaxPool2d(2)
        self.conv2, self.relu2, self.flat, self.fc = torch.nn.Conv2d(8, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 16, 5)

    def forward(self, x):
        return self.fc(self.flat(self.pool2(self.relu2(self.conv2(self.pool1(self.relu1(self.conv1(x))))))))


def _inputs():
    return torch.rand(2, 3, 16, 16, device=device, requires_grad=True), torch.randint(0, 5, (2,), device=device)


def gradients():
    net = Net().to(device).eval()
    for method in (A.Saliency(net), A.InputXGradient(net), A.IntegratedGradients(net), A.DeepLift(net), A.DeepLiftShap(net), A.GradientShap(net), A.GuidedBackprop(net), A.Deconvolution(net), A.LRP(net), A.GuidedGradCam(net, net.conv2)):
        try:
            for _ in range(3):
                x, y = _inputs()
                if isinstance(method, A.IntegratedGradients):
                    method.attribute(x, target=y, n_steps=8, internal_batch_size=4, return_convergence_delta=True)
                elif isinstance(method, (A.GradientShap, A.DeepLiftShap)):
                    method.attribute(x, baselines=torch.zeros(3, 3, 16, 16, device=device), target=y, return_convergence_delta=True)
                elif isinstance(method, A.DeepLift):
                    method.attribute(x, target=y, return_convergence_delta=True)
                else:
                    method.attribute(x, target=y)
        except Exception as error:
            print(type(method).__name__, type(error).__name__, error)


def perturbations():
    net = Net().to(device).eval()
    mask = torch.arange(4, device=device).repeat_interleave(4)[None, None, :, None].expand(1, 3, 16, 16).contiguous()
    for method in (A.FeatureAblation(net), A.Occlusion(net), A.ShapleyValueSampling(net), A.KernelShap(net), A.Lime(net), A.FeaturePermutation(net), A.ShapleyValues(net)):
        try:
            for _ in range(3):
                x, y = _inputs()
                if isinstance(method, A.Occlusion):
                    method.attribute(x, sliding_window_shapes=(3, 8, 8), strides=(3, 8, 8), target=y)
                elif type(method) in (A.ShapleyValueSampling, A.KernelShap, A.Lime):
                    method.attribute(x[:1], feature_mask=mask, n_samples=6, target=y[:1])
                else:
                    method.attribute(x, feature_mask=mask, target=y)
        except Exception as error:
            print(type(method).__name__, type(error).__name__, error)


def layers():
    net = Net().to(device).eval()
    for method in (A.LayerGradCam(net, net.conv2), A.LayerActivation(net, net.conv1), A.LayerIntegratedGradients(net, net.conv1), A.LayerConductance(net, net.conv1), A.InternalInfluence(net, net.conv1), A.LayerDeepLift(net, net.conv1),
                   A.LayerGradientXActivation(net, net.conv2), A.LayerGradientShap(net, net.conv1), A.LayerFeatureAblation(net, net.conv1), A.LayerLRP(net, net.conv1), A.LayerDeepLiftShap(net, net.conv1)):
        try:
            for _ in range(3):
                x, y = _inputs()
                if isinstance(method, A.LayerActivation):
                    method.attribute(x)
                elif isinstance(method, (A.LayerIntegratedGradients, A.LayerConductance, A.InternalInfluence)):
                    method.attribute(x, target=y, n_steps=6)
                elif isinstance(method, (A.LayerGradientShap, A.LayerDeepLiftShap)):
                    method.attribute(x, torch.zeros(2, 3, 16, 16, device=device), target=y)
                else:
                    method.attribute(x, target=y)
        except Exception as error:
            print(type(method).__name__, type(error).__name__, error)


def neurons():
    net = Net().to(device).eval()
    for method in (A.NeuronGradient(net, net.conv1), A.NeuronIntegratedGradients(net, net.conv1), A.NeuronConductance(net, net.conv1), A.NeuronFeatureAblation(net, net.conv1), A.NeuronDeepLift(net, net.conv1), A.NeuronGuidedBackprop(net, net.conv1)):
        try:
            for _ in range(3):
                x, y = _inputs()
                if isinstance(method, A.NeuronConductance):
                    method.attribute(x, (0, 1, 1), target=y, n_steps=6)
                elif isinstance(method, A.NeuronFeatureAblation):
                    method.attribute(x, (0, 1, 1), feature_mask=torch.zeros(1, 3, 16, 16, dtype=torch.long, device=device))
                else:
                    method.attribute(x, (0, 1, 1))
        except Exception as error:
            print(type(method).__name__, type(error).__name__, error)


def noise():
    net = Net().to(device).eval()
    tunnel = A.NoiseTunnel(A.Saliency(net))
    for _ in range(3):
        x, y = _inputs()
        tunnel.attribute(x, nt_type="smoothgrad_sq", nt_samples=4, target=y)
        tunnel.attribute(x, nt_type="vargrad", nt_samples=4, target=y)


def metrics():
    net = Net().to(device).eval()
    saliency = A.Saliency(net)
    for _ in range(3):
        x, y = _inputs()
        infidelity(net, lambda inputs: (torch.randn_like(inputs) * 0.01, inputs - 0.01), x, saliency.attribute(x, target=y), target=y, n_perturb_samples=3)
        sensitivity_max(saliency.attribute, x, target=y, n_perturb_samples=3).max().item()


def robust():
    net = Net().to(device).eval()
    fgsm, pgd = FGSM(net, lower_bound=0, upper_bound=1), PGD(net, torch.nn.CrossEntropyLoss(reduction="none"))
    least = MinParamPerturbation(forward_func=net, attack=lambda x, s: x + s * torch.randn_like(x), arg_name="s", arg_min=0.0, arg_max=1.0, arg_step=0.25, mode="linear")
    for _ in range(3):
        x, y = _inputs()
        fgsm.perturb(x, 0.1, y)
        pgd.perturb(x, radius=0.1, step_size=0.02, step_num=3, target=y)
        least.evaluate(x[:1].detach(), target=int(net(x[:1]).argmax()))


def influence():
    net = Net().to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    data = torch.utils.data.TensorDataset(torch.rand(24, 3, 16, 16, device=device), torch.randint(0, 5, (24,), device=device))
    for epoch in range(2):
        for x, y in torch.utils.data.DataLoader(data, batch_size=8):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        torch.save(net.state_dict(), f"net-{epoch}.pt")

    def load(model, path):
        model.load_state_dict(torch.load(path))
        return 1.0

    for kind in (TracInCP, TracInCPFast, TracInCPFastRandProj):
        try:
            first = (net,) if kind is TracInCP else (net, net.fc)
            options = {"sample_wise_grads_per_batch": True} if kind is TracInCP else {}
            tracin = kind(*first, data, ["net-0.pt", "net-1.pt"], checkpoints_load_func=load, loss_fn=torch.nn.CrossEntropyLoss(reduction="sum"), batch_size=8, **options)
            for _ in range(2):
                inputs = (data.tensors[0][:4], data.tensors[1][:4])
                tracin.influence(inputs, k=2, proponents=True)
                tracin.influence(inputs)
                tracin.self_influence() if kind is not TracInCPFastRandProj else None
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


if __name__ == "__main__":
    for work in (gradients, perturbations, layers, neurons, noise, metrics, robust, influence):
        work()
