#!/usr/bin/env python3
"""Count the GPU operations (kernels, copies, fills) that whole models queue: one forward pass, one backward pass.

    python3 tests/truth/run_launches.py OUT.tsv [SECONDS [WORD...]]     # on a GPU machine; all, or what holds one of the words

Two images, or two sequences of 32 tokens, in training mode, float32, eager, the third run after warm-up, counted by
torch.profiler. The rows of rules/api/launches.tsv that begin with `model` are what this printed; check_launches.py holds the
stubs against them.
"""
import os
import sys
import time

IMAGES = {  # library -> names
    "torchvision.models": """alexnet convnext_base convnext_large convnext_small convnext_tiny densenet121 densenet161 densenet169
        densenet201 efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5
        efficientnet_b6 efficientnet_b7 efficientnet_v2_l efficientnet_v2_m efficientnet_v2_s googlenet inception_v3 maxvit_t
        mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small regnet_x_16gf
        regnet_x_1_6gf regnet_x_32gf regnet_x_3_2gf regnet_x_400mf regnet_x_800mf regnet_x_8gf regnet_y_16gf regnet_y_1_6gf
        regnet_y_32gf regnet_y_3_2gf regnet_y_400mf regnet_y_800mf regnet_y_8gf resnet101 resnet152 resnet18 resnet34 resnet50
        resnext101_32x8d resnext101_64x4d resnext50_32x4d shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5
        shufflenet_v2_x2_0 squeezenet1_0 squeezenet1_1 swin_b swin_s swin_t swin_v2_b swin_v2_s swin_v2_t vgg11 vgg11_bn vgg13
        vgg13_bn vgg16 vgg16_bn vgg19 vgg19_bn vit_b_16 vit_b_32 vit_l_16 vit_l_32 wide_resnet101_2 wide_resnet50_2""",
    "torchvision.models.segmentation": """deeplabv3_mobilenet_v3_large deeplabv3_resnet101 deeplabv3_resnet50 fcn_resnet101
        fcn_resnet50 lraspp_mobilenet_v3_large""",
    "timm": """resnet18 resnet34 resnet50 resnet101 resnet152 resnet26d resnet50d resnext50_32x4d seresnet50 vit_tiny_patch16_224
        vit_small_patch16_224 vit_base_patch16_224 vit_large_patch16_224 vit_small_patch14_dinov2 deit_tiny_patch16_224
        deit_small_patch16_224 deit_base_patch16_224 beit_base_patch16_224 swin_tiny_patch4_window7_224
        swin_small_patch4_window7_224 swin_base_patch4_window7_224 convnext_tiny convnext_small convnext_base convnextv2_tiny
        efficientnet_b0 efficientnet_b3 efficientnet_b4 tf_efficientnet_b0 tf_efficientnetv2_s mobilenetv2_100
        mobilenetv3_small_100 mobilenetv3_large_100 densenet121 mixer_s16_224 mixer_b16_224 regnety_016 nfnet_l0 inception_v3
        maxvit_tiny_tf_224 eva02_tiny_patch14_224 coatnet_0_rw_224 xception41 dm_nfnet_f0"""}
SIZES = {"inception_v3": 299, "vit_small_patch14_dinov2": 518, "xception41": 299}
TEXTS = {  # transformers: model -> what its config is told
    "BertModel": ("BertConfig", {}), "BertForMaskedLM": ("BertConfig", {}), "BertForSequenceClassification": ("BertConfig", {}),
    "BertForTokenClassification": ("BertConfig", {}), "RobertaModel": ("RobertaConfig", {}),
    "RobertaForSequenceClassification": ("RobertaConfig", {}), "DistilBertModel": ("DistilBertConfig", {}),
    "DistilBertForSequenceClassification": ("DistilBertConfig", {}), "AlbertModel": ("AlbertConfig", {}),
    "ElectraForSequenceClassification": ("ElectraConfig", {}), "GPT2Model": ("GPT2Config", {}),
    "GPT2LMHeadModel": ("GPT2Config", {}), "OPTForCausalLM": ("OPTConfig", {}), "ViTModel": ("ViTConfig", {}),
    "ViTForImageClassification": ("ViTConfig", {}), "T5ForConditionalGeneration": ("T5Config", {"decoder_start_token_id": 0}),
    "BartForConditionalGeneration": ("BartConfig", {}),
    "LlamaForCausalLM": ("LlamaConfig", {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 8, "num_attention_heads": 4, "vocab_size": 1000}),
    "MistralForCausalLM": ("MistralConfig", {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 8, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 1000}),
    "Qwen2ForCausalLM": ("Qwen2Config", {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 8, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 1000}),
    "GemmaForCausalLM": ("GemmaConfig", {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 8, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64, "vocab_size": 1000})}
