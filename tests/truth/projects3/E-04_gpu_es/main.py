# python main.py --env swingup --algo openes
import argparse, os, time
import torch
from envs import ENVS
from policy import PopMLP, ObsNorm
from algos import ALGOS

parser = argparse.ArgumentParser()
parser.add_argument('--env', default='swingup', choices=list(ENVS))
parser.add_argument('--algo', default='openes', choices=list(ALGOS))
parser.add_argument('--pop', type=int, default=256)
parser.add_argument('--episodes', type=int, default=4, help='episodes per individual')
parser.add_argument('--gens', type=int, default=60)
parser.add_argument('--hidden', type=int, default=32)
parser.add_argument('--sigma', type=float, default=0.1)
parser.add_argument('--lr', type=float, default=None)
parser.add_argument('--eval-every', type=int, default=10)
parser.add_argument('--eval-episodes', type=int, default=128)
parser.add_argument('--patience', type=int, default=4, help='evals without improvement before restart from best')
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('--save', default='ckpt')
args = parser.parse_args()

dev = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
torch.manual_seed(args.seed)


class Rollout:
    """runs [P, E] environments in lock step. common random numbers: same start states for all P"""

    def __init__(self, env_cls, net, P, E):
        self.P, self.E, self.net = P, E, net
        self.env = env_cls(P * E, dev)

    @torch.no_grad()
    def __call__(self, theta, norm, collect=False, seeds=None):
        P, E = self.P, self.E
        W = self.net.unpack(theta)
        if seeds is None:
            seeds = torch.rand(E, 4, device=dev)
        seeds = seeds.unsqueeze(0).expand(P, E, 4).reshape(P * E, 4)
        obs = self.env.reset(seeds)
        ret = torch.zeros(P * E, device=dev)
        s1 = torch.zeros(self.env.obs_dim, device=dev)
        s2 = torch.zeros(self.env.obs_dim, device=dev)
        n = 0
        done = False
        while not done:
            if collect:
                s1 += obs.mean(0)
                s2 += obs.pow(2).mean(0)
                n += 1
            act = self.net.forward(W, norm(obs).view(P, E, -1))
            obs, r, done = self.env.step(act.reshape(P * E, -1))
            ret += r
        stats = None
        if collect:
            m = s1 / n
            stats = (m, (s2 / n - m ** 2).clamp(min=0), n * P * E)
        return ret.view(P, E), stats


env_cls = ENVS[args.env]
net = PopMLP([env_cls.obs_dim, args.hidden, args.hidden, env_cls.act_dim])
norm = ObsNorm(env_cls.obs_dim, dev)
kw = {} if args.lr is None else {'lr': args.lr}
es = ALGOS[args.algo](net.init(dev), args.pop, sigma=args.sigma, seed=args.seed, **kw)
train_roll = Rollout(env_cls, net, args.pop, args.episodes)
eval_roll = Rollout(env_cls, net, 1, args.eval_episodes)
eval_seeds = torch.rand(args.eval_episodes, 4, device=dev, generator=torch.Generator(device=dev).manual_seed(999))
print(f'{args.env}: {net.dim} parameters, {args.pop}x{args.episodes} envs, algo {args.algo}, device {dev}')

os.makedirs(args.save, exist_ok=True)
best_eval, bad = -1e9, 0
best_theta = es.best.clone()
hist = []
t0 = time.time()
frames = 0
for gen in range(args.gens):
    pop = es.ask()
    ret, stats = train_roll(pop, norm, collect=True)
    fit = ret.mean(1)
    info = es.tell(fit)
    norm.update(*stats)
    frames += args.pop * args.episodes * env_cls.horizon
    hist.append([gen, fit.mean().item(), fit.max().item(), fit.std().item()])

    if (gen + 1) % args.eval_every == 0 or gen == 0:
        ev, _ = eval_roll(es.best.unsqueeze(0), norm, seeds=eval_seeds)
        q = torch.quantile(ev[0], torch.tensor([0.1, 0.5, 0.9], device=dev)).tolist()
        score = ev.mean().item()
        print(f'gen {gen + 1:4d} | pop mean {fit.mean():7.2f} max {fit.max():7.2f} | eval {score:7.2f} '
              f'(p10 {q[0]:.1f} p50 {q[1]:.1f} p90 {q[2]:.1f}) | sigma {info["sigma"]:.3f} |g| {info["gnorm"]:.2f} '
              f'| {frames / (time.time() - t0) / 1e6:.2f}M fps')
        if score > best_eval:
            best_eval, bad = score, 0
            best_theta = es.best.clone()
            torch.save({'theta': best_theta, 'norm': norm.state(), 'sizes': net.sizes, 'score': score},
                       os.path.join(args.save, f'{args.env}_{args.algo}.pt'))
        else:
            bad += 1
            if bad >= args.patience:
                print('  no progress, restart from best')
                with torch.no_grad():
                    es.mu.copy_(best_theta)
                bad = 0

# elite archive of the last population, plus mean of the elites ("soup")
k = max(2, args.pop // 32)
elite = pop[fit.topk(k).indices]
soup, _ = eval_roll(elite.mean(0, keepdim=True), norm, seeds=eval_seeds)
print(f'done in {time.time() - t0:.1f}s  best eval {best_eval:.2f}  elite soup {soup.mean().item():.2f}')
with open(os.path.join(args.save, 'history.csv'), 'w') as fp:
    fp.write('gen,mean,max,std\n')
    for row in hist:
        fp.write(','.join(f'{v:.4f}' for v in row) + '\n')
