import logging
import math
import os
import pickle
import time
from collections import deque
from random import shuffle

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Connect3Game(object):
    """Connect-three on a 4x5 board, canonical boards are from the point of view of the player to move"""

    def __init__(self, h=4, w=5, k=3):
        self.h, self.w, self.k = h, w, k

    def getInitBoard(self):
        return np.zeros((self.h, self.w), dtype=np.int8)

    def getBoardSize(self):
        return self.h, self.w

    def getActionSize(self):
        return self.w

    def getNextState(self, board, player, action):
        b = board.copy()
        row = np.nonzero(b[:, action] == 0)[0][-1]
        b[row, action] = player
        return b, -player

    def getValidMoves(self, board):
        return (board[0] == 0).astype(np.uint8)

    def _won(self, b, p):
        m = b == p
        for y in range(self.h):
            for x in range(self.w):
                for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ey, ex = y + dy * (self.k - 1), x + dx * (self.k - 1)
                    if 0 <= ey < self.h and 0 <= ex < self.w and all(m[y + i * dy, x + i * dx] for i in range(self.k)):
                        return True
        return False

    def getGameEnded(self, board, player):
        # 0 if not ended, 1 if player won, -1 if lost, small value for a draw
        if self._won(board, player):
            return 1
        if self._won(board, -player):
            return -1
        if not self.getValidMoves(board).any():
            return 1e-4
        return 0

    def getCanonicalForm(self, board, player):
        return player * board

    def getSymmetries(self, board, pi):
        return [(board, pi), (board[:, ::-1], pi[::-1])]

    def stringRepresentation(self, board):
        return board.tobytes()


EPS = 1e-8


class MCTS():
    def __init__(self, game, nnet, args):
        self.game = game
        self.nnet = nnet
        self.args = args
        self.Qsa = {}
        self.Nsa = {}
        self.Ns = {}
        self.Ps = {}
        self.Es = {}
        self.Vs = {}

    def getActionProb(self, canonicalBoard, temp=1):
        for i in range(self.args.numMCTSSims):
            self.search(canonicalBoard)

        s = self.game.stringRepresentation(canonicalBoard)
        counts = [self.Nsa[(s, a)] if (s, a) in self.Nsa else 0 for a in range(self.game.getActionSize())]

        if temp == 0:
            bestAs = np.array(np.argwhere(counts == np.max(counts))).flatten()
            bestA = np.random.choice(bestAs)
            probs = [0] * len(counts)
            probs[bestA] = 1
            return probs

        counts = [x ** (1. / temp) for x in counts]
        counts_sum = float(sum(counts))
        return [x / counts_sum for x in counts]

    def search(self, canonicalBoard):
        s = self.game.stringRepresentation(canonicalBoard)
        if s not in self.Es:
            self.Es[s] = self.game.getGameEnded(canonicalBoard, 1)
        if self.Es[s] != 0:
            return -self.Es[s]

        if s not in self.Ps:
            # leaf node
            self.Ps[s], v = self.nnet.predict(canonicalBoard)
            valids = self.game.getValidMoves(canonicalBoard)
            self.Ps[s] = self.Ps[s] * valids
            sum_Ps_s = np.sum(self.Ps[s])
            if sum_Ps_s > 0:
                self.Ps[s] /= sum_Ps_s
            else:
                print("All valid moves were masked, doing a workaround.")
                self.Ps[s] = self.Ps[s] + valids
                self.Ps[s] /= np.sum(self.Ps[s])
            self.Vs[s] = valids
            self.Ns[s] = 0
            return -v

        valids = self.Vs[s]
        cur_best, best_act = -float('inf'), -1
        for a in range(self.game.getActionSize()):
            if valids[a]:
                if (s, a) in self.Qsa:
                    u = self.Qsa[(s, a)] + self.args.cpuct * self.Ps[s][a] * math.sqrt(self.Ns[s]) / (1 + self.Nsa[(s, a)])
                else:
                    u = self.args.cpuct * self.Ps[s][a] * math.sqrt(self.Ns[s] + EPS)
                if u > cur_best:
                    cur_best, best_act = u, a

        a = best_act
        next_s, next_player = self.game.getNextState(canonicalBoard, 1, a)
        next_s = self.game.getCanonicalForm(next_s, next_player)
        v = self.search(next_s)

        if (s, a) in self.Qsa:
            self.Qsa[(s, a)] = (self.Nsa[(s, a)] * self.Qsa[(s, a)] + v) / (self.Nsa[(s, a)] + 1)
            self.Nsa[(s, a)] += 1
        else:
            self.Qsa[(s, a)] = v
            self.Nsa[(s, a)] = 1
        self.Ns[s] += 1
        return -v


