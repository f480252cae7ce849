"""What models of texts give, by name, by number and as a tuple; a model of one's own around one."""
import torch
import torch.nn as nn
from transformers import (AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForQuestionAnswering, AutoModelForSeq2SeqLM,
                          AutoModelForSequenceClassification, AutoModelForTokenClassification, BertModel, GPT2Config, GPT2LMHeadModel)

words = torch.zeros(8, 128, dtype=torch.long, device="cuda")
labels = torch.zeros(8, dtype=torch.long, device="cuda")
classes = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=5).cuda()
tags = AutoModelForTokenClassification.from_pretrained("bert-base-cased", num_labels=9).cuda()
answers = AutoModelForQuestionAnswering.from_pretrained("bert-base-uncased").cuda()
story = AutoModelForCausalLM.from_pretrained("gpt2").cuda()
other = AutoModelForSeq2SeqLM.from_pretrained("t5-small").cuda()
small = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=4, n_embd=64, vocab_size=1000)).cuda()


class Own(nn.Module):
    def __init__(self, name, count):
        super().__init__()
        config = AutoConfig.from_pretrained(name)
        self.bert = BertModel.from_pretrained(name)
        self.middle = nn.Linear(self.bert.config.hidden_size, 256)
        self.out = nn.Linear(256, count)
        self.tags = nn.Linear(config.hidden_size, 3)

    def forward(self, ids, mask):
        out = self.bert(ids, attention_mask=mask)  # sync: library-wait
        hidden, pooled = out.last_hidden_state, out.pooler_output
        return self.out(self.middle(out[1])), self.tags(hidden), pooled, out[0][:, 0]


own = Own("bert-base-uncased", 4).cuda()
backbone = AutoModel.from_pretrained("roberta-base").cuda()
for step in range(10):
    out = classes(input_ids=words, labels=labels)
    out.logits + 1  # is: cuda float (8, 5)
    out.loss + 1  # is: cuda float scalar ()
    out["logits"] + 1  # is: cuda float (8, 5)
    tags(words).logits + 1  # is: cuda float (8, 128, 9)
    answers(words).start_logits + 1  # is: cuda float (8, 128)
    story(words, labels=words)[1] + 1  # is: cuda float (8, 128, 50257)
    other(input_ids=words, labels=words[:, :32]).logits + 1  # is: cuda float (8, 32, 32128)
    small(words).logits[:, -1] + 1  # is: cuda float (8, 1000)
    first, second, third, fourth = own(words, words)
    first + 1  # is: cuda float (8, 4)
    second + 1  # is: cuda float (8, 128, 3)
    third + 1  # is: cuda float (8, 768)
    fourth + 1  # is: cuda float (8, 768)
    backbone(words).last_hidden_state.mean(dim=1) + 1  # is: cuda float (8, 768)
