"""curated_transformers: small decoders and encoders trained from nothing, and its generators."""
import huggingface_hub
import huggingface_hub.errors
import huggingface_hub.utils
import torch
from standin import blank
from torch import nn

blank("curated_tokenizers")

if not hasattr(huggingface_hub, "Repository"):  # curated_transformers 2.0.1 asks for the old name, and does not use it
    huggingface_hub.Repository = object
for _name in ("EntryNotFoundError", "RepositoryNotFoundError", "RevisionNotFoundError"):
    if not hasattr(huggingface_hub.utils, _name):
        setattr(huggingface_hub.utils, _name, getattr(huggingface_hub.errors, _name))

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
words = "the a cat dog sat ran on under mat tree and then it was very small big red blue old new".split()
small = dict(hidden_width=32, n_hidden_layers=2, n_pieces=64)


def _llama(**options):
    from curated_transformers.models import LlamaCausalLM, LlamaConfig
    return LlamaCausalLM(LlamaConfig(**dict(dict(small, intermediate_width=64, n_query_heads=4, n_key_value_heads=2, rotary_embedding_fraction=0.5), **options)), device=device)


def _falcon(**options):
    from curated_transformers.models import FalconCausalLM, FalconConfig
    return FalconCausalLM(FalconConfig(**dict(dict(small, n_query_heads=4, n_key_value_heads=1, rotary_embedding_fraction=1.0), **options)), device=device)


def _neox():
    from curated_transformers.models import GPTNeoXCausalLM, GPTNeoXConfig
    return GPTNeoXCausalLM(GPTNeoXConfig(**small, intermediate_width=64, n_attention_heads=4, rotary_embedding_fraction=0.5), device=device)


def _mpt():
    from curated_transformers.models import MPTCausalLM, MPTConfig
    return MPTCausalLM(MPTConfig(**small, n_attention_heads=4), device=device)


def _train(model, epochs=2):
    from curated_transformers.layers import AttentionMask
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    lengths = torch.randint(6, 13, (4, 8))
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in range(4):
            ids = torch.randint(1, 64, (8, 12), device=device)
            mask = (torch.arange(12) < lengths[batch][:, None]).to(device)
            output = model(ids, AttentionMask(mask))
            loss = nn.functional.cross_entropy(output.logits[:, :-1][mask[:, 1:]], ids[:, 1:][mask[:, 1:]])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print(type(model).__name__, epoch, total / 4)
    return model


def _prompts(batch=4, length=6):
    from curated_transformers.layers import AttentionMask
    mask = torch.arange(length, device=device) >= torch.arange(batch, device=device)[:, None]
    return dict(ids=torch.randint(1, 64, (batch, length), device=device), attention_mask=AttentionMask(mask))


def _generate(model, config):
    from curated_transformers.generation import Generator
    kept = {}
    for rows, pieces in Generator(model)(**_prompts(), config=config):
        for row, piece in zip(rows.tolist(), pieces.tolist()):
            kept.setdefault(row, []).extend(piece)
    print({row: len(pieces) for row, pieces in kept.items()})


def _tokenizer():
    from tokenizers import Tokenizer as Inner
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    from curated_transformers.tokenizers import Tokenizer
    inner = Inner(WordLevel({word: i for i, word in enumerate(["[UNK]", *words])}, unk_token="[UNK]"))
    inner.pre_tokenizer = Whitespace()
    inner.add_special_tokens(["</s>", "### End", "### Instruction:", "### Response:"])
    return Tokenizer(tokenizer=inner, config={"eos_token": "</s>"}, special_tokens_map=None)


def llama_learns():
    _train(_llama(), 3)


def falcon_learns():
    for options in ({}, dict(use_alibi=True), dict(new_decoder_architecture=True, n_key_value_heads=2)):
        try:
            _train(_falcon(**options))
        except Exception as error:
            print(options, type(error).__name__, error)


def neox_learns():
    _train(_neox())


def mpt_learns():
    _train(_mpt())


def greedy():
    from curated_transformers.generation import GreedyGeneratorConfig
    for model in (_llama(), _neox()):
        _generate(model, GreedyGeneratorConfig(eos_id=2, max_generated_pieces=12))
        _generate(model, GreedyGeneratorConfig(eos_id=2, max_generated_pieces=12, masked_pieces={0, 5}))


def sampling():
    from curated_transformers.generation import SampleGeneratorConfig
    model = _llama()
    for options in (dict(), dict(temperature=0.7, top_k=8), dict(top_p=0.8), dict(masked_pieces={0, 1}, temperature=1.3, top_k=20, top_p=0.9)):
        _generate(model, SampleGeneratorConfig(eos_id=2, max_generated_pieces=12, **options))


def sampling_falcon():
    from curated_transformers.generation import SampleGeneratorConfig
    for options in (dict(), dict(use_alibi=True)):
        _generate(_falcon(**options), SampleGeneratorConfig(eos_id=2, max_generated_pieces=10, top_k=10))


