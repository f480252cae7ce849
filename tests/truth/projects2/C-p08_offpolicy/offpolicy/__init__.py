from .agents import DDPGAgent, SACAgent, TD3Agent

AGENTS = {"sac": SACAgent, "td3": TD3Agent, "ddpg": DDPGAgent}
