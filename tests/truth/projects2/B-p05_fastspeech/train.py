import argparse
import os
import time

import numpy as np
import torch
import torch.nn as nn

import hparams as hp
from dataset import get_loader, preprocess
from evaluate import evaluate, synthesize, to_device
from model import FastSpeech2, FastSpeech2Loss, ScheduledOptim
from utils.tools import device, get_param_num


def main(args):
    torch.manual_seed(0)
    for p in (hp.checkpoint_path, hp.log_path, hp.synth_path):
        os.makedirs(p, exist_ok=True)
    preprocess()
    loader = get_loader("train.txt")

    model = nn.DataParallel(FastSpeech2()) if torch.cuda.device_count() > 1 else FastSpeech2()
    model = model.to(device)
    print("Model Has Been Defined")
    print('Number of FastSpeech2 Parameters:', get_param_num(model))

    optimizer = torch.optim.Adam(model.parameters(), betas=hp.betas, eps=hp.eps, weight_decay=hp.weight_decay)
    scheduled_optim = ScheduledOptim(optimizer, hp.decoder_hidden, hp.n_warm_up_step, args.restore_step)
    Loss = FastSpeech2Loss().to(device)

    ckpt = os.path.join(hp.checkpoint_path, 'checkpoint_{}.pth.tar'.format(args.restore_step))
    if args.restore_step > 0 and os.path.exists(ckpt):
        checkpoint = torch.load(ckpt)
        model.load_state_dict(checkpoint['model'])
        optimizer.load_state_dict(checkpoint['optimizer'])
        print("\n---Model Restored at Step {}---\n".format(args.restore_step))
    else:
        print("\n---Start New Training---\n")

    Time = np.array([])
    Start = time.perf_counter()
    model = model.train()
    current_step = args.restore_step
    total_step = hp.epochs * int(np.ceil(hp.n_utts - hp.n_eval) / hp.batch_size)
    for epoch in range(hp.epochs):
        for i, batchs in enumerate(loader):
            for j, data_of_batch in enumerate(batchs):
                start_time = time.perf_counter()
                current_step += 1
                text, mel_target, D, log_D, f0, energy, src_len, mel_len, max_src_len, max_mel_len = \
                    to_device(data_of_batch)

                # Forward
                mel_output, mel_postnet_output, log_duration_output, f0_output, energy_output, src_mask, mel_mask, _ = \
                    model(text, src_len, mel_len, D, f0, energy, max_src_len, max_mel_len)

                # Cal Loss
                mel_loss, mel_postnet_loss, d_loss, f_loss, e_loss = Loss(
                    log_duration_output, log_D, f0_output, f0, energy_output, energy, mel_output, mel_postnet_output,
                    mel_target, ~src_mask, ~mel_mask)
                total_loss = mel_loss + mel_postnet_loss + d_loss + f_loss + e_loss

                # Logger
                t_l = total_loss.item()
                m_l = mel_loss.item()
                m_p_l = mel_postnet_loss.item()
                d_l = d_loss.item()
                f_l = f_loss.item()
                e_l = e_loss.item()
                with open(os.path.join(hp.log_path, "total_loss.txt"), "a") as f_total_loss:
                    f_total_loss.write(str(t_l) + "\n")
                with open(os.path.join(hp.log_path, "duration_loss.txt"), "a") as f_d_loss:
                    f_d_loss.write(str(d_l) + "\n")

                # Backward
                total_loss = total_loss / hp.acc_steps
                total_loss.backward()
                if current_step % hp.acc_steps != 0:
                    continue

                # Clipping gradients to avoid gradient explosion
                nn.utils.clip_grad_norm_(model.parameters(), hp.grad_clip_thresh)

                # Update weights
                scheduled_optim.step_and_update_lr()
                scheduled_optim.zero_grad()

                # Print
                if current_step % hp.log_step == 0:
                    Now = time.perf_counter()
                    print("Epoch [{}/{}], Step [{}/{}]:".format(epoch + 1, hp.epochs, current_step, total_step))
                    print("Total Loss: {:.4f}, Mel Loss: {:.5f}, Mel PostNet Loss: {:.5f}, Duration Loss: {:.5f}, "
                          "F0 Loss: {:.5f}, Energy Loss: {:.5f};".format(t_l, m_l, m_p_l, d_l, f_l, e_l))
                    print("Time Used: {:.3f}s, Estimated Time Remaining: {:.3f}s.".format(
                        Now - Start, (total_step - current_step) * np.mean(Time) if len(Time) else 0))

                # Save Checkpoint
                if current_step % hp.save_step == 0:
                    torch.save({'model': model.state_dict(), 'optimizer': optimizer.state_dict()},
                               os.path.join(hp.checkpoint_path, 'checkpoint_{}.pth.tar'.format(current_step)))
                    print("save model at step {} ...".format(current_step))

                # Evaluate model on validation set
                if current_step % hp.eval_step == 0:
                    evaluate(model, Loss, current_step)
                    synthesize(model, current_step)

                end_time = time.perf_counter()
                Time = np.append(Time, end_time - start_time)
    evaluate(model, Loss, current_step)
    synthesize(model, current_step)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument('--restore_step', type=int, default=0)
    main(parser.parse_args())
