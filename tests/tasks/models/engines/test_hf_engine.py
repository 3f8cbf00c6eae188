"""Models of transformers, for real: a tiny one, on the CPU."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.models.engines.interface import EngineError
from tasks.models.interface import Completion, Likelihood, Request, Sampling, ScoreRequest
from tasks.spec.status import Status

CONTEXT = "Question: what is the capital of France? Answer:"
OPTIONS = [" Paris", " Rome, and then she went home", " B"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs_torch()
    return make_tiny_llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(autouse=True)
def _one_thread():
    needs_torch()
    import torch

    torch.set_num_threads(1)


def engine(path: Path, *, chat: bool = False, **options: Any) -> Any:
    from tasks.models.engines.hf_engine import HFEngine
    from tasks.models.engines.hf_loading import HFOptions

    return HFEngine(HFOptions(path=str(path), chat=chat, **options))


def results(engine: Any, jobs: Sequence[Request | ScoreRequest]) -> list[Any]:
    found = dict(engine.add(jobs))
    while engine.is_busy:
        found |= dict(engine.step())
    return [found[job.index] for job in jobs]


def texts(engine: Any, *prompts: str, **options: Any) -> list[str]:
    return [one.texts[0] for one in results(engine, [Request(n, p, 8, **options) for n, p in enumerate(prompts)])]


def scores(engine: Any, *texts: tuple[str, str]) -> list[Likelihood]:
    return results(engine, [ScoreRequest(n, *text) for n, text in enumerate(texts)])


def plain_scores(path: Path, context: str, continuation: str) -> list[float]:
    """The definition, word for word: one text at a time, every logit of it."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(path)
    whole = tokenizer(context + continuation)["input_ids"]
    start = len(tokenizer(context)["input_ids"])
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(path)(torch.tensor([whole])).logits[0].float()
    logprobs = torch.log_softmax(logits, -1)
    return [logprobs[at - 1, whole[at]].item() for at in range(start, len(whole))]


def plain_score(path: Path, context: str, continuation: str) -> tuple[float, int]:
    values = plain_scores(path, context, continuation)
    return sum(values), len(values)


def test_a_batch_gives_the_answers_that_its_prompts_give_alone(tiny: Path):
    prompts = ["The capital", CONTEXT, "She put the ice into the box because it was warm"]
    together = texts(engine(tiny), *prompts)
    assert together == [texts(engine(tiny, batch_tokens=1), prompt)[0] for prompt in prompts]
    assert len(set(together)) == 3


def test_options_under_one_context_score_as_whole_texts_do(tiny: Path):
    other = "What is 3 + 4? The answer is"
    asked = [*((CONTEXT, option) for option in OPTIONS), (other, " 7"), (other, " A B C D")]
    found = scores(engine(tiny), *asked)
    for score, (context, option) in zip(found, asked, strict=True):
        total, tokens = plain_score(tiny, context, option)
        assert score.tokens == tokens and score.log_likelihood == pytest.approx(total, abs=1e-3)


def test_every_token_has_its_own_where_that_is_asked(tiny: Path):
    asked = [ScoreRequest(0, CONTEXT, OPTIONS[1], tokenwise=True), ScoreRequest(1, CONTEXT, OPTIONS[0])]
    told, plain = results(engine(tiny), asked)
    assert told.token_log_probabilities == pytest.approx(plain_scores(tiny, CONTEXT, OPTIONS[1]), abs=1e-3)
    assert sum(told.token_log_probabilities) == pytest.approx(told.log_likelihood)
    assert plain.token_log_probabilities is None


