"""snntorch and bindsnet: spiking networks trained by gradients and by plasticity."""
import sys
import types

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

for _name in ("ale_py", "tensorboardX"):  # bindsnet imports them; nothing of them is called here
    if _name not in sys.modules:
        sys.modules[_name] = types.ModuleType(_name)
        sys.modules[_name].SummaryWriter = object

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _net(neuron, inputs=20, hidden=16, outputs=4):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1, self.fc2 = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)
            self.a, self.b = neuron(hidden), neuron(outputs)

        def forward(self, x, steps=8):
            first, second = [], []
            for layer, state in ((self.a, first), (self.b, second)):
                made = getattr(layer, f"init_{type(layer).__name__.lower()}", None) or layer.reset_mem
                made = made()
                state.extend(made if isinstance(made, tuple) else (made,))
            spikes, potentials = [], []
            for step in range(steps):
                out = self.a(self.fc1(x[step] if x.dim() == 3 else x), *first)
                first = list(out[1:]) if len(out) - 1 == len(first) else list(out)
                out = self.b(self.fc2(out[0]), *second)
                second = list(out[1:]) if len(out) - 1 == len(second) else list(out)
                spikes.append(out[0])
                potentials.append(out[-1])
            return torch.stack(spikes), torch.stack(potentials)
    return Net().to(device)


def _fit(net, loss_function, steps=5, membrane=False):
    from snntorch import functional as SF
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        x, y = torch.rand(32, 20, device=device), torch.randint(0, 4, (32,), device=device)
        spikes, potentials = net(x)
        loss = loss_function(potentials if membrane else spikes, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            print(step, loss.item(), SF.accuracy_rate(spikes, y))


def snn_neurons():
    import snntorch as snn
    from snntorch import functional as SF
    from snntorch import surrogate
    for make in (lambda n: snn.Leaky(beta=0.9, spike_grad=surrogate.fast_sigmoid()), lambda n: snn.Leaky(beta=torch.rand(n), learn_beta=True, learn_threshold=True, reset_mechanism="zero"), lambda n: snn.Synaptic(alpha=0.9, beta=0.8), lambda n: snn.Alpha(alpha=0.9, beta=0.8), lambda n: snn.Lapicque(beta=0.5),
                 lambda n: snn.RLeaky(beta=0.9, linear_features=n), lambda n: snn.RSynaptic(alpha=0.9, beta=0.8, linear_features=n)):
        try:
            _fit(_net(make), SF.ce_rate_loss(), 3)
        except Exception as error:
            print(make, type(error).__name__, error)


def snn_losses():
    import snntorch as snn
    from snntorch import functional as SF
    from snntorch import surrogate
    for loss, membrane in ((SF.ce_rate_loss(), False), (SF.ce_count_loss(), False), (SF.ce_max_membrane_loss(), True), (SF.mse_count_loss(correct_rate=0.8, incorrect_rate=0.2), False), (SF.mse_membrane_loss(on_target=1.05, off_target=0.2), True), (SF.mse_temporal_loss(on_target=1, off_target=7), False), (SF.ce_temporal_loss(), False)):
        try:
            _fit(_net(lambda n: snn.Leaky(beta=0.9, spike_grad=surrogate.atan())), loss, 3, membrane)
        except Exception as error:
            print(type(loss).__name__, type(error).__name__, error)


def snn_surrogates():
    import snntorch as snn
    from snntorch import functional as SF
    from snntorch import surrogate as s
    for grad in (s.straight_through_estimator(), s.triangular(), s.fast_sigmoid(slope=25), s.atan(), s.heaviside(), s.sigmoid(), s.spike_rate_escape(), s.SSO(), s.LSO(), s.SFS()):
        try:
            _fit(_net(lambda n: snn.Leaky(beta=0.9, spike_grad=grad)), SF.ce_rate_loss(), 2)
        except Exception as error:
            print(type(error).__name__, error)


def snn_sequential():
    import snntorch as snn
    from snntorch import functional as SF
    from snntorch import surrogate, utils
    grad = surrogate.fast_sigmoid(slope=25)
    net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.MaxPool2d(2), snn.Leaky(beta=0.5, spike_grad=grad, init_hidden=True), nn.Conv2d(4, 8, 5), nn.MaxPool2d(2), snn.Leaky(beta=0.5, spike_grad=grad, init_hidden=True), nn.Flatten(), nn.Linear(8 * 4 * 4, 4), snn.Leaky(beta=0.5, spike_grad=grad, init_hidden=True, output=True)).to(device)
    optimizer, loss_function = torch.optim.Adam(net.parameters(), lr=1e-2), SF.mse_count_loss(correct_rate=0.8, incorrect_rate=0.2)
    for epoch in range(2):
        for x, y in DataLoader(TensorDataset(torch.rand(48, 1, 28, 28), torch.randint(0, 4, (48,))), batch_size=16):
            x, y = x.to(device), y.to(device)
            utils.reset(net)
            spikes = torch.stack([net(x)[0] for _ in range(5)])
            loss = loss_function(spikes, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(epoch, loss.item(), SF.accuracy_rate(spikes, y))


def snn_backprop():
    import snntorch as snn
    from snntorch import backprop, surrogate
    from snntorch import functional as SF
    loader = DataLoader(TensorDataset(torch.rand(48, 20), torch.randint(0, 4, (48,))), batch_size=16)
    for method in (backprop.BPTT, backprop.TBPTT, backprop.RTRL):
        try:
            net = nn.Sequential(nn.Linear(20, 16), snn.Leaky(beta=0.9, spike_grad=surrogate.fast_sigmoid(), init_hidden=True), nn.Linear(16, 4), snn.Leaky(beta=0.9, spike_grad=surrogate.fast_sigmoid(), init_hidden=True, output=True)).to(device)
            optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
            options = {"K": 5} if method is backprop.TBPTT else {}
            for epoch in range(2):
                print(method.__name__, method(net, loader, optimizer=optimizer, criterion=SF.ce_rate_loss(), num_steps=10, time_var=False, regularization=SF.l1_rate_sparsity(1e-4) if hasattr(SF, "l1_rate_sparsity") else False, device=device, **options))
        except Exception as error:
            print(method.__name__, type(error).__name__, error)


def snn_lstm():
    import snntorch as snn
    from snntorch import functional as SF
    from snntorch import surrogate
    first, second, head = snn.SLSTM(20, 16, spike_grad=surrogate.straight_through_estimator()).to(device), snn.SConv2dLSTM(1, 4, 3, max_pool=2, spike_grad=surrogate.straight_through_estimator()).to(device), nn.Linear(4 * 8 * 8, 4).to(device)
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters(), *head.parameters()])
    for step in range(3):
        syn, mem = first.init_slstm()
        syn2, mem2 = second.init_sconv2dlstm()
        spikes, others = [], []
        for _ in range(5):
            spk, syn, mem = first(torch.rand(16, 20, device=device), syn, mem)
            spk2, syn2, mem2 = second(torch.rand(16, 1, 16, 16, device=device), syn2, mem2)
            spikes.append(spk)
            others.append(head(spk2.flatten(1)))
        loss = SF.ce_rate_loss()(torch.stack(others), torch.randint(0, 4, (16,), device=device)) + torch.stack(spikes).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss.item())


