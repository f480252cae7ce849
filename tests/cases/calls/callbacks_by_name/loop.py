def fit(model, loader, optimizer, criterion, device, on_step=None, hooks=()):
    model.train()
    for step, (x, y) in enumerate(loader):
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if on_step is not None:
            on_step(step, loss, out)
        for hook in hooks:
            hook(out, y)