def test_long_continuations_are_read_in_slices(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    whole = scores(engine(tiny), *((CONTEXT, option) for option in OPTIONS))
    monkeypatch.setattr("tasks.models.engines.hf_scoring._MOST_LOGITS", 2500)
    sliced = scores(engine(tiny), *((CONTEXT, option) for option in OPTIONS))
    assert [one.log_likelihood for one in sliced] == pytest.approx([one.log_likelihood for one in whole], abs=1e-3)


def test_a_model_without_a_cache_that_can_be_shared_scores_the_same(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    whole = scores(engine(tiny), *((CONTEXT, option) for option in OPTIONS))
    one = engine(tiny)
    monkeypatch.setattr(one._scorer, "_run", one._scorer._without_cache)
    plain = scores(one, *((CONTEXT, option) for option in OPTIONS))
    assert [score.log_likelihood for score in plain] == pytest.approx([s.log_likelihood for s in whole], abs=1e-3)


def test_a_whole_text_is_scored_behind_its_bos(tiny: Path):
    from transformers import AutoTokenizer

    [score] = scores(engine(tiny), ("", "The capital of Italy"))
    assert score.tokens == len(AutoTokenizer.from_pretrained(tiny)("The capital of Italy")["input_ids"]) - 1
    assert score.log_likelihood == pytest.approx(plain_score(tiny, "", "The capital of Italy")[0], abs=1e-3)


def test_without_a_bos_the_first_token_is_given(tmp_path: Path):
    path = make_tiny_llama(tmp_path, bos=False)
    from transformers import AutoTokenizer

    ids = AutoTokenizer.from_pretrained(path)("The capital of Italy")["input_ids"]
    assert scores(engine(path), ("", "The capital of Italy"))[0].tokens == len(ids) - 1


def first_ids(engine: Any, prompt: Any) -> list[int]:
    return engine._tokens.prompt(Request(0, prompt, 1)).ids


def test_every_prompt_has_one_bos(tiny: Path):
    base, chat = engine(tiny), engine(tiny, chat=True)
    plain = first_ids(base, "Hello")
    assert plain.count(1) == 1 and plain[0] == 1
    assert first_ids(base, "<s>Hello") == plain
    worded = first_ids(chat, [{"role": "HUMAN", "prompt": "Hello"}])
    assert worded.count(1) == 1 and worded[0] == 1


def test_chat_messages_are_worded_by_the_template(tiny: Path):
    chat = engine(tiny, chat=True)
    messages = [
        {"role": "SYSTEM", "prompt": "Be brief."},
        {"role": "HUMAN", "prompt": "Hi"},
        {"role": "HUMAN", "prompt": "there"},
    ]
    worded = chat._tokens.tokenizer.decode(first_ids(chat, messages))
    assert worded == "<s><|system|>\nBe brief.</s>\n<|user|>\nHi\nthere</s>\n<|assistant|>\n"


def test_a_chat_model_without_a_template_is_refused_with_the_remedy(tmp_path: Path):
    with pytest.raises(EngineError, match="HuggingFaceBaseModel"):
        engine(make_tiny_llama(tmp_path, chat=False), chat=True)


def test_answers_end_at_stop_strings(tiny: Path):
    [whole] = texts(engine(tiny), "The capital")
    word = whole[2:4]
    one = results(engine(tiny), [Request(0, "The capital", 8, stop=(word,))])[0]
    assert one.texts == (whole[: whole.index(word)],)
    assert (one.status, one.finish_reason) == (Status.OK, "stop")
    assert texts(engine(tiny, stop_words=(word,)), "The capital") == list(one.texts)


def test_answers_at_the_limit_are_truncated_and_tokens_are_counted(tiny: Path):
    [one] = results(engine(tiny), [Request(0, "The capital", 8)])
    assert (one.status, one.finish_reason, one.usage.completion_tokens) == (Status.TRUNCATED, "length", 8)
    assert one.usage.prompt_tokens == len(first_ids(engine(tiny), "The capital"))


LONG = "She went home. " * 40


def test_a_prompt_that_is_too_long_loses_its_front_or_its_middle_and_says_so(tiny: Path):
    [front] = results(engine(tiny, max_seq_len=64, cut="front"), [Request(0, LONG, 8)])
    assert front.note is not None and "cut from" in front.note and front.usage.prompt_tokens == 56
    one = engine(tiny, max_seq_len=64, cut="mid")
    ids = one._tokens.prompt(Request(0, "START " + LONG + " END", 8)).ids
    text = one._tokens.tokenizer.decode(ids)
    assert text.startswith("<s>START") and text.endswith("END")


def test_a_prompt_that_may_not_be_cut_has_an_error_and_the_others_go_on(tiny: Path):
    long, short = results(engine(tiny, max_seq_len=64), [Request(0, LONG, 8), Request(1, "Hi", 8)])
    assert long.status is Status.ERROR and "max_seq_len" in long.error
    assert short.status is Status.TRUNCATED


def test_the_output_limit_shrinks_to_what_is_left(tiny: Path):
    [one] = results(engine(tiny, max_seq_len=64), [Request(0, "The capital of France is Paris", 64)])
    assert one.usage.prompt_tokens + one.usage.completion_tokens <= 64


def test_a_text_that_is_too_long_is_scored_without_its_front(tiny: Path):
    long, far = scores(engine(tiny, max_seq_len=64), (LONG, " Paris"), ("Hi", LONG))
    assert long.status is Status.TRUNCATED and long.tokens == plain_score(tiny, "x", " Paris")[1]
    assert far.status is Status.ERROR and "max_seq_len" in str(far.error)


def test_several_answers_are_sampled_if_the_model_may(tiny: Path):
    one = engine(tiny, generation_kwargs={"do_sample": True, "temperature": 2.0})
    [answer] = results(one, [Request(0, "The capital", 8, sequences=4)])
    assert len(answer.texts) == 4 and len(set(answer.texts)) > 1
    [greedy] = results(engine(tiny), [Request(0, "The capital", 8, sequences=4)])
    assert greedy.status is Status.ERROR and "do_sample" in greedy.error


def test_answers_are_drawn_as_the_data_set_says(tiny: Path):
    drawn = Request(0, "The capital", 8, sequences=4, sampling=Sampling(temperature=2.0))
    greedy = Request(1, "The capital", 8)
    found = dict(zip([0, 1], results(engine(tiny), [drawn, greedy]), strict=True))
    assert len(set(found[0].texts)) > 1 and len(found[1].texts) == 1


def test_a_batch_that_does_not_fit_into_the_memory_is_halved(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    one = engine(tiny)
    run, sizes = one._generator.run, list[int]()

    class OutOfMemoryError(RuntimeError):
        pass

    def limited(batch: Sequence[Any], **options: Any) -> Any:
        sizes.append(len(batch))
        if len(batch) > 2:
            raise OutOfMemoryError
        return run(batch, **options)

    monkeypatch.setattr(one._generator, "run", limited)
    one._budget = 8 * 16
    found = results(one, [Request(n, "The capital", 8) for n in range(8)])
    assert all(answer.status is Status.TRUNCATED for answer in found)
    assert max(sizes[-3:]) <= 2


def test_a_batch_that_fails_is_the_error_of_its_prompts(tiny: Path, monkeypatch: pytest.MonkeyPatch):
    one = engine(tiny)

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a kernel is missing")

    monkeypatch.setattr(one._generator, "run", broken)
    [answer] = results(one, [Request(0, "The capital", 8)])
    assert isinstance(answer, Completion) and answer.error == "RuntimeError: a kernel is missing"


def test_an_adapter_changes_the_model(tiny: Path, tmp_path: Path):
    peft = pytest.importorskip("peft")
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(tiny)
    torch.manual_seed(1)
    config = peft.LoraConfig(target_modules=["q_proj", "v_proj"], init_lora_weights=False, r=4)
    peft.get_peft_model(model, config).save_pretrained(tmp_path / "adapter")
    adapted = engine(tiny, peft_path=str(tmp_path / "adapter"))
    [with_adapter], [without] = scores(adapted, (CONTEXT, " Paris")), scores(engine(tiny), (CONTEXT, " Paris"))
    assert abs(with_adapter.log_likelihood - without.log_likelihood) > 1e-3


def test_code_in_a_models_folder_is_not_run_and_the_error_names_the_key(tiny: Path, tmp_path: Path):
    shutil.copytree(tiny, tmp_path / "own")
    config = json.loads((tmp_path / "own/config.json").read_text())
    config |= {"model_type": "own", "architectures": ["Own"]}
    config["auto_map"] = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Own"}
    (tmp_path / "own/config.json").write_text(json.dumps(config))
    (tmp_path / "own/own.py").write_text("raise SystemExit('ran')\n")
    with pytest.raises(EngineError, match=r"model_kwargs=dict\(trust_remote_code=True\)|tokenizer_kwargs"):
        engine(tmp_path / "own")


def test_a_missing_model_is_named(tmp_path: Path):
    with pytest.raises(EngineError, match="nowhere"):
        engine(tmp_path / "nowhere")


def test_pad_tokens_may_be_counted_from_the_end(tiny: Path):
    from tasks.models.engines.hf_loading import HFOptions, load_tokenizer, padding_token

    options = HFOptions(path=str(tiny), chat=False, pad_token_id=-1)
    tokenizer = load_tokenizer(options)
    assert padding_token(options, tokenizer, None) == len(tokenizer) - 1


def test_a_model_that_cannot_be_fetched_is_told_in_one_line_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(EngineError, match="nobody/nothing is neither here nor in the .* set HF_ENDPOINT") as error:
        engine(Path("nobody/nothing"), cache_dir=str(tmp_path))
    assert "\n" not in str(error.value)
