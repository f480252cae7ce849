"""torchsurv: survival models by Cox, Weibull and free hazards, their metrics and statistics."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import pydantic  # noqa: F401
except ImportError:  # a stand-in of fakes
    import pydantic_stand
    sys.modules["pydantic"] = pydantic_stand

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _data(n=256, ties=False):
    x = torch.randn(n, 16)
    time = torch.distributions.Exponential(torch.exp(0.5 * x[:, 0])).sample() * 20 + 1
    censor = torch.rand(n) * 60 + 1
    event = time < censor
    time = torch.minimum(time, censor)
    return x, event, time.ceil() if ties else time


def _net(out=1):
    return nn.Sequential(nn.BatchNorm1d(16), nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, out)).to(device)


def _train(model, loss_function, epochs=2, ties=False):
    loader = DataLoader(TensorDataset(*_data(ties=ties)), batch_size=64, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for epoch in range(epochs):
        total = 0.0
        model.train()
        for x, event, time in loader:
            optimizer.zero_grad()
            loss = loss_function(model(x.to(device)), event.to(device), time.to(device))
            loss.backward()
            optimizer.step()
            total += loss.detach()
        print(epoch, total.item() / len(loader))
    model.eval()
    return model


def _scored(n=96):
    x, event, time = _data(n)
    model = _net().eval()
    with torch.no_grad():
        return model(x.to(device)).squeeze(1), event.to(device), time.to(device)


def cox():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    _train(_net(), neg_partial_log_likelihood, 3)


def cox_ties():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    for method in ("efron", "breslow"):
        _train(_net(), lambda out, event, time: neg_partial_log_likelihood(out, event, time, ties_method=method, reduction="sum"), ties=True)


def cox_strata():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    _train(_net(), lambda out, event, time: neg_partial_log_likelihood(out, event, time, strata=torch.arange(len(event), device=event.device) % 2))


def cox_baseline():
    from torchsurv.loss.cox import baseline_survival_function, neg_partial_log_likelihood, survival_function_cox
    model = _train(_net(), neg_partial_log_likelihood)
    x, event, time = (part.to(device) for part in _data(96))
    with torch.no_grad():
        for _ in range(2):
            log_hz = model(x)
            baseline = baseline_survival_function(log_hz, event, time)
            print(survival_function_cox(baseline, log_hz, torch.tensor([5.0, 10.0, 20.0], device=device)).mean())


def cox_over_time():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    x, event, time = _data(48)
    path = nn.Parameter(torch.randn(48, 48, device=device) * 0.1)
    optimizer = torch.optim.Adam([path], lr=1e-2)
    for _ in range(4):
        optimizer.zero_grad()
        loss = neg_partial_log_likelihood(path, event.to(device), time.to(device))
        loss.backward()
        optimizer.step()
    print(loss.item())


def cox_validated():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    from torchsurv.metrics.cindex import ConcordanceIndex
    model, loader = _net(), DataLoader(TensorDataset(*_data()), batch_size=64)
    optimizer, cindex = torch.optim.Adam(model.parameters(), lr=1e-2), ConcordanceIndex()
    for epoch in range(3):
        model.train()
        for batch in loader:
            x, event, time = (part.to(device) for part in batch)
            loss = neg_partial_log_likelihood(model(x), event, time)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            x, event, time = (part.to(device) for part in _data(64))
            print(epoch, loss.item(), cindex(model(x), event, time).item())


def weibull():
    from torchsurv.loss.weibull import neg_log_likelihood_weibull
    for out in (2, 1):
        _train(_net(out), neg_log_likelihood_weibull)


def weibull_curves():
    from torchsurv.loss.weibull import log_hazard, neg_log_likelihood_weibull, survival_function_weibull
    from torchsurv.metrics.auc import Auc
    from torchsurv.metrics.brier_score import BrierScore
    from torchsurv.metrics.cindex import ConcordanceIndex
    model = _train(_net(2), neg_log_likelihood_weibull)
    for _ in range(2):
        x, event, time = (part.to(device) for part in _data(64))
        with torch.no_grad():
            params = model(x)
        hazard, survival = log_hazard(params, time), survival_function_weibull(params, time)
        print(ConcordanceIndex()(hazard, event, time), Auc()(hazard, event, time).mean())
        score = BrierScore()
        score(survival, event, time)
        print(score.integral())


def free_hazard():
    from torchsurv.loss.survival import neg_log_likelihood, survival_function
    x, event, time = (part.to(device) for part in _data(64))
    grid = torch.linspace(0.1, float(time.max()) + 1, 20, device=device)
    net = _net(20)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(4):
        optimizer.zero_grad()
        loss = neg_log_likelihood(net(x), event, time, grid)
        loss.backward()
        optimizer.step()
        print(epoch, loss.item())
    with torch.no_grad():
        print(survival_function(net(x), torch.tensor([2.0, 8.0], device=device), grid).mean())


def momentum():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    from torchsurv.loss.momentum import Momentum
    loader = DataLoader(TensorDataset(*_data()), batch_size=16, shuffle=True)
    model = Momentum(_net(), neg_partial_log_likelihood, batchsize=16, steps=3, rate=0.9).to(device)
    optimizer = torch.optim.Adam(model.online.parameters(), lr=1e-2)
    for epoch in range(2):
        for x, event, time in loader:
            optimizer.zero_grad()
            loss = model(x.to(device), event.to(device), time.to(device))
            loss.backward()
            optimizer.step()
        print(epoch, loss.item(), model.infer(x.to(device)).mean().item())


def momentum_weibull():
    from torchsurv.loss.momentum import Momentum
    from torchsurv.loss.weibull import neg_log_likelihood_weibull
    model = Momentum(_net(2), neg_log_likelihood_weibull, batchsize=32, steps=2, rate=0.99).to(device)
    optimizer = torch.optim.Adam(model.online.parameters(), lr=1e-2)
    for x, event, time in DataLoader(TensorDataset(*_data()), batch_size=32):
        optimizer.zero_grad()
        loss = model(x.to(device), event.to(device), time.to(device))
        loss.backward()
        optimizer.step()
    print(loss.item())


def concordance():
    from torchsurv.metrics.cindex import ConcordanceIndex
    score = ConcordanceIndex()
    for _ in range(3):
        print(score(*_scored()), score.confidence_interval(), score.p_value())


def concordance_conservative():
    from torchsurv.metrics.cindex import ConcordanceIndex
    score = ConcordanceIndex()
    for _ in range(2):
        print(score(*_scored()), score.confidence_interval(method="conservative", alternative="less"))


def concordance_bootstrap():
    from torchsurv.metrics.cindex import ConcordanceIndex
    score = ConcordanceIndex()
    print(score(*_scored(48)))
    print(score.confidence_interval(method="bootstrap", alternative="greater", n_bootstraps=10), score.p_value(method="bootstrap", n_bootstraps=10))


def concordance_compared():
    from torchsurv.metrics.cindex import ConcordanceIndex
    estimate, event, time = _scored(64)
    for _ in range(2):
        one, two = ConcordanceIndex(), ConcordanceIndex()
        print(one(estimate, event, time), two(torch.randn_like(estimate), event, time))
        print(one.compare(two), one.compare(two, method="bootstrap", n_bootstraps=8))


def weights():
    from torchsurv.metrics.auc import Auc
    from torchsurv.metrics.cindex import ConcordanceIndex
    from torchsurv.stats.ipcw import get_ipcw
    for _ in range(2):
        estimate, event, time = _scored()
        ipcw = get_ipcw(event, time)
        print(ConcordanceIndex()(estimate, event, time, weight=ipcw))
        new = torch.linspace(4.0, 20.0, 5, device=device)
        print(Auc()(estimate, event, time, new_time=new, weight=ipcw, weight_new_time=get_ipcw(event, time, new)))


def area():
    from torchsurv.metrics.auc import Auc
    score = Auc()
    for kind in ("cumulative", "incident"):
        for _ in range(2):
            print(score(*_scored(), auc_type=kind).mean(), score.integral())


def area_intervals():
    from torchsurv.metrics.auc import Auc
    score = Auc()
    for _ in range(2):
        score(*_scored(32))
        print(score.confidence_interval().shape, score.p_value().shape)


def area_bootstrap():
    from torchsurv.metrics.auc import Auc
    estimate, event, time = _scored(48)
    one, two, new = Auc(), Auc(), torch.tensor([5.0, 10.0], device=device)
    one(estimate, event, time, new_time=new)
    two(torch.randn_like(estimate), event, time, new_time=new)
    print(one.confidence_interval(method="bootstrap", n_bootstraps=8), one.p_value(method="bootstrap", n_bootstraps=8))
    print(one.compare(two, method="bootstrap", n_bootstraps=8))


def brier():
    from torchsurv.metrics.brier_score import BrierScore
    for _ in range(2):
        _, event, time = _scored(48)
        one, two = BrierScore(), BrierScore()
        print(one(torch.rand(48, 48, device=device), event, time).mean(), one.integral(), one.confidence_interval().shape)
        two(torch.rand(48, 48, device=device), event, time)
        print(one.compare(two).shape)


def brier_bootstrap():
    from torchsurv.metrics.brier_score import BrierScore
    _, event, time = _scored(48)
    score = BrierScore()
    score(torch.rand(48, 48, device=device), event, time)
    print(score.confidence_interval(method="bootstrap", n_bootstraps=8).shape, score.p_value(n_bootstraps=8).shape)


def kaplan_meier():
    from torchsurv.stats.kaplan_meier import KaplanMeierEstimator
    for censored in (False, True, False):
        _, event, time = _data(96, ties=True)
        curve = KaplanMeierEstimator(device=str(device))
        curve(event.to(device), time.to(device), censoring_dist=censored)
        print(curve.km_est[:3], curve.predict(time[:10].to(device)).mean())
        curve.get_survival_table()


def early_stopping():
    from torchsurv.loss.cox import neg_partial_log_likelihood
    model, best, waited = _net(), float("inf"), 0
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(6):
        x, event, time = (part.to(device) for part in _data())
        loss = neg_partial_log_likelihood(model(x), event, time)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        value = float(loss)
        waited = 0 if value < best else waited + 1
        best = min(best, value)
        if waited > 3 or torch.isnan(loss):
            break
    print(best)
