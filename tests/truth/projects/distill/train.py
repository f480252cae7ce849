# Knowledge Distillation (Hinton 2015) - final project, deep learning course
# teacher: wider CNN, student: small CNN
import os
import time
import argparse
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset
from torch.autograd import Variable

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("CUDA_VISIBLE_DEVICES", "0")

parser = argparse.ArgumentParser()
parser.add_argument('--T', type=float, default=4.0, help='temperature')
parser.add_argument('--alpha', type=float, default=0.9)
parser.add_argument('--epochs_teacher', type=int, default=2)
parser.add_argument('--epochs', type=int, default=3)
parser.add_argument('--bs', type=int, default=32)
parser.add_argument('--at', action='store_true', help='attention transfer too')
parser.add_argument('--beta', type=float, default=50.)
parser.add_argument('--save_dir', type=str, default='./out')
args = parser.parse_args()

use_cuda = torch.cuda.is_available()
if not os.path.exists(args.save_dir):
    os.makedirs(args.save_dir)


class Net(nn.Module):
    def __init__(self, width, num_classes=10):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width * 2, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(width * 2)
        self.conv3 = nn.Conv2d(width * 2, width * 4, 3, padding=1)
        self.bn3 = nn.BatchNorm2d(width * 4)
        self.fc1 = nn.Linear(3 * 3 * width * 4, width * 4)
        self.fc2 = nn.Linear(width * 4, num_classes)
        self.dropout = nn.Dropout(0.3)

    def forward(self, s):
        s = F.relu(F.max_pool2d(self.bn1(self.conv1(s)), 2))   # 14
        f1 = s
        s = F.relu(F.max_pool2d(self.bn2(self.conv2(s)), 2))   # 7
        f2 = s
        s = F.relu(F.max_pool2d(self.bn3(self.conv3(s)), 2))   # 3
        f3 = s
        s = s.view(s.size(0), -1)
        s = self.dropout(F.relu(self.fc1(s)))
        return self.fc2(s), (f1, f2, f3)


def make_digits(n, seed):
    # 28x28 "digits": each class is a fixed random stroke + noise
    strokes = np.random.RandomState(0).rand(10, 28, 28) > 0.85
    rs = np.random.RandomState(seed)
    y = rs.randint(0, 10, n)
    x = strokes[y].astype(np.float32) + 0.7 * rs.randn(n, 28, 28).astype(np.float32)
    return TensorDataset(torch.from_numpy(x).unsqueeze(1), torch.from_numpy(y))


train_loader = DataLoader(make_digits(512, 1), batch_size=args.bs, shuffle=True)
test_loader = DataLoader(make_digits(128, 2), batch_size=args.bs)


def loss_fn_kd(outputs, labels, teacher_outputs):
    T = args.T
    alpha = args.alpha
    KD_loss = nn.KLDivLoss(reduction='batchmean')(F.log_softmax(outputs / T, dim=1),
                                                  F.softmax(teacher_outputs / T, dim=1)) * (alpha * T * T) + \
        F.cross_entropy(outputs, labels) * (1. - alpha)
    return KD_loss


def at(x):
    return F.normalize(x.pow(2).mean(1).view(x.size(0), -1))


def at_loss(x, y):
    return (at(x) - at(y)).pow(2).mean()


class RunningAverage():
    def __init__(self):
        self.steps = 0
        self.total = 0

    def update(self, val):
        self.total += val
        self.steps += 1

    def __call__(self):
        return self.total / float(self.steps)


def np_accuracy(outputs, labels):
    outputs = np.argmax(outputs, axis=1)
    return np.sum(outputs == labels) / float(labels.size)


def train_teacher(model, optimizer, epoch):
    model.train()
    correct = 0
    total = 0
    train_loss = 0
    for batch_idx, (data, target) in enumerate(train_loader):
        if use_cuda:
            data, target = data.cuda(), target.cuda()
        data, target = Variable(data), Variable(target)
        optimizer.zero_grad()
        output, _ = model(data)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()

        train_loss += loss.data.item()
        _, predicted = torch.max(output.data, 1)
        total += target.size(0)
        correct += predicted.eq(target.data).cpu().sum().item()
        if batch_idx % 5 == 0:
            print('Train Epoch: {} [{}/{} ({:.0f}%)]\tLoss: {:.6f} | Acc: {:.3f}%'.format(
                epoch, batch_idx * len(data), len(train_loader.dataset),
                100. * batch_idx / len(train_loader), train_loss / (batch_idx + 1), 100. * correct / total))