def snn_codes():
    from snntorch import spikegen
    for _ in range(3):
        data, labels = torch.rand(16, 20, device=device), torch.randint(0, 4, (16,), device=device)
        for make in (lambda: spikegen.rate(data, num_steps=8), lambda: spikegen.latency(data, num_steps=8, tau=5, threshold=0.01), lambda: spikegen.latency(data, num_steps=8, linear=True, normalize=True, clip=True), lambda: spikegen.delta(data, threshold=0.1, off_spike=True), lambda: spikegen.targets_convert(labels, num_classes=4),
                     lambda: spikegen.targets_convert(labels, num_classes=4, code="latency", num_steps=8), lambda: spikegen.targets_rate(labels, num_classes=4, num_steps=8, correct_rate=0.8, incorrect_rate=0.1)):
            try:
                make()
            except Exception as error:
                print(type(error).__name__, error)


def snn_populations():
    import snntorch as snn
    from snntorch import functional as SF
    net = _net(lambda n: snn.Leaky(beta=0.9), outputs=20)
    loss_function = SF.mse_count_loss(correct_rate=1.0, incorrect_rate=0.0, population_code=True, num_classes=4)
    for _ in range(3):
        y = torch.randint(0, 4, (32,), device=device)
        spikes, _ = net(torch.rand(32, 20, device=device))
        loss_function(spikes, y).backward()
        print(SF.accuracy_rate(spikes, y, population_code=True, num_classes=4))
        print(SF.accuracy_temporal(spikes[..., :4], y))


def snn_quantised():
    import snntorch as snn
    from snntorch import functional as SF
    from snntorch.functional import quant
    _fit(_net(lambda n: snn.Leaky(beta=0.9, state_quant=quant.state_quant(num_bits=4, uniform=True, threshold=1))), SF.ce_rate_loss(), 3)
    _fit(_net(lambda n: snn.Leaky(beta=0.9, inhibition=True)), SF.ce_rate_loss(), 3)


def _plain(nodes, rule=None, n_out=16, **options):
    from bindsnet.network import Network
    from bindsnet.network.monitors import Monitor
    from bindsnet.network.nodes import Input
    from bindsnet.network.topology import Connection
    network = Network(dt=1.0, learning=True)
    source, target = Input(n=30, traces=True), nodes(n=n_out, traces=True)
    network.add_layer(source, name="X")
    network.add_layer(target, name="Y")
    network.add_connection(Connection(source=source, target=target, w=0.3 * torch.rand(30, n_out), update_rule=rule, nu=(1e-4, 1e-2), wmin=0.0, wmax=1.0, norm=10.0, **options), source="X", target="Y")
    network.add_connection(Connection(source=target, target=target, w=-0.1 * (torch.ones(n_out, n_out) - torch.eye(n_out))), source="Y", target="Y")
    network.add_monitor(Monitor(target, state_vars=("s", "v"), time=40), name="Y")
    return network.to(device)


