"""A class asked for what it saved gives one of its own; a device map puts it on the GPU; checkpoints bring it back."""
from functools import partial

import deepspeed
import torch
from torch import nn
from transformers import AutoModelForCausalLM, AutoTokenizer, BertModel, PreTrainedModel


class Scorer(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config)
        self.head = nn.Linear(768, 1)

    def forward(self, ids):
        return self.head(self.bert(ids).last_hidden_state[:, 0])


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(768, 1)

    def forward(self, x):
        return self.head(x)


scorer = Scorer.from_pretrained("scorer").cuda()
tokenizer = AutoTokenizer.from_pretrained("llama")
load = partial(AutoModelForCausalLM.from_pretrained, "llama", torch_dtype=torch.bfloat16)
policy = load(device_map="auto")
reference = load(device_map={"": 0})
offloaded = load(device_map="cpu")
prompts = ["one", "two"]
for step, prompt in enumerate(prompts):
    inputs = tokenizer(prompt, return_tensors="pt").to("cuda")  # sync: copy-to-device
    ids = policy.generate(**inputs, max_new_tokens=64)  # sync: library-wait
    again = reference.generate(inputs.input_ids)  # sync: library-wait
    ids  # is: cuda int
    finished = ids == tokenizer.eos_token_id
    ids[finished] = 0
    print(tokenizer.decode(ids[0]))  # sync: library-wait
    texts = tokenizer.batch_decode(again, skip_special_tokens=True)  # sync: library-wait
    scores = scorer(ids)
    best = scores.max().item()  # sync: host-read
    host = offloaded.generate(tokenizer(prompt, return_tensors="pt").input_ids)
    words = tokenizer.batch_decode(host)
    if step % 100 == 0:
        policy.save_pretrained("out")  # sync: copy-to-host note
        scorer.save_pretrained("out")  # sync: copy-to-host note
        tokenizer.save_pretrained("out")

engine, optimizer, _, _ = deepspeed.initialize(model=Small(), config="ds.json")
for epoch in range(10):
    for x in torch.randn(100, 8, 768, device="cuda").unbind():
        loss = engine(x).mean()
        engine.backward(loss)
        engine.step()
        print(loss.item())  # sync: host-read
    engine.save_checkpoint("out", tag=f"epoch{epoch}")  # sync: copy-to-host note
