"""fluke: federated learning, each algorithm as its quick start runs it."""
import importlib

import torch
from standin import blank

blank("omegaconf", "omegaconf.dictconfig", "omegaconf.listconfig", "diskcache", "wandb", "clearml", "cerberus", "opacus", "hydra", "hydra.core", "datasets", "seaborn", "psutil")
device = "cuda" if torch.cuda.is_available() else "cpu"


def _data(distribution="iid", **options):
    from fluke.data import DataContainer, DataSplitter
    torch.manual_seed(0)
    y = torch.randint(0, 10, (360,))
    x = torch.rand(360, 1, 28, 28) * 0.5 + 0.05 * y[:, None, None, None]
    return DataSplitter(DataContainer(x[:240], y[:240], x[240:], y[240:], num_classes=10), distribution=distribution, **options)


def _run(module, name, client=None, server=None, model="MNIST_2NN", rounds=2, data=None, callbacks=None, clients=3, evaluate=None, optimizer=None, loss="CrossEntropyLoss"):
    from fluke import DDict, FlukeENV
    from fluke.evaluation import ClassificationEval
    from fluke.utils.log import Log
    env = FlukeENV()
    env.set_seed(42)
    env.set_device(device)
    env.set_evaluator(ClassificationEval(eval_every=1, n_classes=10))
    env.set_eval_cfg(**dict(dict(pre_fit=False, post_fit=False, locals=False, server=True), **(evaluate or {})))
    hyper = DDict(client=DDict(**dict(dict(batch_size=32, local_epochs=2, loss=loss, optimizer=optimizer or DDict(name="SGD", lr=0.05), scheduler=DDict(gamma=0.99, step_size=1)), **(client or {}))), server=DDict(**dict(dict(weighted=True), **(server or {}))), model=model)
    kind = getattr(importlib.import_module("fluke.algorithms." + module), name)
    algorithm = kind(n_clients=clients, data_splitter=data or _data(client_split=0.2), hyper_params=hyper)
    algorithm.set_callbacks(callbacks or Log())
    algorithm.run(n_rounds=rounds, eligible_perc=1.0)
    return algorithm


def averaging():
    _run("fedavg", "FedAVG", rounds=3)


def averaging_evaluated():
    _run("fedavg", "FedAVG", evaluate=dict(pre_fit=True, post_fit=True, locals=True))


def averaging_clipped():
    from fluke import DDict
    _run("fedavg", "FedAVG", client=dict(clipping=1.0, optimizer=DDict(name="Adam", lr=1e-3)), model="MNIST_CNN")


def averaging_skewed():
    for kind, options in (("lbl_qnt", dict(class_per_client=5)), ("qnt", dict(min_quantity=4)), ("dir", dict(beta=0.5)), ("pathological", dict(shards_per_client=4))):
        try:
            from fluke import DDict
            _run("fedavg", "FedAVG", data=_data(kind, client_split=0.2, dist_args=DDict(**options)), rounds=1)
        except Exception as error:
            print(kind, type(error).__name__, error)


def momentum():
    _run("fedavgm", "FedAVGM", server=dict(momentum=0.9))


def proximal():
    _run("fedprox", "FedProx", client=dict(mu=0.1))


def gradients():
    _run("fedsgd", "FedSGD")


def adaptive_servers():
    for mode in ("adam", "adagrad", "yogi"):
        _run("fedopt", "FedOpt", server=dict(mode=mode, lr=0.01))


def extrapolation():
    _run("fedexp", "FedExP")


def control_variates():
    _run("scaffold", "SCAFFOLD", server=dict(global_step=1.0))


def normalised():
    _run("fednova", "FedNova")


def dynamic():
    _run("feddyn", "FedDyn", client=dict(alpha=0.1), server=dict(alpha=0.1))


def contrastive():
    _run("moon", "MOON", client=dict(mu=1.0, tau=0.5))


def sharpness():
    _run("fedsam", "FedSAM", client=dict(rho=0.05))


def calibrated():
    _run("fedlc", "FedLC", client=dict(tau=0.5))


def restricted():
    _run("fedrs", "FedRS", client=dict(alpha=0.5))


