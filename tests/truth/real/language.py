"""transformers: generation of every kind, heads and losses, a training loop; accelerate and sentence_transformers."""
import torch
import transformers as T

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _gpt():
    return T.GPT2LMHeadModel(T.GPT2Config(vocab_size=120, n_positions=128, n_embd=32, n_layer=2, n_head=2, bos_token_id=1, eos_token_id=2, pad_token_id=0)).to(device).eval()


def generate():
    model = _gpt()
    ids = torch.randint(3, 100, (2, 6), device=device)
    for options in ({}, {"do_sample": True, "top_k": 10, "top_p": 0.9, "temperature": 0.8}, {"num_beams": 3}, {"num_beams": 3, "do_sample": True}, {"repetition_penalty": 1.2, "no_repeat_ngram_size": 2}, {"do_sample": True, "typical_p": 0.9, "min_p": 0.05, "epsilon_cutoff": 1e-4},
                    {"bad_words_ids": [[5], [6, 7]], "suppress_tokens": [8], "min_new_tokens": 3}, {"num_return_sequences": 2, "do_sample": True, "renormalize_logits": True}, {"output_scores": True, "return_dict_in_generate": True, "output_logits": True},
                    {"cache_implementation": "static"}, {"max_time": 5.0}, {"encoder_repetition_penalty": 1.1, "exponential_decay_length_penalty": (3, 1.1)}, {"prompt_lookup_num_tokens": 2}):
        try:
            for _ in range(3):
                model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=8, **options)
        except Exception as error:
            print(options, type(error).__name__, error)


def assisted():
    model, small = _gpt(), _gpt()
    for _ in range(3):
        model.generate(torch.randint(3, 100, (1, 6), device=device), assistant_model=small, max_new_tokens=8)


def encoder_decoder():
    for kind, config in ((T.T5ForConditionalGeneration, T.T5Config(vocab_size=120, d_model=32, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0)),
                         (T.BartForConditionalGeneration, T.BartConfig(vocab_size=120, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=64, forced_eos_token_id=2))):
        model = kind(config).to(device)
        optimizer = torch.optim.AdamW(model.parameters())
        for step in range(3):
            ids, labels = torch.randint(3, 100, (2, 8), device=device), torch.randint(3, 100, (2, 6), device=device)
            loss = model(input_ids=ids, labels=labels).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            print(step, loss.item())
        model.eval()
        for _ in range(3):
            model.generate(ids, max_new_tokens=5, num_beams=2)


def _train(model, batch):
    model = model.to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(3):
        outputs = model(**{k: v.to(device) if torch.is_tensor(v) else v for k, v in batch().items()})
        outputs.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(step, outputs.loss.detach().float().item())
    model.eval()
    for _ in range(3):
        with torch.no_grad():
            model(**{k: v.to(device) if torch.is_tensor(v) else v for k, v in batch().items()})


def decoders():
    small = dict(vocab_size=120, hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=64, pad_token_id=0)
    for kind, config in ((T.LlamaForCausalLM, T.LlamaConfig(**small)), (T.MistralForCausalLM, T.MistralConfig(sliding_window=4, **small)), (T.MixtralForCausalLM, T.MixtralConfig(num_local_experts=4, output_router_logits=True, **small)),
                         (T.Qwen2MoeForCausalLM, T.Qwen2MoeConfig(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=16, output_router_logits=True, **small)), (T.Gemma2ForCausalLM, T.Gemma2Config(head_dim=16, sliding_window=4, **small)),
                         (T.PhiForCausalLM, T.PhiConfig(**small)), (T.FalconForCausalLM, T.FalconConfig(vocab_size=120, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, alibi=True)), (T.BloomForCausalLM, T.BloomConfig(vocab_size=120, hidden_size=32, n_layer=2, n_head=2)),
                         (T.OPTForCausalLM, T.OPTConfig(vocab_size=120, hidden_size=32, ffn_dim=32, num_hidden_layers=2, num_attention_heads=2, word_embed_proj_dim=32)), (T.MambaForCausalLM, T.MambaConfig(vocab_size=120, hidden_size=32, num_hidden_layers=2, state_size=4)), (T.RwkvForCausalLM, T.RwkvConfig(vocab_size=120, hidden_size=32, num_hidden_layers=2, context_length=32)),
                         (T.GPTNeoXForCausalLM, T.GPTNeoXConfig(**{k: v for k, v in small.items() if k != "num_key_value_heads"})), (T.JambaForCausalLM, T.JambaConfig(num_experts=2, use_mamba_kernels=False, mamba_d_state=4, **small))):
        try:
            def batch():
                ids = torch.randint(3, 100, (2, 10))
                mask = torch.ones_like(ids)
                mask[0, 8:] = 0
                return {"input_ids": ids, "attention_mask": mask, "labels": ids.masked_fill(mask == 0, -100)}
            model = kind(config)
            _train(model, batch)
            for _ in range(3):
                model.generate(torch.randint(3, 100, (2, 6), device=device), max_new_tokens=4, do_sample=False)
        except Exception as error:
            print(kind.__name__, type(error).__name__, error)


