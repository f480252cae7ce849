import torch


def top_k_top_p_filter(logits, top_k=0, top_p=1.0):
    if top_k > 0:
        kth = torch.topk(logits, top_k, dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < kth, float("-inf"))
    if top_p < 1.0:
        sorted_logits, idx = torch.sort(logits, descending=True, dim=-1)
        cum = sorted_logits.softmax(-1).cumsum(-1)
        remove = cum - sorted_logits.softmax(-1) > top_p
        remove = remove.scatter(1, idx, remove)
        logits = logits.masked_fill(remove, float("-inf"))
    return logits


@torch.no_grad()
def generate(model, input_ids, attention_mask, max_new_tokens=6, eos_token_id=2, pad_token_id=0, do_sample=False,
             temperature=1.0, top_k=0, top_p=1.0):
    model.eval()
    device = input_ids.device
    unfinished = torch.ones(input_ids.size(0), dtype=torch.long, device=device)
    past = None
    cur = input_ids
    out = []
    for _ in range(max_new_tokens):
        position_ids = (attention_mask.cumsum(-1) - 1).clamp(min=0)[:, -cur.size(1):]
        res = model(input_ids=cur, attention_mask=attention_mask, position_ids=position_ids,
                    past_key_values=past, use_cache=True)
        past = res.past_key_values
        logits = res.logits[:, -1, :].float()
        if do_sample:
            logits = top_k_top_p_filter(logits / temperature, top_k, top_p)
            nxt = torch.multinomial(logits.softmax(-1), 1).squeeze(1)
        else:
            nxt = logits.argmax(-1)
        nxt = nxt * unfinished + pad_token_id * (1 - unfinished)
        out.append(nxt)
        unfinished = unfinished * (nxt != eos_token_id).long()
        attention_mask = torch.cat([attention_mask, unfinished.unsqueeze(1)], dim=1)
        cur = nxt.unsqueeze(1)
        if unfinished.max() == 0:
            break
    return torch.stack(out, 1)