def binds_nodes():
    from bindsnet.network import nodes as n
    for kind in (n.McCullochPitts, n.IFNodes, n.LIFNodes, n.BoostedLIFNodes, n.CurrentLIFNodes, n.AdaptiveLIFNodes, n.DiehlAndCookNodes, n.IzhikevichNodes, n.SRM0Nodes):
        try:
            network = _plain(kind)
            for _ in range(2):
                network.run(inputs={"X": torch.bernoulli(0.2 * torch.ones(40, 1, 30)).byte().to(device)}, time=40)
                print(kind.__name__, network.monitors["Y"].get("s").sum().item())
                network.reset_state_variables()
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def binds_rules():
    from bindsnet import learning as rules
    from bindsnet.network.nodes import LIFNodes
    for rule in ("PostPre", "Hebbian", "WeightDependentPostPre", "MSTDP", "MSTDPET", "Rmax"):
        try:
            network = _plain(LIFNodes, getattr(rules, rule))
            for _ in range(2):
                network.run(inputs={"X": torch.bernoulli(0.3 * torch.ones(40, 1, 30)).byte().to(device)}, time=40, reward=1.0)
                network.reset_state_variables()
        except Exception as error:
            print(rule, type(error).__name__, error)


def binds_encodings():
    from bindsnet import encoding as e
    for _ in range(2):
        for code in (e.bernoulli, e.poisson, e.rank_order):
            try:
                code(torch.rand(30, device=device) * 100, time=40, dt=1.0, device=str(device)) if code is not e.rank_order else code(torch.rand(30) * 100, time=40, dt=1.0)
            except Exception as error:
                print(code.__name__, type(error).__name__, error)
        e.single(torch.rand(30), time=40, dt=1.0)


def binds_digits():
    from bindsnet.encoding import PoissonEncoder
    from bindsnet.evaluation import all_activity, assign_labels, proportion_weighting
    from bindsnet.models import DiehlAndCook2015
    from bindsnet.network.monitors import Monitor
    network = DiehlAndCook2015(n_inpt=64, n_neurons=12, exc=22.5, inh=120, dt=1.0, norm=20.0, theta_plus=0.05, inpt_shape=(1, 8, 8)).to(device)
    network.add_monitor(Monitor(network.layers["Ae"], state_vars=["s"], time=50, device=device), name="Ae")
    encoder, record, seen = PoissonEncoder(time=50, dt=1.0), torch.zeros(6, 50, 12, device=device), []
    assignments, proportions, rates = -torch.ones(12, device=device), torch.zeros(12, 3, device=device), torch.zeros(12, 3, device=device)
    for step in range(18):
        if step % 6 == 0 and step > 0:
            labels = torch.tensor(seen, device=device)
            print((all_activity(spikes=record, assignments=assignments, n_labels=3) == labels).float().mean().item(), (proportion_weighting(spikes=record, assignments=assignments, proportions=proportions, n_labels=3) == labels).float().mean().item())
            assignments, proportions, rates = assign_labels(spikes=record, labels=labels, n_labels=3, rates=rates)
            seen = []
        image = encoder(torch.rand(1, 8, 8) * 128).view(50, 1, 1, 8, 8).to(device)
        seen.append(step % 3)
        network.run(inputs={"X": image}, time=50)
        record[step % 6] = network.monitors["Ae"].get("s").squeeze()
        network.reset_state_variables()


def binds_models():
    from bindsnet.models import IncreasingInhibitionNetwork, TwoLayerNetwork
    for make, shape in ((lambda: TwoLayerNetwork(n_inpt=30, n_neurons=12), (40, 1, 30)), (lambda: IncreasingInhibitionNetwork(n_input=30, n_neurons=16), (40, 1, 30))):
        try:
            network = make().to(device)
            for _ in range(2):
                network.run(inputs={"X": torch.bernoulli(0.3 * torch.ones(*shape)).byte().to(device)}, time=40)
                network.reset_state_variables()
        except Exception as error:
            print(type(error).__name__, error)


def binds_convolutions():
    from bindsnet.learning import PostPre
    from bindsnet.network import Network
    from bindsnet.network.nodes import DiehlAndCookNodes, Input
    from bindsnet.network.topology import Conv2dConnection
    network = Network()
    source, target = Input(shape=(1, 10, 10), traces=True), DiehlAndCookNodes(shape=(4, 8, 8), traces=True)
    network.add_layer(source, name="X")
    network.add_layer(target, name="Y")
    network.add_connection(Conv2dConnection(source, target, kernel_size=3, stride=1, update_rule=PostPre, norm=0.4 * 9, nu=[1e-4, 1e-2], wmax=1.0), source="X", target="Y")
    network.to(device)
    for _ in range(2):
        network.run(inputs={"X": torch.bernoulli(0.3 * torch.ones(30, 1, 1, 10, 10)).byte().to(device)}, time=30)
        network.reset_state_variables()
