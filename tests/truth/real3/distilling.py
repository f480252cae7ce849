"""KD_Lib: knowledge distillation, pruning and quantisation of small picture classifiers."""
import copy
import os
import sys
import types

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
text = types.ModuleType("KD_Lib.KD.text")  # asks torchtext.legacy and transformers.AdamW, which are gone
text.BERT2LSTM = text.get_essentials = None
sys.modules["KD_Lib.KD.text"] = text
os.makedirs("./models", exist_ok=True)


def _data(n=48, size=32, channels=3, classes=10, batch=12):
    return DataLoader(TensorDataset(torch.rand(n, channels, size, size), torch.randint(0, classes, (n,))), batch_size=batch, shuffle=True)


def _nets():
    from KD_Lib.models import LeNet, ModLeNet
    return ModLeNet(), LeNet()


def _distil(kind, epochs=2, teach=True, nets=None, evaluate=True, **options):
    teacher, student = nets or _nets()
    teacher, student = teacher.to(device), student.to(device)
    distiller = kind(teacher, student, _data(), _data(24), torch.optim.SGD(teacher.parameters(), 0.01), torch.optim.SGD(student.parameters(), 0.01), device=device, **options)
    if teach:
        distiller.train_teacher(epochs=epochs, plot_losses=True, save_model=True, save_model_pth="./models/teacher.pt")
    distiller.train_student(epochs=epochs, plot_losses=True, save_model=True, save_model_pth="./models/student.pt")
    if evaluate:
        print(kind.__name__, distiller.evaluate(teacher=False), distiller.evaluate(teacher=True))
        distiller.get_parameters()
    return distiller


def vanilla():
    from KD_Lib.KD import VanillaKD
    _distil(VanillaKD, log=True)
    _distil(VanillaKD, temp=5.0, distil_weight=0.7)


def resnets():
    from KD_Lib.KD import VanillaKD
    from KD_Lib.models import ResNet18, Shallow
    _distil(VanillaKD, nets=(ResNet18([4, 4, 8, 8, 16]), Shallow(img_size=32, hidden_size=64, num_channels=3)))


def attention():
    from KD_Lib.KD import Attention
    _distil(Attention)


def noisy_teacher():
    from KD_Lib.KD import NoisyTeacher
    _distil(NoisyTeacher, alpha=0.6, noise_variance=0.2)


def soft_random():
    from KD_Lib.KD import SoftRandom
    _distil(SoftRandom, noise_variance=0.1)


def messy():
    from KD_Lib.KD import MessyCollab
    _distil(MessyCollab, noise_rate=0.4, method="TS")


def probability_shift():
    from KD_Lib.KD import ProbShift
    _distil(ProbShift)


def label_smoothing():
    from KD_Lib.KD import LabelSmoothReg
    _distil(LabelSmoothReg)


def route():
    from KD_Lib.KD import RCO
    _distil(RCO, epochs=4, epoch_interval=2)


def mean_teacher():
    from KD_Lib.KD import MeanTeacher
    from KD_Lib.models import ResNet18
    _distil(MeanTeacher, nets=(ResNet18([4, 4, 8, 8, 16], mean=True), ResNet18([4, 4, 8, 8, 16], mean=True)))


def assistants():
    from KD_Lib.KD import TAKD
    teacher, student = _nets()
    helpers = [copy.deepcopy(student).to(device) for _ in range(2)]
    distiller = TAKD(teacher, helpers, student, [[-1], [-1, 0]], _data(), _data(24), torch.optim.Adam(teacher.parameters()), [torch.optim.Adam(h.parameters()) for h in helpers],
                     torch.optim.Adam(student.parameters()), device=device)
    distiller.train_teacher(epochs=2, plot_losses=False, save_model=False)
    distiller.train_assistants(epochs=2, plot_losses=False, save_model=False)
    distiller.train_student(epochs=2, plot_losses=False, save_model=True, save_model_pth="./models/student.pt")
    distiller.evaluate(teacher=False)
    distiller.get_parameters()


def born_again():
    from KD_Lib.KD import BANN
    model = _nets()[1].to(device)
    distiller = BANN(model, _data(), _data(24), torch.optim.SGD(model.parameters(), 0.01), num_gen=3, device=device)
    distiller.train_student(epochs=2, plot_losses=False, save_model=True, save_model_pth="./generations/student-{}.pth")
    distiller.evaluate(models_dir="./generations")


def mutual():
    from KD_Lib.KD import DML
    cohort = [_nets()[1].to(device) for _ in range(3)]
    distiller = DML(cohort, _data(), _data(24), [torch.optim.SGD(c.parameters(), 0.01) for c in cohort], device=device, log=True, logdir="./mutual")
    distiller.train_students(epochs=2, plot_losses=True, save_model=True, save_model_path="./models/best.pt")
    distiller.evaluate()
    distiller.get_parameters()


def virtual_teacher():
    from KD_Lib.KD import VirtualTeacher
    student = _nets()[1].to(device)
    distiller = VirtualTeacher(student, _data(), _data(24), torch.optim.SGD(student.parameters(), 0.01), device=device)
    distiller.train_student(epochs=2, plot_losses=False, save_model=True)
    distiller.evaluate()


def self_training():
    from KD_Lib.KD import SelfTraining
    student = _nets()[1].to(device)
    distiller = SelfTraining(student, _data(), _data(24), torch.optim.SGD(student.parameters(), 0.01), device=device)
    distiller.train_student(epochs=2, plot_losses=False, save_model=False)
    distiller.evaluate()


def class_wise():
    from KD_Lib.KD import CSKD
    from KD_Lib.KD.vision.CSKD.sampler import DatasetWrapper, PairBatchSampler

    class Pictures(TensorDataset):
        targets = torch.arange(48).remainder(10).tolist()
    base = DatasetWrapper(Pictures(torch.rand(48, 3, 32, 32), torch.tensor(Pictures.targets)))
    student = _nets()[1].to(device)
    distiller = CSKD(None, student, DataLoader(base, batch_sampler=PairBatchSampler(base, 8)), _data(24), None, torch.optim.SGD(student.parameters(), 0.01), device=device)
    distiller.train_student(epochs=2, plot_losses=False, save_model=True)
    distiller.evaluate(teacher=False)


def relational():
    from KD_Lib.KD import RKDLoss
    teacher, student = (net.to(device) for net in _nets())
    criterion, optimizer = RKDLoss(dist_ratio=0.5, angle_ratio=0.5), torch.optim.SGD(student.parameters(), 0.01)
    for epoch in range(2):
        total = 0.0
        for data, label in _data():
            data, label = data.to(device), label.to(device)
            with torch.no_grad():
                taught = teacher(data)
            out = student(data)
            loss = nn.functional.cross_entropy(out, label) + criterion(taught, out)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total)


def prune_weights():
    from KD_Lib.Pruning import WeightThresholdPruner
    pruner = WeightThresholdPruner(_nets()[1], _data(), _data(24), device=device)
    pruner.prune(num_iterations=3, train_epochs=2, save_models=True, threshold=0.05)
    for turn in range(3):
        pruner.get_pruning_statistics(model_path=f"pruned_model_iteration_{turn}.pt", verbose=True)
        print(pruner.evaluate_model(f"pruned_model_iteration_{turn}.pt"))


def prune_lottery():
    from KD_Lib.Pruning import LotteryTicketsPruner
    pruner = LotteryTicketsPruner(_nets()[1], _data(), _data(24), device=device)
    pruner.prune(num_iterations=2, train_epochs=2, save_models=True, prune_percent=40)
    pruner.get_pruning_statistics(verbose=False)
