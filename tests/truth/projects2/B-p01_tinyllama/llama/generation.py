import torch


def sample_top_p(probs, p):
    probs_sort, probs_idx = torch.sort(probs, dim=-1, descending=True)
    probs_sum = torch.cumsum(probs_sort, dim=-1)
    mask = probs_sum - probs_sort > p
    probs_sort[mask] = 0.0
    probs_sort.div_(probs_sort.sum(dim=-1, keepdim=True))
    next_token = torch.multinomial(probs_sort, num_samples=1)
    return torch.gather(probs_idx, -1, next_token)


class Llama:
    def __init__(self, model, tokenizer):
        self.model = model
        self.tokenizer = tokenizer

    @torch.inference_mode()
    def generate(self, prompts, max_gen_len=48, temperature=0.8, top_p=0.9):
        params = self.model.args
        device = next(self.model.parameters()).device
        prompt_tokens = [self.tokenizer.encode(p, bos=True, eos=False) for p in prompts]
        bsz = len(prompt_tokens)
        min_prompt_len = min(len(t) for t in prompt_tokens)
        max_prompt_len = max(len(t) for t in prompt_tokens)
        total_len = min(params.max_seq_len, max_gen_len + max_prompt_len)

        pad_id = self.tokenizer.eos_id
        tokens = torch.full((bsz, total_len), pad_id, dtype=torch.long, device=device)
        input_text_mask = torch.zeros((bsz, total_len), dtype=torch.bool, device=device)
        for k, t in enumerate(prompt_tokens):
            tokens[k, : len(t)] = torch.tensor(t, dtype=torch.long, device=device)
            input_text_mask[k, : len(t)] = True

        for layer in self.model.layers:
            layer.attention.init_cache(bsz, total_len, device, torch.float32)

        prev_pos = 0
        eos_reached = torch.tensor([False] * bsz, device=device)
        for cur_pos in range(min_prompt_len, total_len):
            logits, _ = self.model(tokens[:, prev_pos:cur_pos], start_pos=prev_pos)
            if temperature > 0:
                probs = torch.softmax(logits[:, -1].float() / temperature, dim=-1)
                next_token = sample_top_p(probs, top_p)
            else:
                next_token = torch.argmax(logits[:, -1], dim=-1)
            next_token = next_token.reshape(-1)
            # only replace token if prompt has already been generated
            next_token = torch.where(input_text_mask[:, cur_pos], tokens[:, cur_pos], next_token)
            tokens[:, cur_pos] = next_token
            eos_reached |= (~input_text_mask[:, cur_pos]) & (next_token == self.tokenizer.eos_id)
            prev_pos = cur_pos
            if all(eos_reached):
                break

        for layer in self.model.layers:
            layer.attention.clear_cache()

        out = []
        for i, t in enumerate(tokens.tolist()):
            t = t[len(prompt_tokens[i]):]
            if self.tokenizer.eos_id in t:
                t = t[: t.index(self.tokenizer.eos_id)]
            out.append(self.tokenizer.decode(t))
        return out
