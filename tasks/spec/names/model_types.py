"""The model classes, and where OpenCompass has them."""

from typing import Any

from tasks.spec.names.type_entry import TypeEntry

_OPENAI: dict[str, Any] = {"key_variable": "OPENAI_API_KEY", "url_variable": "OPENAI_BASE_URL"}

MODELS: tuple[TypeEntry, ...] = (
    TypeEntry("model", "tasks.models.services.openai_chat.OpenAISDK", "models", "openai_api", **_OPENAI),
    TypeEntry(
        "model", "tasks.models.services.openai_responses.OpenAISDKResponse", "models", "openai_response", **_OPENAI,
    ),
    TypeEntry(
        "model", "tasks.models.services.openai_stream.OpenAISDKStreaming", "models", "openai_streaming", **_OPENAI,
    ),
    TypeEntry("model", "tasks.models.services.openai_http.OpenAI", "models", "openai_api", **_OPENAI),
    TypeEntry(
        "model", "tasks.models.services.openai_completion.OpenAISDKCompletion", "models", "openai_api", **_OPENAI,
    ),
    TypeEntry(
        "model", "tasks.models.vendors.gemini.GeminiSDK", "models", "gemini_sdk_api",
        key_variable="GOOGLE_API_KEY GEMINI_API_KEY", url_variable="GEMINI_BASE_URL",
    ),
    TypeEntry(
        "model", "tasks.models.vendors.claude.ClaudeSDK", "models", "claude_sdk_api",
        key_variable="ANTHROPIC_API_KEY", url_variable="ANTHROPIC_BASE_URL",
    ),
    TypeEntry("model", "tasks.models.vendors.litellm_api.LiteLLMAPI", "models", "litellm_api"),
    TypeEntry("model", "tasks.models.services.turbomind_api.TurboMindAPIModel", "models", "turbomind_api"),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFace", "models", "huggingface", loads_weights=True
    ),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFaceCausalLM", "models", "huggingface", loads_weights=True
    ),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFaceBaseModel", "models", "huggingface_above_v4_33",
        loads_weights=True,
    ),
    TypeEntry(
        "model", "tasks.models.engines.huggingface.HuggingFacewithChatTemplate", "models", "huggingface_above_v4_33",
        loads_weights=True,
    ),
    TypeEntry("model", "tasks.models.engines.vllm_engine.VLLM", "models", "vllm", loads_weights=True),
    TypeEntry(
        "model", "tasks.models.engines.lmdeploy_engine.TurboMindModel", "models", "turbomind", loads_weights=True,
    ),
    TypeEntry("model", "tasks.models.engines.gguf_model.GGUFModel", "models", loads_weights=True),
    TypeEntry(
        "model", "tasks.models.engines.vllm_engine.VLLMwithChatTemplate", "models", "vllm_with_tf_above_v4_33",
        loads_weights=True,
    ),
    TypeEntry(
        "model", "tasks.models.engines.lmdeploy_engine.TurboMindModelwithChatTemplate", "models",
        "turbomind_with_tf_above_v4_33", loads_weights=True,
    ),
)  # fmt: skip
