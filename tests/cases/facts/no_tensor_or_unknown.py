# options: --min-confidence possible
"""What may be anything is no tensor where it is asked to be none: numbers are wrapped, arrays asked for their item."""
import elsewhere
import torch
import torch.distributed as dist


def all_reduce(data):
    if isinstance(data, dict):
        return {k: all_reduce(v) for k, v in data.items()}
    is_number = False
    if not isinstance(data, torch.Tensor):
        data = torch.Tensor([data])
        is_number = True
    data = data.to("cuda")  # sync: copy-to-device likely
    dist.all_reduce(data)
    return data.item() if is_number else data  # sync: host-read


def train(model, optimizer, loader):
    for x in loader:
        loss = model(x.cuda()).mean()  # sync: copy-to-device
        loss.backward()
        optimizer.step()
        status = elsewhere.status(model)
        status["loss"] = loss.detach()
        kept = {k: v if isinstance(v, torch.Tensor) else v.item() for k, v in status.items()}  # spurious: host-read
        print(all_reduce(loss), all_reduce(status["grad_norm"]), all_reduce(kept), all_reduce(3))  # sync: print-tensor
