"""gpytorch and botorch: Gaussian processes fitted and asked, exact and variational; Bayesian optimisation."""
import warnings

import gpytorch
import torch
from botorch.acquisition import ExpectedImprovement, UpperConfidenceBound, qExpectedImprovement, qKnowledgeGradient, qNoisyExpectedImprovement, qUpperConfidenceBound
from botorch.acquisition.logei import qLogExpectedImprovement
from botorch.acquisition.multi_objective.logei import qLogExpectedHypervolumeImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import MixedSingleTaskGP, ModelListGP, SingleTaskGP
from botorch.models.transforms import Normalize, Standardize
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from botorch.utils.multi_objective.box_decompositions import FastNondominatedPartitioning
from botorch.utils.multi_objective.hypervolume import Hypervolume
from botorch.utils.multi_objective.pareto import is_non_dominated
from gpytorch.mlls import ExactMarginalLogLikelihood, SumMarginalLogLikelihood

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Exact(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood, kernel):
        super().__init__(x, y, likelihood)
        self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), kernel

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def exact():
    k = gpytorch.kernels
    for kernel in (k.ScaleKernel(k.RBFKernel(ard_num_dims=2)), k.ScaleKernel(k.MaternKernel(nu=1.5)), k.ScaleKernel(k.PeriodicKernel()) + k.LinearKernel(), k.SpectralMixtureKernel(num_mixtures=2, ard_num_dims=2),
                   k.ScaleKernel(k.RQKernel()), k.PolynomialKernel(2), k.CosineKernel(), k.ScaleKernel(k.PiecewisePolynomialKernel()), k.RFFKernel(8, num_dims=2),
                   k.InducingPointKernel(k.RBFKernel(), torch.rand(8, 2), gpytorch.likelihoods.GaussianLikelihood()), k.GridInterpolationKernel(k.RBFKernel(), grid_size=10, num_dims=2), k.ArcKernel(k.MaternKernel(), ard_num_dims=2), k.CylindricalKernel(2, k.MaternKernel())):
        try:
            x, y = torch.rand(40, 2, device=device) * 0.5, torch.randn(40, device=device)
            likelihood = gpytorch.likelihoods.GaussianLikelihood().to(device)
            model = Exact(x, y, likelihood, kernel).to(device)
            optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
            mll = ExactMarginalLogLikelihood(likelihood, model)
            for step in range(4):
                optimizer.zero_grad()
                loss = -mll(model(x), y)
                loss.backward()
                optimizer.step()
                print(step, loss.item(), likelihood.noise.item())
            model.eval(), likelihood.eval()
            for _ in range(3):
                with torch.no_grad(), gpytorch.settings.fast_pred_var():
                    predicted = likelihood(model(torch.rand(10, 2, device=device) * 0.5))
                    predicted.confidence_region(), predicted.variance, predicted.sample()
        except Exception as error:
            print(type(kernel).__name__, type(error).__name__, error)