class AverageMeter(object):
    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def __repr__(self):
        return f'{self.avg:.2e}'

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class BoardNet(nn.Module):
    def __init__(self, game, args):
        super(BoardNet, self).__init__()
        self.board_x, self.board_y = game.getBoardSize()
        self.action_size = game.getActionSize()
        self.args = args
        c = args.num_channels
        self.conv1 = nn.Conv2d(1, c, 3, stride=1, padding=1)
        self.conv2 = nn.Conv2d(c, c, 3, stride=1, padding=1)
        self.conv3 = nn.Conv2d(c, c, 3, stride=1)
        self.bn1 = nn.BatchNorm2d(c)
        self.bn2 = nn.BatchNorm2d(c)
        self.bn3 = nn.BatchNorm2d(c)
        self.fc1 = nn.Linear(c * (self.board_x - 2) * (self.board_y - 2), 64)
        self.fc_bn1 = nn.BatchNorm1d(64)
        self.fc3 = nn.Linear(64, self.action_size)
        self.fc4 = nn.Linear(64, 1)

    def forward(self, s):
        s = s.view(-1, 1, self.board_x, self.board_y)
        s = F.relu(self.bn1(self.conv1(s)))
        s = F.relu(self.bn2(self.conv2(s)))
        s = F.relu(self.bn3(self.conv3(s)))
        s = s.view(s.size(0), -1)
        s = F.dropout(F.relu(self.fc_bn1(self.fc1(s))), p=self.args.dropout, training=self.training)
        return F.log_softmax(self.fc3(s), dim=1), torch.tanh(self.fc4(s))


class NNetWrapper():
    def __init__(self, game, args):
        self.args = args
        self.nnet = BoardNet(game, args)
        self.board_x, self.board_y = game.getBoardSize()
        self.action_size = game.getActionSize()
        if args.cuda:
            self.nnet.cuda()

    def train(self, examples):
        """examples: list of examples, each example is of form (board, pi, v)"""
        optimizer = optim.Adam(self.nnet.parameters(), lr=self.args.lr)
        for epoch in range(self.args.epochs):
            self.nnet.train()
            pi_losses, v_losses = AverageMeter(), AverageMeter()
            batch_count = int(len(examples) / self.args.batch_size)
            for _ in range(batch_count):
                sample_ids = np.random.randint(len(examples), size=self.args.batch_size)
                boards, pis, vs = list(zip(*[examples[i] for i in sample_ids]))
                boards = torch.FloatTensor(np.array(boards).astype(np.float64))
                target_pis = torch.FloatTensor(np.array(pis))
                target_vs = torch.FloatTensor(np.array(vs).astype(np.float64))
                if self.args.cuda:
                    boards, target_pis, target_vs = boards.contiguous().cuda(), target_pis.contiguous().cuda(), target_vs.contiguous().cuda()

                out_pi, out_v = self.nnet(boards)
                l_pi = self.loss_pi(target_pis, out_pi)
                l_v = self.loss_v(target_vs, out_v)
                total_loss = l_pi + l_v

                pi_losses.update(l_pi.item(), boards.size(0))
                v_losses.update(l_v.item(), boards.size(0))

                optimizer.zero_grad()
                total_loss.backward()
                optimizer.step()
            print('EPOCH ::: %d  Loss_pi=%r Loss_v=%r (%d batches)' % (epoch + 1, pi_losses, v_losses, batch_count))

    def predict(self, board):
        board = torch.FloatTensor(board.astype(np.float64))
        if self.args.cuda:
            board = board.contiguous().cuda()
        board = board.view(1, self.board_x, self.board_y)
        self.nnet.eval()
        with torch.no_grad():
            pi, v = self.nnet(board)
        return torch.exp(pi).data.cpu().numpy()[0], v.data.cpu().numpy()[0][0]

    def loss_pi(self, targets, outputs):
        return -torch.sum(targets * outputs) / targets.size()[0]

    def loss_v(self, targets, outputs):
        return torch.sum((targets - outputs.view(-1)) ** 2) / targets.size()[0]

    def save_checkpoint(self, folder='checkpoint', filename='checkpoint.pth.tar'):
        if not os.path.exists(folder):
            print("Checkpoint Directory does not exist! Making directory {}".format(folder))
            os.mkdir(folder)
        torch.save({'state_dict': self.nnet.state_dict()}, os.path.join(folder, filename))

    def load_checkpoint(self, folder='checkpoint', filename='checkpoint.pth.tar'):
        map_location = None if self.args.cuda else 'cpu'
        checkpoint = torch.load(os.path.join(folder, filename), map_location=map_location)
        self.nnet.load_state_dict(checkpoint['state_dict'])


