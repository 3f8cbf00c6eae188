"""`TurboMindAPIModel`: a model behind LMDeploy's server, which continues texts and scores them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from tasks.models.http.answer_status import Choice, completion_of
from tasks.models.http.client import Wire
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.json_bodies import answer_of, encode
from tasks.models.http.keys import resolve_keys
from tasks.models.http.options import http_options
from tasks.models.http.retries import Send, ask
from tasks.models.interface import Completion, PromptForm, Request, ScoreRequest, Usage
from tasks.models.length_policy import FittedRequest, fit
from tasks.models.services.chat_reply import choices_of, usage_of
from tasks.models.services.scoring_service import Score, ScoringService, SendScore
from tasks.models.token_count import ScaledCount
from tasks.spec.chat import prompt_text
from tasks.spec.status import Status

_RENAMED = {"max_new_tokens": "max_tokens", "random_seed": "seed", "stop_words": "stop"}
"""Names of LMDeploy's GenerationConfig that its server has others for."""
_TOKENS_PER_WORD = 4
"""More than a tokenizer makes of the words of nearly any text."""
_KEPT_CONTEXTS = 256


@dataclass(kw_only=True, eq=False, repr=False)
class TurboMindAPIModel(ScoringService):
    """Asks `<api_addr>/v1/completions`; prompts are one text, to which no chat template is applied.

    Scores by `/get_ppl`, which needs a server without prefix caching. Sampling parameters are sent only if they are
    set; otherwise the server's own hold.
    """

    model_name: str
    api_addr: str | Sequence[str] = "http://0.0.0.0:23333"
    api_key: str | Sequence[str] | None = None
    max_seq_len: int | None = 2048
    end_str: str | None = None
    """Where the answer ends, besides the dataset's own stop strings."""
    top_p: float | None = None
    top_k: int | None = None
    gen_config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the request, under the names of the server or of LMDeploy's GenerationConfig."""

    prompt_form: ClassVar[PromptForm] = "text"  # pyright: ignore[reportIncompatibleVariableOverride]
    address_key: ClassVar[str] = "api_addr"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._wire = Wire(http_options({}, None), self.timeout)
        self._contexts: dict[str, Score] = {}
        """Scores of the last contexts, which the options of a question share."""

    @property
    def model(self) -> str:
        return self.model_name

    def keys(self) -> Sequence[str]:
        return ("",) if self.api_key is None else resolve_keys(self.api_key, ("TURBOMIND_API_KEY",))

    def bases(self) -> str | Sequence[str]:
        return self.api_addr

    async def close(self) -> None:
        await self._wire.close()

    async def fit(self, request: Request) -> FittedRequest:
        """Asks the server how long a prompt is that may be too long, where its tokenizer is not on this machine."""
        estimate = self.count_tokens(request.prompt)
        most = estimate * _TOKENS_PER_WORD + (request.max_out_len or 0)
        if self.count_tokens.exact or self.max_seq_len is None or most <= self.max_seq_len or not estimate:
            return await super().fit(request)
        length = await self._length(prompt_text(request.prompt))
        if length is None:
            return await super().fit(request)
        return fit(request, ScaledCount(self.count_tokens, length / estimate), self.max_seq_len, self.mode)

    def sender(self, request: Request) -> Send:
        body = self.body(request)
        stop = (*request.stop, *([self.end_str] if self.end_str else []))

        def read(reply: Any) -> Completion:
            return _read(reply, stop, self.think_tag)

        async def send(endpoint: Endpoint, key: str) -> Completion:
            return await self._post(endpoint, "v1/completions", key, body, read)

        return send

    def body(self, request: Request) -> dict[str, Any]:
        """What is asked for."""
        body: dict[str, Any] = {"model": self.model_name, "prompt": prompt_text(request.prompt)}
        sampling = {"temperature": self.temperature, "top_p": self.top_p, "top_k": self.top_k}
        own = request.sampling.given if request.sampling else {}
        wanted = {"max_tokens": request.max_out_len, **sampling, **own}
        body |= {name: value for name, value in wanted.items() if value is not None}
        own = {_RENAMED.get(name, name): value for name, value in self.gen_config.items()}
        if own.pop("do_sample", True) is False:
            own.setdefault("top_k", 1)
        stop = [*request.stop, *filter(None, [self.end_str]), *own.pop("stop", ())]
        return body | own | ({"stop": stop} if stop else {})

    def scorer(self, request: ScoreRequest) -> SendScore:
        async def send(endpoint: Endpoint, key: str) -> Score:
            whole = await self._score(request.context + request.continuation, endpoint, key)
            if not request.context:
                return whole
            context = self._contexts.get(request.context)
            if context is None:
                context = await self._score(request.context, endpoint, key)
                while len(self._contexts) >= _KEPT_CONTEXTS:
                    self._contexts.pop(next(iter(self._contexts)))
                self._contexts[request.context] = context
            return Score(whole.log_likelihood - context.log_likelihood, whole.tokens - context.tokens)

        return send

    async def _score(self, text: str, endpoint: Endpoint, key: str) -> Score:
        """Of all tokens but the first: the server tells the mean of their negative log-likelihoods."""
        ids = await self._token_ids(text, endpoint, key)
        if len(ids) < 2:
            return Score(0.0, 0)
        found: list[float] = []

        def read(reply: Any) -> Completion:
            found.append(float(_field(reply, "ppl")))
            return Completion(Status.OK)

        try:
            await self._post(endpoint, "get_ppl", key, {"model": self.model_name, "input": ids}, read)
        except AttemptFailed as failure:
            if "not supported" in failure.reason:
                raise AttemptFailed(FailureKind.UNABLE, failure.reason) from None
            raise
        return Score(-found[0] * (len(ids) - 1), len(ids) - 1)

    async def _token_ids(self, text: str, endpoint: Endpoint, key: str) -> list[int]:
        ids: list[int] = []

        def read(reply: Any) -> Completion:
            ids.extend(_field(reply, "input_ids"))
            return Completion(Status.OK)

        body = {"model": self.model_name, "input": text, "do_preprocess": False, "add_bos": True}
        await self._post(endpoint, "v1/encode", key, body, read)
        return ids

    async def _length(self, text: str) -> int | None:
        async def send(endpoint: Endpoint, key: str) -> Completion:
            return Completion(Status.OK, usage=Usage(len(await self._token_ids(text, endpoint, key))))

        return (await ask(send, self._route)).usage.prompt_tokens

    async def _post(self, endpoint: Endpoint, path: str, key: str, body: dict[str, Any], read: Any) -> Completion:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if endpoint.authorization:
            headers["Authorization"] = endpoint.authorization
        return answer_of(await self._wire.post(endpoint.url(path), encode(body), headers), self._mappings, read)


def _read(reply: Any, stop: Sequence[str], think_tag: str) -> Completion:
    choice = choices_of(reply)[0]
    text, finish = _field(choice, "text") or "", choice.get("finish_reason")
    if finish in ("error", "abort") or (finish is None and not text):
        raise AttemptFailed(FailureKind.MALFORMED, f"an answer with finish reason {finish}")
    ending = "length" if finish == "length" else "whole"
    return completion_of([Choice(text, ending, finish)], usage_of(reply.get("usage") or {}), stop, think_tag)


def _field(reply: Any, name: str) -> Any:
    if not isinstance(reply, dict) or name not in reply:
        raise AttemptFailed(FailureKind.MALFORMED, f"the answer has no {name}")
    return cast(dict[str, Any], reply)[name]
