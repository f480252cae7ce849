import argparse
import math
import os
import random
from collections import deque, namedtuple
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


Transition = namedtuple('Transition', ('state', 'action', 'next_state', 'reward', 'done'))


class ReplayMemory(object):

    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        """Save a transition"""
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class PrioritizedReplay(object):
    """proportional prioritization, no sum tree because the buffer is small"""

    def __init__(self, capacity, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.memory, self.pos = [], 0
        self.prio = np.zeros(capacity, dtype=np.float32)

    def push(self, *args):
        p = self.prio.max() if self.memory else 1.0
        if len(self.memory) < self.capacity:
            self.memory.append(Transition(*args))
        else:
            self.memory[self.pos] = Transition(*args)
        self.prio[self.pos] = p
        self.pos = (self.pos + 1) % self.capacity

    def sample(self, batch_size, beta=0.4):
        p = self.prio[:len(self.memory)] ** self.alpha
        p /= p.sum()
        idx = np.random.choice(len(self.memory), batch_size, p=p)
        w = (len(self.memory) * p[idx]) ** (-beta)
        return [self.memory[i] for i in idx], idx, w / w.max()

    def update(self, idx, errors):
        for i, e in zip(idx, errors):
            self.prio[i] = abs(e) + 1e-5

    def __len__(self):
        return len(self.memory)


class Catch:
    """falling ball, 3 actions, image observation (2 stacked frames)"""

    def __init__(self, rows=10, cols=8):
        self.rows, self.cols = rows, cols
        self.n_actions = 3
        self.obs_shape = (2, rows, cols)

    def _frame(self):
        f = np.zeros((self.rows, self.cols), dtype=np.float32)
        f[self.by, self.bx] = 1
        f[-1, self.px] = 1
        return f

    def reset(self):
        self.by, self.bx = 0, np.random.randint(self.cols)
        self.px = self.cols // 2
        self.last = self._frame()
        return np.stack([self.last, self.last])

    def step(self, a):
        self.px = min(max(self.px + a - 1, 0), self.cols - 1)
        self.by += 1
        if np.random.rand() < 0.2:
            self.bx = min(max(self.bx + np.random.choice([-1, 1]), 0), self.cols - 1)
        f = self._frame()
        obs = np.stack([self.last, f])
        self.last = f
        done = self.by == self.rows - 1
        r = 0.0 if not done else (1.0 if self.px == self.bx else -1.0)
        return obs, r, done, {}


parser = argparse.ArgumentParser()
parser.add_argument('--episodes', type=int, default=60)
parser.add_argument('--batch', type=int, default=32)
parser.add_argument('--gamma', type=float, default=0.97)
parser.add_argument('--eps-start', type=float, default=0.9)
parser.add_argument('--eps-end', type=float, default=0.05)
parser.add_argument('--eps-decay', type=float, default=200)
parser.add_argument('--target-update', type=int, default=5, help='episodes')
parser.add_argument('--lr', type=float, default=1e-3)
parser.add_argument('--per', action='store_true', help='prioritized replay')
parser.add_argument('--memory', type=int, default=2000)
parser.add_argument('--seed', type=int, default=0)
opt = parser.parse_args()

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
random.seed(opt.seed); np.random.seed(opt.seed); torch.manual_seed(opt.seed)

env = Catch()


class DQN(nn.Module):

    def __init__(self, c, h, w, outputs):
        super(DQN, self).__init__()
        self.conv1 = nn.Conv2d(c, 16, kernel_size=3, stride=1, padding=1)
        self.conv2 = nn.Conv2d(16, 32, kernel_size=3, stride=2, padding=1)

        def conv2d_size_out(size, kernel_size=3, stride=2):
            return (size + 2 - (kernel_size - 1) - 1) // stride + 1

        n = conv2d_size_out(h) * conv2d_size_out(w) * 32
        self.value = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, 1))
        self.adv = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, outputs))

    def forward(self, x):
        x = x.to(device)
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = x.view(x.size(0), -1)
        a = self.adv(x)
        return self.value(x) + a - a.mean(1, keepdim=True)


policy_net = DQN(*env.obs_shape, env.n_actions).to(device)
target_net = DQN(*env.obs_shape, env.n_actions).to(device)
target_net.load_state_dict(policy_net.state_dict())
target_net.eval()

