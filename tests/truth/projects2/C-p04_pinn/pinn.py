import argparse
import time
from collections import OrderedDict

import numpy as np
import torch

from pde import PDES
from sampling import SAMPLERS, lhs

np.random.seed(1234)
torch.manual_seed(1234)

# CUDA support
if torch.cuda.is_available():
    device = torch.device('cuda')
else:
    device = torch.device('cpu')


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x)


# the deep neural network
class DNN(torch.nn.Module):
    def __init__(self, layers, activation='tanh', adaptive=True):
        super(DNN, self).__init__()
        self.depth = len(layers) - 1
        act = {'tanh': torch.nn.Tanh, 'sin': Sine}[activation]
        layer_list = list()
        for i in range(self.depth - 1):
            layer_list.append(('layer_%d' % i, torch.nn.Linear(layers[i], layers[i + 1])))
            layer_list.append(('activation_%d' % i, act()))
        layer_list.append(('layer_%d' % (self.depth - 1), torch.nn.Linear(layers[-2], layers[-1])))
        self.layers = torch.nn.Sequential(OrderedDict(layer_list))
        self.slope = torch.nn.Parameter(torch.ones(1)) if adaptive else None
        for m in self.modules():
            if isinstance(m, torch.nn.Linear):
                torch.nn.init.xavier_normal_(m.weight)
                torch.nn.init.zeros_(m.bias)

    def forward(self, x):
        if self.slope is not None:
            x = x * self.slope
        return self.layers(x)


class FourierFeatures(torch.nn.Module):
    def __init__(self, in_dim, m, scale):
        super().__init__()
        self.register_buffer('B', torch.randn(in_dim, m) * scale)

    def forward(self, x):
        z = 2 * np.pi * x @ self.B
        return torch.cat([torch.cos(z), torch.sin(z)], 1)