def encoders():
    small = dict(vocab_size=120, hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=64)

    def tokens(**more):
        ids = torch.randint(3, 100, (2, 10))
        return lambda: {"input_ids": ids, "attention_mask": torch.ones_like(ids), **{k: v() for k, v in more.items()}}
    for model, batch in ((lambda: T.BertForSequenceClassification(T.BertConfig(num_labels=3, **small)), tokens(labels=lambda: torch.tensor([0, 2]))), (lambda: T.BertForQuestionAnswering(T.BertConfig(**small)), tokens(start_positions=lambda: torch.tensor([1, 2]), end_positions=lambda: torch.tensor([3, 4]))),
                         (lambda: T.RobertaForMaskedLM(T.RobertaConfig(**small)), tokens(labels=lambda: torch.randint(0, 100, (2, 10)))), (lambda: T.DebertaV2ForTokenClassification(T.DebertaV2Config(num_labels=3, relative_attention=True, pos_att_type=["c2p", "p2c"], **small)), tokens(labels=lambda: torch.randint(0, 3, (2, 10)))),
                         (lambda: T.LongformerForSequenceClassification(T.LongformerConfig(attention_window=4, **small)), tokens(labels=lambda: torch.tensor([0, 1]))), (lambda: T.BigBirdForSequenceClassification(T.BigBirdConfig(attention_type="original_full", **small)), tokens(labels=lambda: torch.tensor([0, 1]))),
                         (lambda: T.GPT2ForSequenceClassification(T.GPT2Config(vocab_size=120, n_embd=32, n_layer=2, n_head=2, pad_token_id=0, num_labels=2)), tokens(labels=lambda: torch.tensor([0, 1]))), (lambda: T.ElectraForPreTraining(T.ElectraConfig(embedding_size=32, **small)), tokens(labels=lambda: torch.randint(0, 2, (2, 10)))),
                         (lambda: T.TapasForQuestionAnswering(T.TapasConfig(type_vocab_sizes=[3, 64, 64, 2, 64, 64, 10], **small)), lambda: {"input_ids": torch.randint(3, 100, (2, 10)), "attention_mask": torch.ones(2, 10), "token_type_ids": torch.ones(2, 10, 7, dtype=torch.long), "labels": torch.randint(0, 2, (2, 10))}),
                         (lambda: T.ReformerModelWithLMHead(T.ReformerConfig(vocab_size=120, is_decoder=True, attn_layers=["lsh", "local"], axial_pos_shape=[4, 4], axial_pos_embds_dim=[16, 16], hidden_size=32, feed_forward_size=32, num_attention_heads=2, attention_head_size=16, lsh_attn_chunk_length=4, local_attn_chunk_length=4, num_buckets=4)), lambda: {"input_ids": torch.randint(3, 100, (2, 16)), "labels": torch.randint(3, 100, (2, 16))})):
        try:
            _train(model(), batch)
        except Exception as error:
            print(type(error).__name__, error)


