"""`OpenAISDKCompletion`: base models behind the completions interface, which continue a text."""

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from tasks.models.http.answer_status import Choice, completion_of
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind, judge_reply
from tasks.models.http.json_bodies import decode
from tasks.models.interface import Completion, PromptForm, Request, ScoreRequest
from tasks.models.services.chat_reply import ENDINGS, choices_of, usage_of
from tasks.models.services.echoed_logprobs import Token, score_of_all, score_of_end, tokens_of
from tasks.models.services.openai_service import OpenAIService
from tasks.models.services.scoring_service import Score, ScoringService, SendScore
from tasks.spec.chat import prompt_text

_MOST_STOPS = 4
_UNABLE = "the service gives no log-probabilities of the prompt (`echo` with `logprobs`), which scoring needs"


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAISDKCompletion(ScoringService, OpenAIService):
    """Asks `<openai_api_base>/completions`: prompts are one text, without roles.

    Scores texts where the service echoes the prompt with log-probabilities (vLLM does, llama.cpp and LMDeploy do not).
    """

    path: str = "gpt-3.5-turbo-instruct"
    resource: ClassVar[str] = "completions"
    prompt_form: ClassVar[PromptForm] = "text"  # pyright: ignore[reportIncompatibleVariableOverride]
    takes_sequences: ClassVar[bool] = True
    can_score_tokens = True

    def body(self, request: Request) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.path, "prompt": prompt_text(request.prompt)}
        if request.max_out_len is not None:
            body["max_tokens"] = request.max_out_len
        body |= self.sampling(request)
        if request.sequences > 1:
            body["n"] = request.sequences
        if request.stop:
            body["stop"] = list(request.stop[:_MOST_STOPS])
        if self.logprobs:
            body["logprobs"] = self.top_logprobs or 1
        return {**body, **self._extras}

    def read(self, reply: Any, request: Request) -> Completion:
        try:
            read = [_choice(choice) for choice in choices_of(reply)]
        except (KeyError, TypeError, AttributeError):
            raise AttemptFailed(FailureKind.MALFORMED, "the answer has a choice without a text") from None
        return completion_of(read, usage_of(reply.get("usage") or {}), request.stop, self.think_tag)

    def scorer(self, request: ScoreRequest) -> SendScore:
        text = request.context + request.continuation

        async def send(endpoint: Endpoint, key: str) -> Score:
            tokens = await self._prompt_tokens(text, endpoint, key)
            score = score_of_end(tokens, text, len(request.context))
            if score is not None:
                return score
            # the tokens' texts do not tell where the continuation begins: what the context has is taken off
            whole, context = score_of_all(tokens), Score(0.0, 0)
            if request.context:
                context = score_of_all(await self._prompt_tokens(request.context, endpoint, key))
            values = whole.values[context.tokens :] if whole.values is not None else None
            return Score(whole.log_likelihood - context.log_likelihood, whole.tokens - context.tokens, values)

        return send

    async def _prompt_tokens(self, text: str, endpoint: Endpoint, key: str) -> list[Token]:
        """All tokens of the text; one more is generated, since not every service takes a limit of none."""
        body = {"model": self.path, "prompt": text, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1}
        reply = await self._wire.post(self.url(endpoint), self.encoded(body), self.headers(endpoint, key))
        if reply.status != 200:
            verdict = judge_reply(reply.status, reply.headers, reply.body, {})
            raise (
                verdict
                if isinstance(verdict, AttemptFailed)
                else AttemptFailed(FailureKind.REJECTED, verdict.error or "filtered")
            )
        data = decode(reply.body)
        try:
            tokens = tokens_of(choices_of(data)[0].get("logprobs"))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise AttemptFailed(FailureKind.MALFORMED, "the answer has log-probabilities in an unknown form") from None
        usage = usage_of(data.get("usage") or {})
        echoed = len(tokens) - (usage.completion_tokens if usage.completion_tokens is not None else 1)
        if echoed <= 0 or echoed < (usage.prompt_tokens or 0):
            raise AttemptFailed(FailureKind.UNABLE, _UNABLE)
        return tokens[:echoed]


def _choice(choice: dict[str, Any]) -> Choice:
    text, finish = cast(str, choice["text"]) or "", choice.get("finish_reason")
    if finish is None and not text:
        raise AttemptFailed(FailureKind.MALFORMED, "an empty answer without a finish reason")
    ending = ENDINGS.get(finish, "whole")
    return Choice(text, ending, finish, reason="the service's content filter" if ending == "filtered" else None)