def spreadout():
    _run("fedaws", "FedAwS", server=dict(aws_lr=0.1, aws_steps=5, last_layer_name="_head.fc3"))


def kernels():
    _run("kafe", "Kafe", server=dict(bandwidth=1.0))


def low_discrepancy():
    _run("fedld", "FedLD", client=dict(margin_lam=0.2))


def attention():
    _run("fedala", "FedALA", client=dict(loss_window_size=3))


def robust():
    _run("fat", "FAT", client=dict(adv_iters=2))


def robust_gear():
    _run("gear", "GEAR", client=dict(adv_iters=2))


def virtual_features():
    _run("ccvr", "CCVR", server=dict(sample_per_class=20, batch_size=32, lr=0.1))


def norms():
    _run("fedbn", "FedBN", model="FedBN_CNN")


def prototypes():
    _run("fedproto", "FedProto", client=dict(n_protos=10, lam=1.0, model="MNIST_2NN"), server=dict(n_protos=10))


def non_parametric_heads():
    _run("fednh", "FedNH", client=dict(n_protos=10, model="MNIST_2NN"), server=dict(n_protos=10, rho=0.1))


def hyperspherical():
    _run("fedhp", "FedHP", client=dict(n_protos=10, lam=1.0, model="MNIST_2NN"), server=dict(n_protos=10, embedding_size=100))


def robust_decoupling():
    _run("fedrod", "FedROD")


def representations():
    _run("fedrep", "FedRep", client=dict(tau=1, model="MNIST_2NN"))


def personal_layers():
    _run("fedper", "FedPer", client=dict(model="MNIST_2NN"))


def personal_bodies():
    for mode in ("head", "body", "full"):
        try:
            _run("fedbabu", "FedBABU", client=dict(model="MNIST_2NN", mode=mode, fine_tuning_epochs=1))
        except Exception as error:
            print(mode, type(error).__name__, error)


def personal_local_global():
    _run("lg_fedavg", "LGFedAVG", client=dict(model="MNIST_2NN"))


def personal_mixtures():
    _run("apfl", "APFL", client=dict(model="MNIST_2NN", lam=0.25), server=dict(tau=2))


def personal_regularised():
    _run("ditto", "Ditto", client=dict(model="MNIST_2NN", tau=1, lam=0.1))


def personal_messages():
    from fluke.algorithms.fedamp import FedAMP  # noqa: F401
    _run("fedamp", "FedAMP", client=dict(model="MNIST_2NN", lam=0.2), server=dict(sigma=0.1, alpha=0.1))


def personal_meta():
    for mode in ("FO", "HF"):
        try:
            _run("per_fedavg", "PerFedAVG", client=dict(mode=mode, beta=0.01))
        except Exception as error:
            print(mode, type(error).__name__, error)


def personal_envelopes():
    from fluke import DDict
    _run("pfedme", "PFedMe", client=dict(k=3, optimizer=DDict(name="SGD", lr=0.01, lamda=1.0)), server=dict(beta=0.5))


def personal_subspaces():
    _run("superfed", "SuPerFed", client=dict(model="MNIST_2NN", mode="global", start_mix=1, mu=0.1, nu=0.1))


def saved_and_loaded():
    algorithm = _run("fedavg", "FedAVG")
    path = algorithm.save("kept")
    algorithm.load(path)


def own_server():
    """A client and a server of one's own, as the tutorial adds an algorithm."""
    from fluke.algorithms import CentralizedFL
    from fluke.client import Client
    from fluke.server import Server

    class MyClient(Client):
        def fit(self, override_local_epochs=0):
            loss = super().fit(override_local_epochs)
            self.last = loss
            return loss

    class MyServer(Server):
        @torch.no_grad()
        def aggregate(self, eligible, client_models):
            states = [model.state_dict() for model in client_models]
            mean = {key: torch.stack([state[key].float() for state in states]).mean(0) for key in states[0]}
            self.model.load_state_dict(mean)
            print(sum(value.norm().item() for value in mean.values()))

    class Mine(CentralizedFL):
        def get_client_class(self):
            return MyClient

        def get_server_class(self):
            return MyServer
    module = importlib.import_module("fluke.algorithms.fedavg")
    module.Mine = Mine
    _run("fedavg", "Mine")