try:
    import coloredlogs
    coloredlogs.install(level='INFO')
except ImportError:
    logging.basicConfig(level=logging.INFO)
try:
    from tqdm import tqdm
except ImportError:
    tqdm = lambda x, desc=None: x

log = logging.getLogger(__name__)


class dotdict(dict):
    def __getattr__(self, name):
        return self[name]


args = dotdict({
    'numIters': 2,
    'numEps': 5,                # Number of complete self-play games to simulate during a new iteration.
    'tempThreshold': 6,
    'updateThreshold': 0.55,    # During arena playoff, new neural net will be accepted if threshold or more of games are won.
    'maxlenOfQueue': 2000,
    'numMCTSSims': 12,
    'arenaCompare': 4,
    'cpuct': 1,
    'checkpoint': '/tmp/azero_temp/',
    'numItersForTrainExamplesHistory': 4,

    'lr': 0.002,
    'dropout': 0.3,
    'epochs': 3,
    'batch_size': 16,
    'num_channels': 32,
    'cuda': torch.cuda.is_available(),
})


class Arena():
    def __init__(self, player1, player2, game):
        self.player1, self.player2, self.game = player1, player2, game

    def playGame(self):
        players = [self.player2, None, self.player1]
        curPlayer = 1
        board = self.game.getInitBoard()
        while self.game.getGameEnded(board, curPlayer) == 0:
            action = players[curPlayer + 1](self.game.getCanonicalForm(board, curPlayer))
            assert self.game.getValidMoves(board)[action] > 0
            board, curPlayer = self.game.getNextState(board, curPlayer, action)
        return curPlayer * self.game.getGameEnded(board, curPlayer)

    def playGames(self, num):
        num = int(num / 2)
        oneWon = twoWon = draws = 0
        for sign in (1, -1):
            for _ in tqdm(range(num), desc="Arena.playGames"):
                r = self.playGame() * sign
                if r == 1:
                    oneWon += 1
                elif r == -1:
                    twoWon += 1
                else:
                    draws += 1
            self.player1, self.player2 = self.player2, self.player1
        return oneWon, twoWon, draws


