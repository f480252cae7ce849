import re


def format_reward(completions, **kwargs):
    return [1.0 if re.match(r"^<think>.*?</think><answer>.*?</answer>$", c, re.DOTALL) else 0.0 for c in completions]


def accuracy_reward(completions, answers, **kwargs):
    out = []
    for c, a in zip(completions, answers):
        m = re.search(r"<answer>(.*?)</answer>", c, re.DOTALL)
        out.append(1.0 if m and m.group(1).strip() == a.strip() else 0.0)
    return out


REWARDS = {"format": format_reward, "accuracy": accuracy_reward}
