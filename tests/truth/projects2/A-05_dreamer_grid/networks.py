import torch
from torch import distributions as torchd
from torch import nn

import tools


class GRUCell(nn.Module):
    def __init__(self, inp_size, size, update_bias=-1):
        super().__init__()
        self._size = size
        self._update_bias = update_bias
        self.layers = nn.Sequential(nn.Linear(inp_size + size, 3 * size, bias=False), nn.LayerNorm(3 * size, eps=1e-3))

    def forward(self, inputs, state):
        parts = self.layers(torch.cat([inputs, state], -1))
        reset, cand, update = torch.split(parts, [self._size] * 3, -1)
        reset = torch.sigmoid(reset)
        cand = torch.tanh(reset * cand)
        update = torch.sigmoid(update + self._update_bias)
        return update * cand + (1 - update) * state


class RSSM(nn.Module):
    def __init__(self, stoch, deter, hidden, discrete, num_actions, embed, unimix_ratio, device):
        super().__init__()
        self._stoch, self._deter, self._discrete = stoch, deter, discrete
        self._unimix_ratio = unimix_ratio
        self._device = device
        inp = stoch * discrete + num_actions
        self._img_in = nn.Sequential(nn.Linear(inp, hidden, bias=False), nn.LayerNorm(hidden, eps=1e-3), nn.SiLU())
        self._cell = GRUCell(hidden, deter)
        self._img_out = nn.Sequential(nn.Linear(deter, hidden, bias=False), nn.LayerNorm(hidden, eps=1e-3), nn.SiLU())
        self._obs_out = nn.Sequential(
            nn.Linear(deter + embed, hidden, bias=False), nn.LayerNorm(hidden, eps=1e-3), nn.SiLU())
        self._imgs_stat = nn.Linear(hidden, stoch * discrete)
        self._obs_stat = nn.Linear(hidden, stoch * discrete)
        self.apply(tools.weight_init)
        self.W = nn.Parameter(torch.zeros((1, deter)))

    def initial(self, batch_size):
        deter = torch.tanh(self.W).repeat(batch_size, 1)
        x = self._img_out(deter)
        logit = self._imgs_stat(x).reshape(batch_size, self._stoch, self._discrete)
        return {"logit": logit, "stoch": self._dist(logit).base_dist.mode(), "deter": deter}

    def _dist(self, logit):
        return torchd.independent.Independent(tools.OneHotDist(logit, unimix_ratio=self._unimix_ratio), 1)

    def get_dist(self, state):
        return self._dist(state["logit"])

    def get_feat(self, state):
        stoch = state["stoch"]
        stoch = stoch.reshape(list(stoch.shape[:-2]) + [self._stoch * self._discrete])
        return torch.cat([stoch, state["deter"]], -1)

    def observe(self, embed, action, is_first, state=None):
        # (batch, time, ch) -> (time, batch, ch)
        swap = lambda x: x.permute([1, 0] + list(range(2, len(x.shape))))
        embed, action, is_first = swap(embed), swap(action), swap(is_first)
        posts, priors = [], []
        for t in range(embed.shape[0]):
            state, prior = self.obs_step(state, action[t], embed[t], is_first[t])
            posts.append(state)
            priors.append(prior)
        post = {k: swap(torch.stack([p[k] for p in posts])) for k in posts[0]}
        prior = {k: swap(torch.stack([p[k] for p in priors])) for k in priors[0]}
        return post, prior

    def obs_step(self, prev_state, prev_action, embed, is_first, sample=True):
        # initialize all prev_state
        if prev_state is None or torch.sum(is_first) == len(is_first):
            prev_state = self.initial(len(is_first))
            prev_action = torch.zeros_like(prev_action)
        # overwrite the prev_state only where is_first=True
        elif torch.sum(is_first) > 0:
            is_first = is_first[:, None]
            prev_action = prev_action * (1.0 - is_first)
            init_state = self.initial(len(is_first))
            for key, val in prev_state.items():
                is_first_r = torch.reshape(is_first, is_first.shape + (1,) * (len(val.shape) - len(is_first.shape)))
                prev_state = {**prev_state, key: val * (1.0 - is_first_r) + init_state[key] * is_first_r}
        prior = self.img_step(prev_state, prev_action)
        x = self._obs_out(torch.cat([prior["deter"], embed], -1))
        logit = self._obs_stat(x).reshape(-1, self._stoch, self._discrete)
        dist = self._dist(logit)
        stoch = dist.sample() if sample else dist.base_dist.mode()
        return {"stoch": stoch, "deter": prior["deter"], "logit": logit}, prior

    def img_step(self, prev_state, prev_action):
        prev_stoch = prev_state["stoch"]
        prev_stoch = prev_stoch.reshape(prev_stoch.shape[0], self._stoch * self._discrete)
        x = self._img_in(torch.cat([prev_stoch, prev_action], -1))
        deter = self._cell(x, prev_state["deter"])
        x = self._img_out(deter)
        logit = self._imgs_stat(x).reshape(-1, self._stoch, self._discrete)
        return {"stoch": self._dist(logit).sample(), "deter": deter, "logit": logit}

    def kl_loss(self, post, prior, free, dyn_scale, rep_scale):
        kld = torchd.kl.kl_divergence
        sg = lambda x: {k: v.detach() for k, v in x.items()}
        rep_loss = value = kld(self.get_dist(post), self.get_dist(sg(prior)))
        dyn_loss = kld(self.get_dist(sg(post)), self.get_dist(prior))
        rep_loss = torch.clip(rep_loss, min=free)
        dyn_loss = torch.clip(dyn_loss, min=free)
        loss = dyn_scale * dyn_loss + rep_scale * rep_loss
        return loss, value, dyn_loss, rep_loss