optimizer = optim.RMSprop(policy_net.parameters(), lr=opt.lr)
memory = PrioritizedReplay(opt.memory) if opt.per else ReplayMemory(opt.memory)
steps_done = 0
episode_rewards, losses = [], []


def select_action(state):
    global steps_done
    sample = random.random()
    eps_threshold = opt.eps_end + (opt.eps_start - opt.eps_end) * math.exp(-1. * steps_done / opt.eps_decay)
    steps_done += 1
    if sample > eps_threshold:
        with torch.no_grad():
            # t.max(1) will return largest column value of each row.
            return policy_net(state).max(1)[1].view(1, 1)
    else:
        return torch.tensor([[random.randrange(env.n_actions)]], device=device, dtype=torch.long)


def optimize_model():
    if len(memory) < opt.batch:
        return
    if opt.per:
        beta = min(1.0, 0.4 + steps_done * 1e-3)
        transitions, idx, weights = memory.sample(opt.batch, beta)
        weights = torch.as_tensor(weights, dtype=torch.float32, device=device)
    else:
        transitions = memory.sample(opt.batch)
        weights = torch.ones(opt.batch, device=device)
    # Transpose the batch (see https://stackoverflow.com/a/19343/3343043 for detailed explanation).
    batch = Transition(*zip(*transitions))

    # Compute a mask of non-final states and concatenate the batch elements
    non_final_mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), device=device, dtype=torch.bool)
    non_final_next_states = torch.cat([s for s in batch.next_state if s is not None])
    state_batch = torch.cat(batch.state)
    action_batch = torch.cat(batch.action)
    reward_batch = torch.cat(batch.reward)

    state_action_values = policy_net(state_batch).gather(1, action_batch)

    # double dqn
    next_state_values = torch.zeros(opt.batch, device=device)
    with torch.no_grad():
        best = policy_net(non_final_next_states).argmax(1, keepdim=True)
        next_state_values[non_final_mask] = target_net(non_final_next_states).gather(1, best).squeeze(1)
    expected_state_action_values = (next_state_values * opt.gamma) + reward_batch

    td = state_action_values.squeeze(1) - expected_state_action_values
    loss = (weights * F.smooth_l1_loss(state_action_values.squeeze(1), expected_state_action_values,
                                       reduction='none')).mean()
    if opt.per:
        memory.update(idx, td.detach().cpu().numpy())

    # Optimize the model
    optimizer.zero_grad()
    loss.backward()
    for param in policy_net.parameters():
        param.grad.data.clamp_(-1, 1)
    optimizer.step()
    losses.append(loss.item())


def get_state(obs):
    return torch.from_numpy(obs).unsqueeze(0).to(device)


def test(n=10):
    policy_net.eval()
    wins = 0
    for _ in range(n):
        s, done = get_state(env.reset()), False
        while not done:
            with torch.no_grad():
                q = policy_net(s)
            obs, r, done, _ = env.step(int(q.argmax()))
            s = get_state(obs)
        wins += r > 0
    policy_net.train()
    return wins / n


best = -1
for i_episode in range(opt.episodes):
    state = get_state(env.reset())
    total = 0
    for t in count():
        action = select_action(state)
        obs, reward, done, _ = env.step(action.item())
        total += reward
        reward = torch.tensor([reward], device=device)
        next_state = None if done else get_state(obs)
        memory.push(state, action, next_state, reward, done)
        state = next_state
        optimize_model()
        if done:
            episode_rewards.append(total)
            break
    # Update the target network, copying all weights and biases in DQN
    if i_episode % opt.target_update == 0:
        target_net.load_state_dict(policy_net.state_dict())
    if (i_episode + 1) % 10 == 0:
        print('episode %4d  steps %5d  mean reward (last 10) %+.2f  loss %.4f' % (
            i_episode + 1, steps_done, np.mean(episode_rewards[-10:]), np.mean(losses[-50:]) if losses else float('nan')))
    if (i_episode + 1) % 20 == 0:
        w = test()
        print('   win rate %.2f' % w)
        if w >= best:
            best = w
            os.makedirs('out', exist_ok=True)
            torch.save(policy_net.state_dict(), 'out/dqn_best.pth')

print('Complete, best win rate', best)
