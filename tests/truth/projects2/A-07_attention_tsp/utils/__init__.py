from .functions import move_to, get_inner_model, clip_grad_norms, torch_load_cpu
