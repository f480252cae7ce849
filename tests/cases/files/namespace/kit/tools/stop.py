def patience(history, loss):
    history.append(loss.item())  # sync: host-read
    return len(history) > 10 and min(history[-10:]) > min(history)