def iterative():
    x, y = torch.rand(120, 1, device=device), torch.randn(120, device=device)
    likelihood = gpytorch.likelihoods.GaussianLikelihood().to(device)
    model = Exact(x, y, likelihood, gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    mll = ExactMarginalLogLikelihood(likelihood, model)
    with gpytorch.settings.max_cholesky_size(0), gpytorch.settings.cg_tolerance(1.0), gpytorch.settings.max_preconditioner_size(5), gpytorch.settings.min_preconditioning_size(10):
        for _ in range(3):
            optimizer.zero_grad()
            loss = -mll(model(x), y)
            loss.backward()
            optimizer.step()
        model.eval(), likelihood.eval()
        for _ in range(3):
            likelihood(model(torch.rand(10, 1, device=device))).mean.sum().item()


def multitask():
    class Model(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            self.mean_module = gpytorch.means.MultitaskMean(gpytorch.means.ConstantMean(), num_tasks=2)
            self.covar_module = gpytorch.kernels.MultitaskKernel(gpytorch.kernels.RBFKernel(), num_tasks=2, rank=1)

        def forward(self, x):
            return gpytorch.distributions.MultitaskMultivariateNormal(self.mean_module(x), self.covar_module(x))

    x, y = torch.rand(30, 1, device=device), torch.randn(30, 2, device=device)
    likelihood = gpytorch.likelihoods.MultitaskGaussianLikelihood(num_tasks=2).to(device)
    model = Model(x, y, likelihood).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    mll = ExactMarginalLogLikelihood(likelihood, model)
    for _ in range(3):
        optimizer.zero_grad()
        loss = -mll(model(x), y)
        loss.backward()
        optimizer.step()
    model.eval(), likelihood.eval()
    for _ in range(3):
        with torch.no_grad():
            likelihood(model(torch.rand(5, 1, device=device))).mean


class Sparse(gpytorch.models.ApproximateGP):
    def __init__(self, points, strategy, distribution):
        super().__init__(strategy(self, points, distribution(points.size(0)), learn_inducing_locations=True))
        self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def variational():
    v = gpytorch.variational
    likelihoods = (gpytorch.likelihoods.GaussianLikelihood, gpytorch.likelihoods.BernoulliLikelihood, gpytorch.likelihoods.LaplaceLikelihood, gpytorch.likelihoods.StudentTLikelihood, gpytorch.likelihoods.BetaLikelihood)
    for i, (strategy, distribution) in enumerate(((v.VariationalStrategy, v.CholeskyVariationalDistribution), (v.UnwhitenedVariationalStrategy, v.CholeskyVariationalDistribution), (v.VariationalStrategy, v.MeanFieldVariationalDistribution),
                                                  (v.CiqVariationalStrategy, v.NaturalVariationalDistribution), (v.VariationalStrategy, v.DeltaVariationalDistribution), (v.VariationalStrategy, v.TrilNaturalVariationalDistribution))):
        for kind in likelihoods[: 2 if i else 5]:
            try:
                model, likelihood = Sparse(torch.rand(10, 2), strategy, distribution).to(device), kind().to(device)
                optimizer = torch.optim.Adam([{"params": model.parameters()}, {"params": likelihood.parameters()}], lr=0.01)
                mll = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=64) if i % 2 == 0 else gpytorch.mlls.PredictiveLogLikelihood(likelihood, model, num_data=64)
                for _ in range(3):
                    x, y = torch.rand(32, 2, device=device), (torch.rand(32, device=device) > 0.5).float().clamp(0.1, 0.9)
                    if kind is gpytorch.likelihoods.BernoulliLikelihood:
                        y = y.round()
                    optimizer.zero_grad()
                    loss = -mll(model(x), y)
                    loss.backward()
                    optimizer.step()
                    print(loss.item())
                model.eval(), likelihood.eval()
                for _ in range(3):
                    with torch.no_grad():
                        likelihood(model(torch.rand(8, 2, device=device))).mean
            except Exception as error:
                print(strategy.__name__, kind.__name__, type(error).__name__, error)


def deep_kernel():
    class Net(gpytorch.models.ExactGP):
        def __init__(self, x, y, likelihood):
            super().__init__(x, y, likelihood)
            self.net = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
            self.mean_module = gpytorch.means.LinearMean(2)
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=2, lengthscale_prior=gpytorch.priors.GammaPrior(3.0, 6.0)), outputscale_prior=gpytorch.priors.NormalPrior(1.0, 0.5))
            self.scale = gpytorch.utils.grid.ScaleToBounds(-1.0, 1.0)

        def forward(self, x):
            z = self.scale(self.net(x))
            return gpytorch.distributions.MultivariateNormal(self.mean_module(z), self.covar_module(z))

    x, y = torch.rand(30, 4, device=device), torch.randn(30, device=device)
    likelihood = gpytorch.likelihoods.GaussianLikelihood(noise_constraint=gpytorch.constraints.GreaterThan(1e-4)).to(device)
    model = Net(x, y, likelihood).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    mll = gpytorch.mlls.LeaveOneOutPseudoLikelihood(likelihood, model)
    for _ in range(3):
        optimizer.zero_grad()
        (-mll(model(x), y)).backward()
        optimizer.step()
    model.eval(), likelihood.eval()
    for _ in range(3):
        posterior = likelihood(model(torch.rand(8, 4, device=device)))
        gpytorch.metrics.mean_standardized_log_loss(posterior, torch.randn(8, device=device)), gpytorch.metrics.quantile_coverage_error(posterior, torch.randn(8, device=device))