class Coach():
    def __init__(self, game, nnet, args):
        self.game = game
        self.nnet = nnet
        self.pnet = self.nnet.__class__(self.game, args)  # the competitor network
        self.args = args
        self.mcts = MCTS(self.game, self.nnet, self.args)
        self.trainExamplesHistory = []

    def executeEpisode(self):
        trainExamples = []
        board = self.game.getInitBoard()
        curPlayer = 1
        episodeStep = 0
        while True:
            episodeStep += 1
            canonicalBoard = self.game.getCanonicalForm(board, curPlayer)
            temp = int(episodeStep < self.args.tempThreshold)
            pi = self.mcts.getActionProb(canonicalBoard, temp=temp)
            for b, p in self.game.getSymmetries(canonicalBoard, pi):
                trainExamples.append([b, curPlayer, p])
            action = np.random.choice(len(pi), p=pi)
            board, curPlayer = self.game.getNextState(board, curPlayer, action)
            r = self.game.getGameEnded(board, curPlayer)
            if r != 0:
                return [(x[0], x[2], r * ((-1) ** (x[1] != curPlayer))) for x in trainExamples]

    def learn(self):
        for i in range(1, self.args.numIters + 1):
            log.info(f'Starting Iter #{i} ...')
            iterationTrainExamples = deque([], maxlen=self.args.maxlenOfQueue)
            for _ in tqdm(range(self.args.numEps), desc="Self Play"):
                self.mcts = MCTS(self.game, self.nnet, self.args)  # reset search tree
                iterationTrainExamples += self.executeEpisode()
            self.trainExamplesHistory.append(iterationTrainExamples)
            if len(self.trainExamplesHistory) > self.args.numItersForTrainExamplesHistory:
                self.trainExamplesHistory.pop(0)
            self.saveTrainExamples(i - 1)

            trainExamples = []
            for e in self.trainExamplesHistory:
                trainExamples.extend(e)
            shuffle(trainExamples)

            # training new network, keeping a copy of the old one
            self.nnet.save_checkpoint(folder=self.args.checkpoint, filename='temp.pth.tar')
            self.pnet.load_checkpoint(folder=self.args.checkpoint, filename='temp.pth.tar')
            pmcts = MCTS(self.game, self.pnet, self.args)
            self.nnet.train(trainExamples)
            nmcts = MCTS(self.game, self.nnet, self.args)

            log.info('PITTING AGAINST PREVIOUS VERSION')
            arena = Arena(lambda x: np.argmax(pmcts.getActionProb(x, temp=0)),
                          lambda x: np.argmax(nmcts.getActionProb(x, temp=0)), self.game)
            pwins, nwins, draws = arena.playGames(self.args.arenaCompare)
            log.info('NEW/PREV WINS : %d / %d ; DRAWS : %d' % (nwins, pwins, draws))
            if pwins + nwins == 0 or float(nwins) / (pwins + nwins) < self.args.updateThreshold:
                log.info('REJECTING NEW MODEL')
                self.nnet.load_checkpoint(folder=self.args.checkpoint, filename='temp.pth.tar')
            else:
                log.info('ACCEPTING NEW MODEL')
                self.nnet.save_checkpoint(folder=self.args.checkpoint, filename='checkpoint_' + str(i) + '.pth.tar')
                self.nnet.save_checkpoint(folder=self.args.checkpoint, filename='best.pth.tar')

    def saveTrainExamples(self, iteration):
        folder = self.args.checkpoint
        if not os.path.exists(folder):
            os.makedirs(folder)
        with open(os.path.join(folder, 'checkpoint_%d.pth.tar.examples' % iteration), "wb+") as f:
            pickle.Pickler(f).dump(self.trainExamplesHistory)


def main():
    np.random.seed(0)
    torch.manual_seed(0)
    log.info('Loading %s...', Connect3Game.__name__)
    g = Connect3Game()
    nnet = NNetWrapper(g, args)
    c = Coach(g, nnet, args)
    c.learn()

    rnd = lambda b: int(np.random.choice(np.nonzero(g.getValidMoves(b))[0]))
    m = MCTS(g, nnet, args)
    w, l, d = Arena(lambda x: int(np.argmax(m.getActionProb(x, temp=0))), rnd, g).playGames(6)
    print('vs random: %d won %d lost %d drawn' % (w, l, d))


if __name__ == "__main__":
    main()