def speech():
    wave = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, conv_dim=(16, 16), conv_stride=(5, 2), conv_kernel=(10, 3), num_feat_extract_layers=2, num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2)
    for model, batch in ((lambda: T.Wav2Vec2ForCTC(T.Wav2Vec2Config(vocab_size=20, mask_time_length=2, mask_time_prob=0.2, **wave)), lambda: {"input_values": torch.randn(2, 800), "attention_mask": torch.ones(2, 800, dtype=torch.long), "labels": torch.randint(1, 20, (2, 6))}),
                         (lambda: T.HubertForSequenceClassification(T.HubertConfig(num_labels=3, mask_time_length=2, **wave)), lambda: {"input_values": torch.randn(2, 800), "labels": torch.tensor([0, 1])}),
                         (lambda: T.WhisperForConditionalGeneration(T.WhisperConfig(vocab_size=120, num_mel_bins=20, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_source_positions=30, max_target_positions=30, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)), lambda: {"input_features": torch.randn(2, 20, 60), "labels": torch.randint(3, 100, (2, 6))})):
        try:
            _train(model(), batch)
        except Exception as error:
            print(type(error).__name__, error)
    vits = T.VitsModel(T.VitsConfig(vocab_size=40, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, ffn_dim=32, flow_size=32, spectrogram_bins=33, upsample_initial_channel=32, upsample_rates=[2, 2], upsample_kernel_sizes=[4, 4], resblock_kernel_sizes=[3], resblock_dilation_sizes=[[1]], depth_separable_num_layers=1, wavenet_dilation_rate=1, prior_encoder_num_flows=2, posterior_encoder_num_wavenet_layers=2, prior_encoder_num_wavenet_layers=2, duration_predictor_num_flows=2)).to(device).eval()
    for _ in range(3):
        with torch.no_grad():
            vits(torch.randint(0, 40, (1, 12), device=device))


def pictures():
    pixels = {"pixel_values": torch.rand(2, 3, 64, 64)}
    for model, batch in ((lambda: T.ViTForImageClassification(T.ViTConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=64, num_labels=3)), lambda: {**pixels, "labels": torch.tensor([0, 1])}), (lambda: T.ViTMAEForPreTraining(T.ViTMAEConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=64, decoder_hidden_size=32, decoder_num_hidden_layers=1, decoder_num_attention_heads=2, decoder_intermediate_size=32)), lambda: pixels),
                         (lambda: T.SegformerForSemanticSegmentation(T.SegformerConfig(hidden_sizes=[16, 16, 16, 16], depths=[1] * 4, num_attention_heads=[1] * 4, decoder_hidden_size=16, num_labels=3)), lambda: {**pixels, "labels": torch.randint(0, 3, (2, 64, 64))}), (lambda: T.SwinForImageClassification(T.SwinConfig(embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4, image_size=64, num_labels=3)), lambda: {**pixels, "labels": torch.tensor([0, 1])}),
                         (lambda: T.BeitForMaskedImageModeling(T.BeitConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, image_size=64, vocab_size=50)), lambda: {**pixels, "bool_masked_pos": torch.randint(0, 2, (2, 16)).bool(), "labels": torch.randint(0, 50, (2, 16))[torch.ones(2, 16).bool()][:1]}),
                         (lambda: T.CLIPModel(T.CLIPConfig(text_config=dict(vocab_size=120, hidden_size=32, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, eos_token_id=2), vision_config=dict(hidden_size=32, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, image_size=64, patch_size=16), projection_dim=16)), lambda: {**pixels, "input_ids": torch.randint(3, 100, (2, 8)), "return_loss": True})):
        try:
            _train(model(), batch)
        except Exception as error:
            print(type(error).__name__, error)