def bayesian_optimisation():
    bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]], device=device, dtype=torch.double)
    x = torch.rand(8, 2, device=device, dtype=torch.double)
    y = -(x - 0.3).square().sum(-1, keepdim=True)
    for turn, kind in enumerate((ExpectedImprovement, UpperConfidenceBound, qExpectedImprovement, qLogExpectedImprovement, qNoisyExpectedImprovement, qUpperConfidenceBound, qKnowledgeGradient)):
        try:
            model = SingleTaskGP(x, y, input_transform=Normalize(2), outcome_transform=Standardize(1))
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model), optimizer_kwargs={"options": {"maxiter": 20}})
            if kind is ExpectedImprovement:
                acquisition = kind(model, best_f=y.max())
            elif kind in (UpperConfidenceBound, qUpperConfidenceBound):
                acquisition = kind(model, beta=0.2)
            elif kind is qNoisyExpectedImprovement:
                acquisition = kind(model, x, sampler=SobolQMCNormalSampler(torch.Size([16])))
            elif kind is qKnowledgeGradient:
                acquisition = kind(model, num_fantasies=4)
            else:
                acquisition = kind(model, y.max(), sampler=SobolQMCNormalSampler(torch.Size([16])))
            candidate, value = optimize_acqf(acquisition, bounds=bounds, q=1, num_restarts=2, raw_samples=16, options={"maxiter": 10})
            x = torch.cat([x, candidate])
            y = torch.cat([y, -(candidate - 0.3).square().sum(-1, keepdim=True)])
            print(turn, value.item(), y.max().item())
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def many_objectives():
    bounds = torch.tensor([[0.0, 0.0], [1.0, 1.0]], device=device, dtype=torch.double)
    x = torch.rand(8, 2, device=device, dtype=torch.double)
    reference = torch.tensor([-2.0, -2.0], device=device, dtype=torch.double)
    for _ in range(3):
        y = torch.stack([-(x - 0.2).square().sum(-1), -(x - 0.8).square().sum(-1)], -1)
        model = ModelListGP(*[SingleTaskGP(x, y[:, i: i + 1], outcome_transform=Standardize(1)) for i in range(2)])
        fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model), optimizer_kwargs={"options": {"maxiter": 10}})
        acquisition = qLogExpectedHypervolumeImprovement(model, reference, FastNondominatedPartitioning(reference, y), SobolQMCNormalSampler(torch.Size([16])))
        candidate, _ = optimize_acqf(acquisition, bounds=bounds, q=2, num_restarts=2, raw_samples=8, options={"maxiter": 5}, sequential=True)
        x = torch.cat([x, candidate])
        print(Hypervolume(reference).compute(y[is_non_dominated(y)]))


def mixed_models():
    for _ in range(3):
        x = torch.rand(10, 3, device=device, dtype=torch.double)
        x[:, 2] = x[:, 2].round()
        y = x.sum(-1, keepdim=True)
        model = MixedSingleTaskGP(x, y, cat_dims=[2])
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model), optimizer_kwargs={"options": {"maxiter": 5}})
        model.posterior(x).mean, model.posterior(x).rsample(torch.Size([4]))
        model.condition_on_observations(x[:2], y[:2])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for work in (exact, iterative, multitask, variational, deep_kernel, bayesian_optimisation, many_objectives, mixed_models):
        work()