# the physics-guided neural network
class PhysicsInformedNN():
    def __init__(self, pde, X_u, u, X_f, layers, args):
        self.pde = pde
        self.args = args
        self.lb = torch.tensor(pde.lb).float().to(device)
        self.ub = torch.tensor(pde.ub).float().to(device)

        # data
        self.set_data(X_u, u)
        self.set_collocation(X_f)
        self.t_b = torch.tensor(np.random.rand(100, 1)).float().to(device)

        # deep neural networks
        if args.fourier > 0:
            layers = [2 * args.fourier] + layers[1:]
            self.embed = FourierFeatures(2, args.fourier, 1.0).to(device)
        else:
            self.embed = None
        self.dnn = DNN(layers, args.activation).to(device)

        if args.inverse:
            self.log_nu = torch.nn.Parameter(torch.tensor([-3.0], device=device))
            self.dnn.register_parameter('log_nu', self.log_nu)
        else:
            self.log_nu = torch.log(torch.tensor([pde.nu_true], device=device)).float()

        # loss balancing
        self.lambda_u = torch.tensor(1.0, device=device)
        self.lambda_b = torch.tensor(1.0, device=device)

        self.optimizer_Adam = torch.optim.Adam(self.dnn.parameters(), lr=args.lr)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer_Adam, gamma=0.999)
        self.iter = 0
        self.history = []
        self.best_loss = np.inf
        self.best_state = None

    def make_lbfgs(self):
        return torch.optim.LBFGS(
            self.dnn.parameters(),
            lr=1.0,
            max_iter=self.args.lbfgs_iter,
            max_eval=int(self.args.lbfgs_iter * 1.25),
            history_size=50,
            tolerance_grad=1e-7,
            tolerance_change=1.0 * np.finfo(float).eps,
            line_search_fn="strong_wolfe")

    def set_data(self, X_u, u):
        self.x_u = torch.tensor(X_u[:, 0:1], requires_grad=True).float().to(device)
        self.t_u = torch.tensor(X_u[:, 1:2], requires_grad=True).float().to(device)
        self.u = torch.tensor(u).float().to(device)

    def set_collocation(self, X_f):
        self.X_f = X_f
        self.x_f = torch.tensor(X_f[:, 0:1], requires_grad=True, dtype=torch.float32, device=device)
        self.t_f = torch.tensor(X_f[:, 1:2], requires_grad=True, dtype=torch.float32, device=device)

    def random_points(self, n):
        return self.pde.lb + (self.pde.ub - self.pde.lb) * np.random.rand(n, 2)

    def net_u(self, x, t):
        X = torch.cat([x, t], dim=1)
        X = 2.0 * (X - self.lb) / (self.ub - self.lb) - 1.0
        if self.embed is not None:
            X = self.embed(X)
        return self.dnn(X)

    def net_f(self, x, t):
        u = self.net_u(x, t)
        return self.pde.residual(u, x, t, torch.exp(self.log_nu))

    def losses(self):
        u_pred = self.net_u(self.x_u, self.t_u)
        f_pred = self.net_f(self.x_f, self.t_f)
        loss_u = torch.mean((self.u - u_pred) ** 2)
        loss_b = self.pde.boundary(self.net_u, self.t_b)
        if self.args.causal > 0:
            w = torch.exp(-self.args.causal * self.t_f.detach())
            loss_f = torch.mean(w * f_pred ** 2)
        else:
            loss_f = torch.mean(f_pred ** 2)
        return loss_u, loss_b, loss_f

    def update_weights(self, alpha=0.9):
        # learning rate annealing, Wang, Teng & Perdikaris
        loss_u, loss_b, loss_f = self.losses()
        params = [p for n, p in self.dnn.named_parameters() if 'weight' in n]

        def stats(l):
            gs = torch.autograd.grad(l, params, retain_graph=True, allow_unused=True)
            gs = [g.abs().flatten() for g in gs if g is not None]
            return torch.cat(gs)

        g_f, g_u, g_b = stats(loss_f), stats(loss_u), stats(loss_b)
        self.lambda_u = (alpha * self.lambda_u + (1 - alpha) * g_f.max() / (g_u.mean() + 1e-8)).clamp(max=100.).detach()
        self.lambda_b = (alpha * self.lambda_b + (1 - alpha) * g_f.max() / (g_b.mean() + 1e-8)).clamp(max=100.).detach()

    def loss_func(self, log_every=50):
        loss_u, loss_b, loss_f = self.losses()
        loss = self.lambda_u * loss_u + self.lambda_b * loss_b + loss_f
        self.iter += 1
        self.history.append(loss.item())
        if self.iter % log_every == 0:
            print('Iter %d, Loss: %.5e, Loss_u: %.5e, Loss_b: %.5e, Loss_f: %.5e, nu: %.5f' % (
                self.iter, loss.item(), loss_u.item(), loss_b.item(), loss_f.item(),
                torch.exp(self.log_nu.detach()).item()))
        return loss

    def keep_best(self, loss):
        if loss < self.best_loss:
            self.best_loss = loss
            self.best_state = {k: v.detach().clone() for k, v in self.dnn.state_dict().items()}

    def closure(self):
        self.optimizer.zero_grad()
        loss = self.loss_func()
        loss.backward()
        return loss

    def train_adam(self, nIter):
        self.dnn.train()
        for it in range(nIter):
            if self.args.anneal and it % 50 == 0:
                self.update_weights()
            loss = self.loss_func()
            self.optimizer_Adam.zero_grad()
            loss.backward()
            self.optimizer_Adam.step()
            self.scheduler.step()
            if it > nIter // 2:
                self.keep_best(loss.item())

    def train_lbfgs(self):
        self.dnn.train()
        self.optimizer = self.make_lbfgs()
        self.optimizer.step(self.closure)
        final = self.history[-1]
        if not np.isfinite(final):
            print('   L-BFGS diverged, restoring the best weights')
            self.dnn.load_state_dict(self.best_state)
        else:
            self.keep_best(final)

    def train(self, sampler):
        for rnd in range(self.args.rounds):
            start = time.time()
            print('--- round %d: %d collocation points' % (rnd, len(self.X_f)))
            self.train_adam(self.args.adam_iter)
            self.train_lbfgs()
            if sampler is not None and rnd < self.args.rounds - 1:
                self.set_collocation(sampler(self, self.X_f))
            print('--- round %d took %.2fs, best loss %.3e' % (rnd, time.time() - start, self.best_loss))

    def predict(self, X):
        x = torch.tensor(X[:, 0:1], requires_grad=True).float().to(device)
        t = torch.tensor(X[:, 1:2], requires_grad=True).float().to(device)
        self.dnn.eval()
        u = self.net_u(x, t)
        f = self.net_f(x, t)
        u = u.detach().cpu().numpy()
        f = f.detach().cpu().numpy()
        return u, f

    def predict_residual(self, X):
        return self.predict(X)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--pde', default='burgers', choices=sorted(PDES))
    parser.add_argument('--n_u', type=int, default=100)
    parser.add_argument('--n_f', type=int, default=2000)
    parser.add_argument('--layers', type=int, nargs='+', default=[2, 40, 40, 40, 40, 1])
    parser.add_argument('--activation', default='tanh')
    parser.add_argument('--fourier', type=int, default=0)
    parser.add_argument('--lr', type=float, default=2e-3)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--adam_iter', type=int, default=120)
    parser.add_argument('--lbfgs_iter', type=int, default=60)
    parser.add_argument('--sampler', default='rad', choices=sorted(SAMPLERS))
    parser.add_argument('--causal', type=float, default=0.0)
    parser.add_argument('--anneal', action='store_true')
    parser.add_argument('--inverse', action='store_true', help='treat nu as unknown, use interior measurements')
    parser.add_argument('--noise', type=float, default=0.0)
    args = parser.parse_args()

    pde = PDES[args.pde]()
    X, T, Exact = pde.reference()
    X_star = np.hstack((X.flatten()[:, None], T.flatten()[:, None]))
    u_star = Exact.flatten()[:, None]

    # training data: initial condition, plus interior measurements for the inverse problem
    x0 = np.random.uniform(pde.lb[0], pde.ub[0], size=(args.n_u, 1))
    X_u_train = np.hstack((x0, np.zeros_like(x0)))
    u_train = pde.initial(x0)
    if args.inverse:
        idx = np.random.choice(X_star.shape[0], args.n_u * 4, replace=False)
        X_u_train = np.vstack([X_u_train, X_star[idx]])
        u_train = np.vstack([u_train, u_star[idx]])
    u_train = u_train + args.noise * np.std(u_train) * np.random.randn(*u_train.shape)
    X_f_train = pde.lb + (pde.ub - pde.lb) * lhs(2, args.n_f)

    model = PhysicsInformedNN(pde, X_u_train, u_train, X_f_train, args.layers, args)
    sampler = SAMPLERS[args.sampler]
    start_time = time.time()
    model.train(sampler() if sampler is not None else None)
    print('Training time: %.4f' % (time.time() - start_time))

    model.dnn.load_state_dict(model.best_state)
    u_pred, f_pred = model.predict(X_star)
    error_u = np.linalg.norm(u_star - u_pred, 2) / np.linalg.norm(u_star, 2)
    print('Error u: %e, residual rms %e' % (error_u, np.sqrt(np.mean(f_pred ** 2))))
    for i in range(0, Exact.shape[0], 5):
        up = u_pred.reshape(Exact.shape)[i]
        print('  t = %.2f  rel. error %.4f' % (T[i, 0], np.linalg.norm(Exact[i] - up) / np.linalg.norm(Exact[i])))
    if args.inverse:
        nu = torch.exp(model.log_nu.detach()).item()
        print('nu: identified %.5f true %.5f' % (nu, pde.nu_true))


if __name__ == '__main__':
    main()
