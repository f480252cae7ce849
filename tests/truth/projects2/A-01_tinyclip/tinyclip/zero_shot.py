import logging

import torch
import torch.nn.functional as F

from .data import TEMPLATES, classnames


def zero_shot_classifier(model, names, templates, tokenizer, args, autocast):
    with torch.no_grad():
        zeroshot_weights = []
        for c, s in names:
            texts = [template.format(c=c, s=s) for template in templates]
            texts = tokenizer(texts).to(args.device)
            with autocast():
                class_embeddings = model.encode_text(texts)
            class_embedding = F.normalize(class_embeddings.float(), dim=-1).mean(dim=0)
            class_embedding /= class_embedding.norm()
            zeroshot_weights.append(class_embedding)
        zeroshot_weights = torch.stack(zeroshot_weights, dim=1).to(args.device)
    return zeroshot_weights


def accuracy(output, target, topk=(1,)):
    pred = output.topk(max(topk), 1, True, True)[1].t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    return [float(correct[:k].reshape(-1).float().sum(0, keepdim=True).cpu().numpy()[0]) for k in topk]


def run(model, classifier, dataloader, args, autocast):
    with torch.no_grad():
        top1, top5, n = 0., 0., 0.
        for images, target in dataloader:
            images = images.to(args.device)
            target = target.to(args.device)
            with autocast():
                image_features = model.encode_image(images)
            image_features = F.normalize(image_features.float(), dim=-1)
            logits = 100. * image_features @ classifier
            acc1, acc5 = accuracy(logits, target, topk=(1, 5))
            top1 += acc1
            top5 += acc5
            n += images.size(0)
    return top1 / n, top5 / n


def zero_shot_eval(model, data, epoch, args, tokenizer, autocast):
    if "zeroshot" not in data or args.zeroshot_frequency == 0:
        return {}
    if (epoch % args.zeroshot_frequency) != 0 and epoch != args.epochs:
        return {}
    logging.info("Starting zero-shot shapes.")
    classifier = zero_shot_classifier(model, classnames(), TEMPLATES, tokenizer, args, autocast)
    top1, top5 = run(model, classifier, data["zeroshot"], args, autocast)
    logging.info("Finished zero-shot shapes.")
    return {"shapes-zeroshot-val-top1": top1, "shapes-zeroshot-val-top5": top5}
