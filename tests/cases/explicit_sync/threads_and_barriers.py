"""Things that synchronize or wait and are no GPU: threads, queues, locks, processes."""
import queue
import threading

import torch

class Cluster:
    def synchronize(self):
        return 0

    def barrier(self):
        return 0


model = torch.nn.Linear(16, 4).cuda()
lock, gate, cluster, jobs = threading.Lock(), threading.Barrier(1), Cluster(), queue.Queue()
for step in range(100):
    model(torch.randn(8, 16, device="cuda")).sum().backward()
    with lock:
        jobs.put(step)
    gate.wait()
    cluster.synchronize()
    cluster.barrier()
    jobs.get()
    jobs.task_done()
    jobs.join()
