"""Whether validation is switched off hangs on an option that is not known: it stays on by default."""
import torch


def train(args, model, loader):
    torch.distributions.Distribution.set_default_validate_args(args.validate)
    model = model.cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        logits = model(x.cuda())  # sync: copy-to-device
        policy = torch.distributions.Categorical(logits=logits)  # sync: distribution-validation
        loss = -policy.log_prob(y.cuda()).mean()  # sync: copy-to-device, distribution-validation
        opt.zero_grad()
        loss.backward()
        opt.step()
