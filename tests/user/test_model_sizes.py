#!/usr/bin/env python3
"""Models of libraries have parameter tensors and work of their own."""
import re
import sys
from bench import *

TRAINS = """import timm
import torch
import torchvision

model = {made}(num_classes={classes}).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
images = torch.randn({batch}, 3, {side}, {side}, device="cuda")
for step in range(1000):
    loss = model(images).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def events(name, classes=1000, batch=8, side=224):
    pathlib.Path("train.py").write_text(TRAINS.format(made=name if "." in name else f"torchvision.models.{name}", classes=classes, batch=batch, side=side))
    return syncl("--isolated", "--dump=events", "train.py").out


def test_parameter_tensors():
    # as len(list(model.parameters())) and their elements
    for name, tensors, elements in (("resnet18", 62, "1.169e+07"), ("resnet34", 110, "2.18e+07"), ("resnet50", 161, "2.556e+07"),
                                    ("resnet101", 314, "4.455e+07"), ("resnet152", 467, "6.019e+07"), ("wide_resnet50_2", 161, "6.888e+07"),
                                    ("resnext50_32x4d", 161, "2.503e+07"), ("vgg16", 32, "1.384e+08"), ("vgg16_bn", 58, "1.384e+08"), ("alexnet", 16, "6.11e+07"),
                                    ("mobilenet_v2", 158, "3.505e+06"), ("mobilenet_v3_large", 174, "5.483e+06"), ("mobilenet_v3_small", 142, "2.543e+06"),
                                    ("efficientnet_b0", 213, "5.289e+06"), ("efficientnet_b4", 418, "1.934e+07"), ("densenet121", 364, "7.979e+06"),
                                    ("densenet161", 484, "2.868e+07"), ("convnext_tiny", 182, "2.859e+07"), ("convnext_large", 344, "1.978e+08"),
                                    ("swin_t", 173, "2.829e+07"), ("swin_b", 329, "8.777e+07"), ("vit_b_16", 152, "8.657e+07"),
                                    ("vgg11_bn", 38, "1.329e+08"), ("vgg13_bn", 46, "1.331e+08"), ("efficientnet_b5", 506, "3.039e+07"),
                                    ("efficientnet_b6", 584, "4.304e+07"), ("efficientnet_b7", 711, "6.635e+07"), ("vit_l_32", 296, "3.065e+08"),
                                    ("timm.models.vit_tiny_patch16_224", 152, "5.717e+06"), ("timm.models.vit_small_patch16_224", 152, "2.205e+07"),
                                    ("timm.models.deit_base_patch16_224", 152, "8.657e+07"), ("timm.models.vit_large_patch16_224", 296, "3.043e+08")):
        out = events(name)
        assert f" tensors {tensors} parameters {elements} " in out, (name, out)


def flops(*words):
    return sum(map(float, re.findall(r"convolution float tf32 [\d.]+ flops ([\d.e+]+)", events(*words))))


def test_work_follows_batch_and_side():
    # resnet50 of 224 x 224: 4.09 GMAC, 1 of 2,048 of which are its classes
    same(round(flops("resnet50", 1000, 1) / 2e9, 1), 4.1)
    same(round(flops("resnet18", 1000, 1) / 2e9, 1), 1.8)
    same(round(flops("resnet50", 1000, 16) / flops("resnet50", 1000, 8), 2), 2.0)
    same(round(flops("resnet50", 10, 8, 448) / flops("resnet50", 10, 8, 224), 2), 4.0)


NAMED = """import torch
import timm
from torchvision import models

