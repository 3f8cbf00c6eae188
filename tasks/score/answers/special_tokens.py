"""Special tokens of model families: marks of a chat template that some servers leave in the text of an answer."""

import re

_FAMILIES = {
    "ChatML (Qwen, Yi, and others)": ("<|im_start|>", "<|im_end|>", "<|im_sep|>"),
    "GPT-2, Qwen, Phi, StarCoder": ("<|endoftext|>", "<|endofprompt|>", "<|endofmask|>", "<|file_sep|>"),
    "gpt-oss": ("<|start|>", "<|return|>", "<|channel|>", "<|message|>", "<|call|>"),
    "Llama 3": (
        "<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|end_header_id|>",
        "<|python_tag|>", "<|finetune_right_pad_id|>",
    ),
    "Llama 4": ("<|begin_of_text|>", "<|eot|>", "<|eom|>", "<|header_start|>", "<|header_end|>"),
    "SentencePiece (Llama 2, Mistral, Baichuan, and others)": ("<s>", "</s>", "<unk>", "<pad>", "<bos>", "<eos>"),
    "Llama 2, Mistral": (
        "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]",
        "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]",
    ),
    "InternLM": (
        "<eoa>", "<eoh>", "<eosys>", "<eop>", "<eom>", "<|User|>:", "<|Bot|>:", "<|action_start|>", "<|action_end|>",
        "<|interpreter|>", "<|plugin|>", "[UNUSED_TOKEN_145]", "[UNUSED_TOKEN_146]",
    ),
    "Gemma": ("<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>"),
    "Phi": ("<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|tool|>", "<|/tool|>"),
    "ChatGLM": ("[gMASK]", "<sop>", "<|observation|>", "<|startoftext|>"),
    "DeepSeek": (
        "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>", "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>", "<|EOT|>", "<|begin▁of▁sentence|>", "<|end▁of▁sentence|>",
    ),
    "Command R": (
        "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|USER_TOKEN|>", "<|SYSTEM_TOKEN|>",
        "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<EOS_TOKEN>", "<BOS_TOKEN>",
    ),
    "Falcon, OpenAssistant": (
        "<|prompter|>", "<|startoftext|>", "<|beginofutterance|>", "<|endofutterance|>", "<end_of_utterance>",
    ),
    "OpenChat": ("<|end_of_turn|>",),
    "Granite": ("<|start_of_role|>", "<|end_of_role|>"),
    "Kimi": ("<|im_user|>", "<|im_assistant|>", "<|im_system|>", "<|im_middle|>", "[BOS]", "[EOS]", "[EOT]"),
    "Nemotron": ("<extra_id_0>", "<extra_id_1>", "<SPECIAL_11>", "<SPECIAL_12>"),
    "EXAONE, Hunyuan, MiniMax, MiniCPM": (
        "[|system|]", "[|user|]", "[|assistant|]", "[|endofturn|]", "<|hy_User|>", "<|hy_Assistant|>",
        "<|hy_place▁holder▁no▁2|>", "[e~[", "<用户>",
    ),
}  # fmt: skip

SPECIAL_TOKENS = frozenset(token for tokens in _FAMILIES.values() for token in tokens)
"""As texts, exactly as the tokenizers write them. No reader of answers takes one as a word."""

ENDING_TOKENS = frozenset({
    "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|eom|>", "<|EOT|>", "<|end_of_text|>",
    "</s>", "<eos>", "<eoa>", "<eom>", "<end_of_turn>", "<|end_of_turn|>", "<|end|>", "<|return|>", "<|call|>",
    "<|endofprompt|>", "<｜end▁of▁sentence｜>", "<|end▁of▁sentence|>", "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>",
    "<EOS_TOKEN>", "[EOS]", "[EOT]", "[|endofturn|]", "<end_of_utterance>", "<|endofutterance|>",
    "[UNUSED_TOKEN_145]", "<SPECIAL_12>", "[e~[",
})  # fmt: skip
"""Those behind which a model is done: what follows is no part of its answer."""


def pattern_of(tokens: frozenset[str]) -> re.Pattern[str]:
    """Matches one of the tokens, the longest first."""
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=lambda token: (-len(token), token))))


SPECIAL_TOKEN = pattern_of(SPECIAL_TOKENS)
"""One special token."""