def sampling_mpt():
    from curated_transformers.generation import SampleGeneratorConfig
    _generate(_mpt(), SampleGeneratorConfig(eos_id=2, max_generated_pieces=10, top_p=0.9))


def fused_attention():
    from curated_transformers.generation import GreedyGeneratorConfig
    from curated_transformers.layers import enable_torch_sdp
    with enable_torch_sdp():
        for model in (_llama(), _mpt()):
            model.eval()
            _generate(model, GreedyGeneratorConfig(eos_id=2, max_generated_pieces=10))


def cached_steps():
    from curated_transformers.layers import AttentionMask
    model = _llama().eval()
    ids = torch.randint(1, 64, (3, 5), device=device)
    mask = AttentionMask(torch.ones(3, 5, dtype=torch.bool, device=device))
    with torch.no_grad():
        output = model(ids, mask, store_cache=True)
        for _ in range(6):
            mask = mask.extend_length(1, True)
            output = model(output.logits[:, -1:].argmax(-1), mask, cache=output.cache, store_cache=True)
    print(output.last_hidden_layer_state.shape)


def strings():
    from curated_transformers.generation import LlamaGenerator, SampleGeneratorConfig
    generator = LlamaGenerator(_tokenizer(), _llama(n_pieces=26))
    for _ in range(2):
        print(generator(["the cat sat on", "a dog ran", "it was very"], SampleGeneratorConfig(max_generated_pieces=8, top_k=10)))


def instructions():
    from curated_transformers.generation import DollyV2Generator, GreedyGeneratorConfig, SampleGeneratorConfig
    from curated_transformers.models import GPTNeoXCausalLM, GPTNeoXConfig
    model = GPTNeoXCausalLM(GPTNeoXConfig(**dict(small, n_pieces=26), intermediate_width=64, n_attention_heads=4, rotary_embedding_fraction=0.5), device=device)
    generator = DollyV2Generator(_tokenizer(), model)
    print(generator(["the cat", "a dog ran under"], SampleGeneratorConfig(max_generated_pieces=8)), generator(["the cat"], GreedyGeneratorConfig(max_generated_pieces=8)))


def _fill(encoder, width, epochs=2, types=False):
    from curated_transformers.layers import AttentionMask
    head = nn.Linear(width, 64).to(device)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=1e-3)
    for epoch in range(epochs):
        encoder.train()
        for _ in range(4):
            ids = torch.randint(5, 64, (8, 16), device=device)
            hidden = torch.rand(ids.shape, device=device) < 0.2
            mask = AttentionMask(torch.arange(16, device=device) < torch.randint(8, 17, (8, 1), device=device))
            output = encoder(ids.masked_fill(hidden, 4), mask, **({"type_ids": torch.zeros_like(ids)} if types else {}))
            loss = nn.functional.cross_entropy(head(output.last_hidden_layer_state)[hidden], ids[hidden])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(type(encoder).__name__, epoch, loss.item())
    encoder.eval()
    with torch.no_grad():
        for _ in range(2):
            output = encoder(ids, mask)
            print(torch.stack(output.all_hidden_layer_states).mean().item(), output.embedding_layer.norm().item())


def bert_fills():
    from curated_transformers.models import BERTConfig, BERTEncoder
    _fill(BERTEncoder(BERTConfig(**small, embedding_width=32, intermediate_width=64, n_attention_heads=4, n_positions=32, model_max_length=32), device=device), 32, types=True)


def albert_fills():
    from curated_transformers.models import ALBERTConfig, ALBERTEncoder
    _fill(ALBERTEncoder(ALBERTConfig(**dict(small, n_hidden_layers=4), embedding_width=16, intermediate_width=64, n_attention_heads=4, n_hidden_groups=2, n_positions=32, model_max_length=32), device=device), 32)


def roberta_fills():
    from curated_transformers.models import RoBERTaConfig, RoBERTaEncoder
    _fill(RoBERTaEncoder(RoBERTaConfig(**small, embedding_width=32, intermediate_width=64, n_attention_heads=4, n_positions=34, model_max_length=32), device=device), 32)


def state_dicts():
    model = _llama()
    kept = type(model).state_dict_to_hf(model.state_dict())
    other = _llama()
    for _ in range(2):
        other.load_state_dict(type(model).state_dict_from_hf(kept))
    print(all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters())))


def tokens():
    tokenizer = _tokenizer()
    for text in (["the cat sat", "a dog"], ["it was very small and old", "the tree"]):
        pieces = tokenizer(text)
        ids, mask = pieces.padded_tensor(padding_id=0, device=device), pieces.attention_mask(device=device)
        print(ids.tolist(), mask.bool_mask.sum().item(), tokenizer.decode(ids.tolist()))