def fetch_teacher_outputs(teacher_model):
    """ forward the teacher once over the (unshuffled) training set, like in the kd-pytorch repo """
    teacher_model.eval()
    teacher_outputs = []
    loader = DataLoader(train_loader.dataset, batch_size=args.bs, shuffle=False)
    with torch.no_grad():
        for i, (data_batch, labels_batch) in enumerate(loader):
            if use_cuda:
                data_batch = data_batch.cuda()
            output_teacher_batch = teacher_model(data_batch)[0].data.cpu().numpy()
            teacher_outputs.append(output_teacher_batch)
    return teacher_outputs


def train_student(model, teacher, optimizer, epoch):
    model.train()
    teacher.eval()
    summ = []
    loss_avg = RunningAverage()
    for i, (train_batch, labels_batch) in enumerate(train_loader):
        if use_cuda:
            train_batch, labels_batch = train_batch.cuda(), labels_batch.cuda()
        output_batch, s_feats = model(train_batch)
        with torch.no_grad():
            output_teacher_batch, t_feats = teacher(train_batch)

        loss = loss_fn_kd(output_batch, labels_batch, output_teacher_batch)
        if args.at:
            for s, t in zip(s_feats, t_feats):
                loss += args.beta * at_loss(s, t)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        # Evaluate summaries only once in a while
        if i % 4 == 0:
            output_batch = output_batch.data.cpu().numpy()
            labels_batch = labels_batch.data.cpu().numpy()
            summary_batch = {'accuracy': np_accuracy(output_batch, labels_batch), 'loss': loss.item()}
            summ.append(summary_batch)
        loss_avg.update(loss.item())

    metrics_mean = {metric: np.mean([x[metric] for x in summ]) for metric in summ[0]}
    metrics_string = " ; ".join("{}: {:05.3f}".format(k, v) for k, v in metrics_mean.items())
    print("- Epoch %d train metrics: %s (avg loss %.4f)" % (epoch, metrics_string, loss_avg()))


def test(model, name):
    model.eval()
    test_loss = 0
    correct = 0
    agree = []
    with torch.no_grad():
        for data, target in test_loader:
            if use_cuda:
                data, target = data.cuda(), target.cuda()
            output, _ = model(data)
            test_loss += F.cross_entropy(output, target, reduction='sum').item()
            pred = output.data.max(1, keepdim=True)[1]
            correct += pred.eq(target.data.view_as(pred)).cpu().sum()
            agree.extend(F.softmax(output, 1).max(1)[0].tolist())
    test_loss /= len(test_loader.dataset)
    acc = 100. * float(correct) / len(test_loader.dataset)
    print('{}: test loss: {:.4f}, accuracy: {}/{} ({:.1f}%), confidence {:.3f}\n'.format(
        name, test_loss, correct, len(test_loader.dataset), acc, np.mean(agree)))
    return acc


if __name__ == '__main__':
    torch.manual_seed(0)
    teacher = Net(32)
    student = Net(8)
    if use_cuda:
        teacher.cuda()
        student.cuda()
    print('teacher params: %d, student params: %d' % (sum(p.nelement() for p in teacher.parameters()),
                                                      sum(p.nelement() for p in student.parameters())))

    opt_t = optim.Adam(teacher.parameters(), lr=1e-3)
    t0 = time.time()
    for epoch in range(1, args.epochs_teacher + 1):
        train_teacher(teacher, opt_t, epoch)
        test(teacher, 'teacher')
    torch.save(teacher.state_dict(), os.path.join(args.save_dir, 'teacher.pth.tar'))

    logits = fetch_teacher_outputs(teacher)
    print('teacher mean max logit: %.3f' % np.mean([l.max(1).mean() for l in logits]))

    opt_s = optim.SGD(student.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    scheduler = optim.lr_scheduler.MultiStepLR(opt_s, milestones=[2], gamma=0.1)
    best = 0
    for epoch in range(1, args.epochs + 1):
        train_student(student, teacher, opt_s, epoch)
        acc = test(student, 'student')
        scheduler.step()
        if acc > best:
            best = acc
            print('- Found new best accuracy')
            torch.save({'epoch': epoch, 'state_dict': student.state_dict(), 'optim_dict': opt_s.state_dict()},
                       os.path.join(args.save_dir, 'best.pth.tar'))
    print('best student acc %.2f, total time %.1fs' % (best, time.time() - t0))
