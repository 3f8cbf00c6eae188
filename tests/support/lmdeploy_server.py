"""LMDeploy's server with the model of `support.scored_texts`: completions, `/v1/encode` and `/get_ppl`."""

from typing import Any

from support.scored_texts import log_likelihood, text_completion, tokens
from support.scripted_server import Build, Call, ScriptedServer, Turn


class LMDeployServer(ScriptedServer):
    """Tokens are numbered as the server first meets them."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.vocabulary: list[str] = []

    def replies(self) -> dict[str, Build]:
        return {"/v1/completions": _completion, "/v1/encode": self._encode, "/get_ppl": self._ppl}

    def _encode(self, call: Call, turn: Turn, text: str) -> dict[str, Any]:
        found = tokens(call.body["input"])
        self.vocabulary += [token for token in dict.fromkeys(found) if token not in self.vocabulary]
        return {"input_ids": [self.vocabulary.index(token) for token in found], "length": len(found)}

    def _ppl(self, call: Call, turn: Turn, text: str) -> dict[str, Any]:
        """Mean negative log-likelihood of all tokens but the first."""
        ids = call.body["input"]
        return {"ppl": -log_likelihood("".join(self.vocabulary[number] for number in ids)) / (len(ids) - 1)}


def _completion(call: Call, turn: Turn, text: str) -> dict[str, Any]:
    reply = text_completion(call, turn, text)
    return {**reply, "choices": [{**choice, "logprobs": None} for choice in reply["choices"]]}