name = "resnet50"
model = {made}
{head}
model = model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
images = torch.randn(8, 3, 224, 224, device="cuda")
for step in range(1000):
    loss = model(images).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def test_a_model_asked_for_by_name_is_that_model():
    def told(made, head=""):
        pathlib.Path("train.py").write_text(NAMED.format(made=made, head=head))
        out = syncl("--isolated", "--dump=events", "train.py").out
        assert "unseen" not in out and "and more" not in out, (made, out)
        return re.findall(r" flops [0-9.e+]+| tensors .*", out)

    plain = told("models.resnet50()")
    for made in ('models.get_model("resnet50")', "models.__dict__[name]()", "getattr(models, name)()", "vars(models)[name]()",
                 'torch.hub.load("pytorch/vision:v0.10.0", name)', 'timm.create_model("resnet50.a1_in1k", pretrained=True)'):
        same((made, told(made)), (made, plain))
    # 161 tensors of 25,557,032 elements, of which the last product has 2,049,000; with two classes 4,098
    for head in ("model.fc = torch.nn.Linear(model.fc.in_features, 2)", "model.fc = torch.nn.Sequential(torch.nn.Dropout(), torch.nn.Linear(2048, 2))"):
        holds(told("models.resnet50()", head)[-1], " tensors 161 parameters 2.351e+07 ")
    holds(told("timm.create_model(name, num_classes=0)")[-1], " tensors 159 parameters 2.351e+07 ")


def test_a_name_that_nobody_knows_is_no_model():
    for made in ('models.get_model("nothing")', "getattr(models, open('name').read())()", 'torch.hub.load("somebody/something", "resnet50")',
                 'timm.create_model("resnet50", features_only=True)'):
        pathlib.Path("train.py").write_text(NAMED.format(made=made, head=""))
        out = syncl("--isolated", "--dump=events", "train.py").out
        assert "unseen call" in out and " tensors 0..inf " in out and " convolution " not in out, (made, out)


TEXTS = """import torch
import transformers
from transformers import {imports}

model = {model}.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
words = torch.zeros(8, 64, dtype=torch.long, device="cuda")
for step in range(1000):
    loss = model(input_ids=words, labels=words).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def text_events(model):
    pathlib.Path("train.py").write_text(TEXTS.format(model=model, imports=model.split("(")[0].split(".")[0]))
    return syncl("--isolated", "--dump=events", "train.py").out


def test_models_of_text():
    # as len(list(model.parameters())) and their elements, on the meta device
    for model, tensors, elements in (("GPT2LMHeadModel(transformers.GPT2Config())", 148, "1.244e+08"), ('GPT2LMHeadModel.from_pretrained("gpt2")', 148, "1.244e+08"),
                                     ('AutoModelForCausalLM.from_pretrained("gpt2")', 148, "1.244e+08"), ('AutoModelForCausalLM.from_pretrained("gpt2-medium")', 292, "3.548e+08"),
                                     ("BertForSequenceClassification(transformers.BertConfig())", 201, "1.095e+08"), ("BertForMaskedLM(transformers.BertConfig())", 202, "1.095e+08"),
                                     ("DistilBertForSequenceClassification(transformers.DistilBertConfig())", 104, "6.696e+07"),
                                     ("T5ForConditionalGeneration(transformers.T5Config())", 131, "6.051e+07"),
                                     ('T5ForConditionalGeneration.from_pretrained("t5-base")', 257, "2.229e+08"),
                                     ("LlamaForCausalLM(transformers.LlamaConfig(32000, 1024, 2816, 6, 16, 4))", 57, "1.332e+08"),
                                     ("GPT2LMHeadModel(transformers.GPT2Config(n_layer=2, n_embd=64, n_head=4))", 28, "3.382e+06")):
        out = text_events(model)
        assert f" tensors {tensors} parameters {elements} " in out and " of gemm " in out, (model, out)


def test_checkpoints_by_name():
    for task, names in (("CausalLM", (("facebook/opt-125m", 196, 125239296), ("EleutherAI/pythia-70m", 76, 70426624), ("EleutherAI/pythia-410m-deduped", 292, 405334016),
                                      ("meta-llama/Llama-2-7b-hf", 291, 6738415616), ("TinyLlama/TinyLlama-1.1B-Chat-v1.0", 201, 1100048384),
                                      ("meta-llama/Llama-3.2-1B-Instruct", 146, 1235814400), ("Qwen/Qwen2.5-0.5B-Instruct", 290, 494032768),
                                      ("distilgpt2", 76, 81912576), ("mistralai/Mistral-7B-v0.1", 291, 7241732096))),
                        ("Seq2SeqLM", (("t5-small", 131, 60506624), ("facebook/bart-base", 259, 139420416), ("facebook/bart-large", 511, 406291456))),
                        ("MaskedLM", (("roberta-base", 202, 124697433), ("distilbert-base-uncased", 105, 66985530), ("google-bert/bert-base-uncased", 202, 109514298))),
                        ("TokenClassification", (("bert-base-uncased", 199, 108893186), ("distilbert-base-uncased", 102, 66364418), ("roberta-base", 199, 124056578))),
                        ("QuestionAnswering", (("bert-base-uncased", 199, 108893186), ("distilbert-base-uncased", 102, 66364418))),
                        ("SequenceClassification", (("bert-base-uncased", 201, 109483778), ("roberta-base", 201, 124647170), ("gpt2", 149, 124441344),
                                                    ("distilbert-base-uncased", 104, 66955010)))):
        for name, tensors, elements in names:
            out = text_events(f'AutoModelFor{task}.from_pretrained("{name}")')
            assert f" tensors {tensors} parameters {elements:.4g} " in out and " of gemm " in out, (task, name, out)
    for config, tensors, elements in (('AutoConfig.from_pretrained("gpt2")', 148, 124439808), ("transformers.OPTConfig()", 196, 125239296),
                                      ('transformers.GPT2Config.from_pretrained("distilgpt2")', 76, 81912576)):
        out = text_events(f"AutoModelForCausalLM.from_config(transformers.{config.removeprefix('transformers.')})")
        assert f" tensors {tensors} parameters {elements:.4g} " in out, (config, out)


def test_what_nobody_knows_stays_unknown():
    for model in ('AutoModelForCausalLM.from_pretrained("somebody/something")', "AutoModelForCausalLM.from_pretrained(open('name').read())",
                  "BertForSequenceClassification(open('name'))", "GPT2LMHeadModel(None)", "LlamaForCausalLM(open('name'))",
                  'T5ForConditionalGeneration.from_pretrained("somebody/something")'):
        out = text_events(model)
        assert "and more" in out and " tensors " not in out, (model, out)


TRAINER = """import torch
import torch.nn as nn
from torch.utils.data import Dataset
from transformers import PreTrainedModel, Trainer, TrainingArguments


