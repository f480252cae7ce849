from stable_baselines3.common.env_util import make_vec_env

from ppo import PPO

env = make_vec_env("Pendulum-v1", n_envs=8)
model = PPO("MlpPolicy", env, device="cuda")
model.learn(1_000_000)
model.save("ppo_pendulum")