def detectors():
    def labels():
        return [{"class_labels": torch.tensor([1, 2], device=device), "boxes": torch.rand(2, 4, device=device) * 0.3 + 0.2, "area": torch.rand(2, device=device)} for _ in range(2)]
    small = dict(d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=10, num_labels=3)
    backbone = dict(use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, backbone_config=T.ResNetConfig(embedding_size=16, hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage4"]))
    several = dict(backbone, backbone_config=T.ResNetConfig(embedding_size=16, hidden_sizes=[16, 16, 32, 32], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage2", "stage3", "stage4"]))
    for make in (lambda: T.DetrForObjectDetection(T.DetrConfig(**small, **backbone)), lambda: T.ConditionalDetrForObjectDetection(T.ConditionalDetrConfig(**small, **backbone)), lambda: T.DeformableDetrForObjectDetection(T.DeformableDetrConfig(num_feature_levels=3, two_stage=True, with_box_refine=True, **small, **several)),
                 lambda: T.YolosForObjectDetection(T.YolosConfig(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, image_size=[64, 64], num_detection_tokens=10, num_labels=3)),
                 lambda: T.RTDetrForObjectDetection(T.RTDetrConfig(backbone_config=T.RTDetrResNetConfig(embedding_size=16, hidden_sizes=[16, 16, 32, 32], depths=[1] * 4, layer_type="basic", out_features=["stage2", "stage3", "stage4"]), encoder_in_channels=[16, 32, 32], encoder_hidden_dim=32, feat_strides=[8, 16, 32], encoder_ffn_dim=32, encoder_attention_heads=2, d_model=32, num_queries=10, decoder_in_channels=[32] * 3, decoder_ffn_dim=32, decoder_layers=2, decoder_attention_heads=2, num_denoising=4, num_labels=3))):
        try:
            model = make().to(device).train()
            optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
            for step in range(3):
                outputs = model(pixel_values=torch.rand(2, 3, 64, 64, device=device), labels=labels())
                outputs.loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                print(step, {k: v.item() for k, v in outputs.loss_dict.items()})
        except Exception as error:
            print(type(error).__name__, error)
    for make in (lambda: T.MaskFormerForInstanceSegmentation(T.MaskFormerConfig(backbone_config=T.SwinConfig(embed_dim=16, depths=[1, 1, 1, 1], num_heads=[2] * 4, window_size=2, image_size=64, out_features=["stage1", "stage2", "stage3", "stage4"]), decoder_config=T.DetrConfig(d_model=32, decoder_layers=1, decoder_attention_heads=2, encoder_attention_heads=2, num_queries=8, **backbone), fpn_feature_size=32, mask_feature_size=32, num_labels=3)),
                 lambda: T.Mask2FormerForUniversalSegmentation(T.Mask2FormerConfig(backbone_config=T.SwinConfig(embed_dim=16, depths=[1, 1, 1, 1], num_heads=[2] * 4, window_size=2, image_size=64, out_features=["stage1", "stage2", "stage3", "stage4"]), feature_size=32, mask_feature_size=32, hidden_dim=32, encoder_feedforward_dim=32, dim_feedforward=32, encoder_layers=1, decoder_layers=2, num_attention_heads=2, num_queries=8, num_labels=3, train_num_points=64))):
        try:
            model = make().to(device).train()
            optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
            for _ in range(3):
                masks = [torch.randint(0, 2, (2, 64, 64), device=device).float() for _ in range(2)]
                model(pixel_values=torch.rand(2, 3, 64, 64, device=device), mask_labels=masks, class_labels=[torch.tensor([0, 1], device=device)] * 2).loss.backward()
                optimizer.step()
                optimizer.zero_grad()
        except Exception as error:
            print(type(error).__name__, error)


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        ids = torch.randint(3, 100, (12,))
        return {"input_ids": ids, "labels": ids}


def trainer():
    config = T.GPT2Config(vocab_size=120, n_positions=64, n_embd=32, n_layer=2, n_head=2)
    for options in ({}, {"fp16": torch.cuda.is_available(), "gradient_accumulation_steps": 2}, {"label_smoothing_factor": 0.1, "logging_nan_inf_filter": False}):
        args = T.TrainingArguments("out", max_steps=8, per_device_train_batch_size=4, logging_steps=2, eval_strategy="steps", eval_steps=4, save_strategy="no", report_to=[], disable_tqdm=True, **options)
        T.Trainer(T.GPT2LMHeadModel(config), args, train_dataset=Rows(), eval_dataset=Rows(), compute_metrics=lambda p: {"n": len(p.label_ids)}).train()


def accelerated():
    from accelerate import Accelerator
    accelerator = Accelerator(gradient_accumulation_steps=2, log_with=None)
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
    optimizer = torch.optim.AdamW(model.parameters())
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 16), torch.randint(0, 3, (64,))), batch_size=8)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer)
    model, optimizer, loader, schedule = accelerator.prepare(model, optimizer, loader, schedule)
    for epoch in range(2):
        total = 0.0
        for x, y in loader:
            with accelerator.accumulate(model):
                loss = torch.nn.functional.cross_entropy(model(x), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
            total += accelerator.gather_for_metrics(loss).mean().item()
        accelerator.print(epoch, total)
        accelerator.save_state("state")


if __name__ == "__main__":
    for work in (generate, assisted, encoder_decoder, decoders, encoders, speech, pictures, detectors, trainer, accelerated):
        work()