class Own(PreTrainedModel):
    def __init__(self, config=None):
        super().__init__(config)
        self.embed, self.out = nn.Embedding(100, 32), nn.Linear(32, 3)

    def forward(self, input_ids=None, labels=None):
        return {{"logits": self.out(self.embed(input_ids).mean(1))}}


class Rows(Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, i):
        return {{"input_ids": torch.zeros(24, dtype=torch.long), "labels": torch.tensor(1)}}


class OwnTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        logits = model(**inputs)["logits"]
        print(logits.sum().item())
        return logits.mean()


OwnTrainer(model=Own(), args=TrainingArguments("out", per_device_train_batch_size={batch}), train_dataset=Rows()).train()
"""


def test_a_trainer_runs_the_model_that_it_was_given():
    """Two operations of a mean of 24 words and a product, where a model of text that nobody knows has 366."""
    for batch in (8, 16):
        pathlib.Path("train.py").write_text(TRAINER.format(batch=batch))
        out = syncl("--isolated", "--dump=events", "train.py").out
        holds(out, f"gemm float 1 flops {2 * batch * 32 * 3} ")
        assert "operations 366" not in out and "and more" not in out, out


STACKS = """import torch
import torch.nn as nn

model = {model}.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(8, 16, 64, device="cuda")
for step in range(1000):
    loss = model({given})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.flatten()[0].item())
