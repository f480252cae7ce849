def variance(z):
    spread = z.std(dim=0)
    return (1 - spread).clamp(min=0).mean()