SEQUENCES = {  # the statement that makes it -> its arguments, as rules/api/launches.tsv writes them
    "nn.LSTM(64,64,batch_first=True)": "seq", "nn.LSTM(64,64,2,batch_first=True)": "seq", "nn.GRU(64,64,batch_first=True)": "seq",
    "nn.LSTM(64,64,2,batch_first=True,bidirectional=True)": "seq", "nn.RNN(64,64,batch_first=True)": "seq",
    "nn.TransformerEncoderLayer(64,4,128,batch_first=True)": "seq", "nn.TransformerDecoderLayer(64,4,128,batch_first=True)": "seq,seq",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(64,4,128,batch_first=True),2)": "seq",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(64,4,128,batch_first=True),6)": "seq",
    "nn.Transformer(64,4,2,2,128,batch_first=True)": "seq,seq", "nn.Transformer(64,4,6,6,128,batch_first=True)": "seq,seq",
    "nn.MultiheadAttention(64,4,batch_first=True)": "seq,seq,seq"}


def operations(torch, work):
    """GPU operations of work(), and what it returns."""
    from torch.profiler import ProfilerActivity, profile
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        out = work()
        torch.cuda.synchronize()
    kinds = torch.autograd.DeviceType.CUDA
    return sum(e.count for e in profiler.key_averages() if e.device_type == kinds and e.self_device_time_total > 0), out


def first_tensor(torch, out):
    if isinstance(out, torch.Tensor):
        return out if out.requires_grad else None
    values = out.values() if hasattr(out, "values") else out if isinstance(out, (tuple, list)) else ()
    return next((t for t in (first_tensor(torch, v) for v in values) if t is not None), None)


def count(torch, model, inputs, options):
    """(parameters, forward, backward)"""
    for _ in range(3):
        model.zero_grad()  # gradients are None: nothing is added up
        forward, out = operations(torch, lambda: model(*inputs, **options))
        out = first_tensor(torch, out)
        loss = out if out.dim() == 0 else out.sum()
        backward, _ = operations(torch, loss.backward)
    return len(list(model.parameters())), forward, backward


def images(torch, library, name):
    import importlib
    size = SIZES.get(name, 224)
    module = importlib.import_module(library)
    options = {} if library == "timm" else {"weights": None}
    if "segmentation" in library:
        options["weights_backbone"] = None
    if name in ("googlenet", "inception_v3") and library != "timm":
        options["init_weights"] = False
    model = module.create_model(name) if library == "timm" else getattr(module, name)(**options)
    return model, (torch.randn(2, 3, size, size, device="cuda"),), {}


def texts(torch, name):
    import transformers
    config, options = TEXTS[name]
    model = getattr(transformers, name)(getattr(transformers, config)(**options))
    if name.startswith("ViT"):
        return model, (torch.randn(2, 3, 224, 224, device="cuda"),), {}
    ids = torch.randint(5, 900, (2, 32), device="cuda")
    labelled = any(word in name for word in ("CausalLM", "LMHead", "MaskedLM", "ConditionalGeneration"))
    labels = ids if labelled else torch.zeros(2, dtype=torch.long, device="cuda") if "Sequence" in name else torch.zeros_like(ids)
    return model, (ids,), {} if name.endswith("Model") else {"labels": labels}


def sequences(torch, text):
    seq = torch.randn(8, 20, 64, device="cuda")
    return eval(text, {"nn": torch.nn}), (seq,) * (SEQUENCES[text].count(",") + 1), {}


def cases():
    for text, arguments in SEQUENCES.items():
        yield f"{text} | {arguments}", sequences, (text,)
    for name in TEXTS:
        layers = TEXTS[name][1].get("num_hidden_layers", "")  # fewer than usual: the label says how many
        yield f"model transformers.{name} {layers}".strip(), texts, (name,)
    for library, names in IMAGES.items():
        for name in names.split():
            yield f"model {library}.{name}", images, (library, name)


def main():
    import torch
    until = time.time() + (float(sys.argv[2]) if len(sys.argv) > 2 else 1e9)
    with open(sys.argv[1], "w") as file:
        print("statement", "forward", "backward", sep="\t", file=file)
        for label, make, arguments in cases():
            if time.time() > until:
                break
            if len(sys.argv) > 3 and not any(word in label for word in sys.argv[3:]):
                continue
            try:
                with torch.device("cuda"):
                    model, inputs, options = make(torch, *arguments)
                parameters, forward, backward = count(torch, model.to("cuda").train(), inputs, options)
                row = [label + (f" params={parameters}" if label.startswith("model") else ""), forward, backward]
            except Exception as error:
                row = [label, "ERR", f"{type(error).__name__}: {error}".replace("\n", " ").replace("\t", " ")[:120]]
            print(*row, sep="\t", file=file, flush=True)
    print(f"{sys.argv[1]}: torch {torch.__version__}, {torch.cuda.get_device_name(0)}")
    os._exit(0)


if __name__ == "__main__":
    main()