"""


def stack(model, given="x"):
    """Parameter tensors; operations forward and backward; arithmetic of its products; that of attention."""
    pathlib.Path("train.py").write_text(STACKS.format(model=model, given=given))
    out = syncl("--isolated", "--dump=events", "train.py").out
    line = next(line for line in out.splitlines() if line.endswith("train.py:8"))
    parts = re.findall(r"(gemm|attention)[a-z0-9 ]* \d+ flops ([0-9.e+]+)", line)
    total = {kind: sum(float(flops) for is_kind, flops in parts if is_kind == kind) for kind in ("gemm", "attention")}
    counts = re.search(r"operations (\d+) \(long [0-9.]+, backward (\d+)\)", line)
    return int(re.search(r" tensors (\d+) ", out)[1]), int(counts[1]), int(counts[2]), total["gemm"], total["attention"]


def test_transformers_follow_their_layers():
    """Launches as rules/api/launches.tsv has them for 1, 2 and 6 layers; products by hand, of 8 x 16 rows."""
    rows, scores = 8 * 16, 4 * 8 * 16 * 16 * 64
    encoder = "nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)"
    decoder = "nn.TransformerDecoderLayer(64, 4, 128, batch_first=True)"
    into = 2 * rows * (4 * 64 * 64 + 2 * 64 * 128)
    out_of = 2 * rows * (8 * 64 * 64 + 2 * 64 * 128)
    near(stack(encoder), (12, 26, 47, into, scores))
    near(stack(decoder, "x, x"), (18, 44, 85, out_of, 2 * scores))
    for layers in (1, 2, 6, 12):
        near(stack(f"nn.TransformerEncoder({encoder}, {layers})"), (12 * layers, 26 * layers, 47 * layers, into * layers, scores * layers))
    near(stack(f"nn.TransformerDecoder({decoder}, num_layers=3)", "x, x"), (54, 132, 255, 3 * out_of, 6 * scores))
    near(stack("nn.Transformer(64, 4, 2, 2, 128, batch_first=True)", "x, x"), (64, 142, 267, 2 * (into + out_of), 6 * scores))


def near(got, wanted):
    same([abs(a - b) <= 0.002 * b for a, b in zip(got, wanted)], [True] * len(wanted), (got, wanted))


def test_an_encoder_of_layers_of_ones_own_is_as_unknown_as_they_are():
    own = "class Own(nn.Module):\n    def forward(self, x):\n        return mystery(x)\n\n\n"
    pathlib.Path("train.py").write_text(STACKS.format(model="nn.TransformerEncoder(Own(), 3)", given="x").replace("model =", own + "model ="))
    holds(syncl("--isolated", "--dump=events", "train.py").out, "operations")


PRODUCTS = """import torch
import torch.nn as nn
{before}
model = nn.Sequential(*[nn.Linear(256, 256) for _ in range(30)]).cuda(){after}
x = torch.randn(64, 256, device="cuda"){after}
for step in range(1000):
    {context}out = model(x)
    print(out.sum().item())
"""


def products(before="", after="", context=""):
    pathlib.Path("train.py").write_text(PRODUCTS.format(before=before, after=after, context=context))
    events = syncl("--isolated", "--dump=events", "train.py").out
    return sorted({"half" if one.startswith("half") else re.split(r" [0-9]+ flops", one)[0] for one in events.split("gemm ")[1:]})


AVERAGE = """import copy
import torch
model = torch.nn.Sequential(*[torch.nn.Linear(1000, 1000, bias=False) for _ in range(20)]).cuda()
average = copy.deepcopy(model)
for step in range(1000):
    with torch.no_grad():
        for a, p in zip(average.parameters(), model.parameters()):
            a.mul_(0.9).add_(p, alpha=0.1)
    print(p.sum().item())
"""


def test_an_average_of_the_weights():
    """Two operations for each of the parameters, in place: of 8 and 12 MB."""
    pathlib.Path("train.py").write_text(AVERAGE)
    out = syncl("--isolated", "--dump=events", "train.py").out
    holds(out, "inner loop, turns 20")
    holds(out, "operations 2 (long 0, backward 0) of moves float 2 bytes 2e+07")


def test_precision_of_products():
    same(products(), ["float"])
    same(products("torch.backends.cuda.matmul.allow_tf32 = True"), ["float tf32"])
    same(products("torch.backends.cuda.matmul.allow_tf32 = True\ntorch.backends.cuda.matmul.allow_tf32 = False"), ["float"])
    same(products('torch.set_float32_matmul_precision("high")'), ["float tf32"])
    for dtype in (".half()", ".bfloat16()", ".to(torch.bfloat16)", '.to("cuda", torch.float16)', ".to(dtype=torch.bfloat16)"):
        same((dtype, products(after=dtype)), (dtype, ["half"]))
    same(products(context='with torch.autocast("cuda", dtype=torch.bfloat16): '), ["half"])


main(sys.modules[__name__])