class ConvEncoder(nn.Module):
    def __init__(self, depth=32):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, depth, 4, 2, 1), nn.SiLU(), nn.Conv2d(depth, depth * 2, 4, 2, 1), nn.SiLU())
        self.outdim = depth * 2 * 4 * 4
        self.layers.apply(tools.weight_init)

    def forward(self, obs):
        x = obs - 0.5
        # (batch, time, h, w, ch) -> (batch * time, ch, h, w)
        y = x.reshape((-1,) + tuple(x.shape[-3:])).permute(0, 3, 1, 2)
        y = self.layers(y)
        return y.reshape(list(x.shape[:-3]) + [-1])


class ConvDecoder(nn.Module):
    def __init__(self, feat_size, depth=32):
        super().__init__()
        self._depth = depth
        self._linear = nn.Linear(feat_size, depth * 2 * 4 * 4)
        self.layers = nn.Sequential(
            nn.ConvTranspose2d(depth * 2, depth, 4, 2, 1), nn.SiLU(), nn.ConvTranspose2d(depth, 3, 4, 2, 1))
        self.apply(tools.weight_init)

    def forward(self, features):
        x = self._linear(features).reshape(-1, self._depth * 2, 4, 4)
        x = self.layers(x).permute(0, 2, 3, 1)
        return x.reshape(list(features.shape[:-1]) + list(x.shape[1:])) + 0.5


class MLP(nn.Module):
    def __init__(self, inp, out, layers, units, dist, device, zero_out=False, unimix_ratio=0.01):
        super().__init__()
        self._dist, self._device, self._unimix = dist, device, unimix_ratio
        mods = []
        for i in range(layers):
            mods += [nn.Linear(inp if i == 0 else units, units, bias=False), nn.LayerNorm(units, eps=1e-3), nn.SiLU()]
        self.layers = nn.Sequential(*mods)
        self.out_layer = nn.Linear(units, out)
        self.apply(tools.weight_init)
        if zero_out:
            self.out_layer.weight.data.zero_()

    def forward(self, features):
        out = self.out_layer(self.layers(features))
        if self._dist == "symlog_disc":
            return tools.DiscDist(out, device=self._device)
        if self._dist == "binary":
            return torchd.independent.Independent(torchd.bernoulli.Bernoulli(logits=out), 1)
        if self._dist == "onehot":
            return tools.OneHotDist(out, unimix_ratio=self._unimix)
        raise NotImplementedError(self._dist)
