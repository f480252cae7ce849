import numpy as np

from components.episode_buffer import EpisodeBatch
from envs import REGISTRY as env_REGISTRY


class VecRunner:
    """steps several environments in one process, finished ones drop out"""

    def __init__(self, args, logger):
        self.args = args
        self.logger = logger
        self.batch_size = args.batch_size_run
        self.envs = [env_REGISTRY["spread"](seed=args.seed + i, **args.env_args) for i in range(self.batch_size)]
        self.env_info = self.envs[0].get_env_info()
        self.episode_limit = self.env_info["episode_limit"]
        self.t_env = 0
        self.train_returns, self.test_returns = [], []
        self.train_stats, self.test_stats = {}, {}
        self.log_train_stats_t = -100000

    def setup(self, scheme, mac):
        self.scheme = scheme
        self.mac = mac

    def get_pre_data(self, idx):
        return {"state": [self.envs[i].get_state() for i in idx],
                "avail_actions": [self.envs[i].get_avail_actions() for i in idx],
                "obs": [np.stack(self.envs[i].get_obs()) for i in idx]}

    def run(self, test_mode=False):
        self.batch = EpisodeBatch(self.scheme, self.batch_size, self.episode_limit + 1, device=self.args.device)
        for e in self.envs:
            e.reset()
        alive = list(range(self.batch_size))
        self.batch.update({**self.get_pre_data(alive), "filled": np.ones((len(alive), 1))}, ts=0)
        self.mac.init_hidden(batch_size=self.batch_size)
        episode_returns = [0 for _ in range(self.batch_size)]
        env_steps = 0
        final_infos = []
        t = 0
        while True:
            actions = self.mac.select_actions(self.batch, t_ep=t, t_env=self.t_env, bs=alive, test_mode=test_mode)
            cpu_actions = actions.detach().to("cpu").numpy()
            onehot = np.eye(self.args.n_actions, dtype=np.float32)[cpu_actions]
            self.batch.update({"actions": cpu_actions[..., None], "actions_onehot": onehot}, bs=alive, ts=t)

            rewards, terms, still = [], [], []
            for j, i in enumerate(alive):
                r, done, info = self.envs[i].step(cpu_actions[j])
                episode_returns[i] += r
                rewards.append([r])
                terms.append([done and not info.get("episode_limit", False)])
                env_steps += 1
                if done:
                    final_infos.append(info)
                else:
                    still.append(i)
            self.batch.update({"reward": rewards, "terminated": terms}, bs=alive, ts=t)
            pre = self.get_pre_data(alive)
            t += 1
            self.batch.update({**pre, "filled": np.array([[i in still] for i in alive])}, bs=alive, ts=t)
            alive = still
            if len(alive) == 0:
                break
        if not test_mode:
            self.t_env += env_steps

        stats = self.test_stats if test_mode else self.train_stats
        returns = self.test_returns if test_mode else self.train_returns
        for info in final_infos:
            for k, v in info.items():
                stats[k] = stats.get(k, 0) + int(v)
        stats["n_episodes"] = stats.get("n_episodes", 0) + self.batch_size
        returns.extend(episode_returns)
        if test_mode:
            if len(returns) >= self.args.test_nepisode:
                self._log(returns, stats, "test_")
        elif self.t_env - self.log_train_stats_t >= self.args.log_interval:
            self._log(returns, stats, "")
            self.logger.log_stat("epsilon", self.mac.action_selector.epsilon, self.t_env)
            self.log_train_stats_t = self.t_env
        return self.batch

    def _log(self, returns, stats, prefix):
        self.logger.log_stat(prefix + "return_mean", float(np.mean(returns)), self.t_env)
        self.logger.log_stat(prefix + "return_std", float(np.std(returns)), self.t_env)
        returns.clear()
        for k, v in stats.items():
            if k != "n_episodes":
                self.logger.log_stat(prefix + k + "_mean", v / stats["n_episodes"], self.t_env)
        stats.clear()
