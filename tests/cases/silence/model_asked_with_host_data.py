"""A model that somebody gives, asked with tensors that were made on the CPU and moved nowhere: it is there too. One that is
given what it was asked with is on the GPU of the run."""
import numpy as np
import torch


class Backend:
    def predict(self, model, X):
        tensor = torch.from_numpy(np.asarray(X, dtype=np.float32))
        model.eval()
        with torch.no_grad():
            output = model(tensor)
        return output.cpu().numpy()

    def predict_there(self, model, X, device="cuda"):
        tensor = torch.from_numpy(np.asarray(X, dtype=np.float32)).to(device)  # sync: copy-to-device
        model.eval()
        with torch.no_grad():
            output = model(tensor)
        return output.cpu().numpy()  # sync: copy-to-host


def serve(backend, model, requests):
    for request in requests:
        backend.predict(model, request)
        backend.predict_there(model, request)
