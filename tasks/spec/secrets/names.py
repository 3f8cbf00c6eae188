"""Which values of a configuration are secrets, told by their names and by what URLs carry."""

import os
import re

_SECRET_NAME = re.compile(
    r"(?i:(.*[_-])?(api[_-]?key|access[_-]?key([_-]?(id|secret))?|secret([_-]?(key|access[_-]?key))?|private[_-]?key"
    r"|password|passwd|pwd|authorization|credentials?|cookie"
    r"|(api|app|auth|access|bearer|bot|hf|hub|id|refresh|security|service|session|user)[_-]?token)|token)"
    r"|[A-Z][A-Z0-9_]*_(KEY|TOKEN|SECRET|PASSWORD|PASS)|(?i:.*webhook.*|.*bot_url)"
)
_VARIABLE_NAME = re.compile(r"[A-Z][A-Z0-9_]*_(KEY|TOKEN)")
_WEBHOOK = re.compile(r"https?://[^/]*(/open-apis/bot/|hooks\.slack\.com/|/api/webhooks/|.*/webhooks?/)")
_USER_INFO = re.compile(r"(?P<before>\b[a-zA-Z][a-zA-Z0-9+.-]*://)(?P<secret>[^/\s?#]+)(?=@)")
_QUERY = re.compile(r"[?&](?P<name>[\w.-]+)=(?P<secret>[^&#\s]+)")
_QUERY_KEYS = frozenset({"key", "sig", "signature"})
_NAMED_TEXT = re.compile(r"""([\w-]+)['"]?\s*[=:]\s*[\[(]?\s*[a-zA-Z]{0,2}['"]""")
_QUOTED = re.compile(r"""(?P<quote>['"])(?P<text>.*?)(?P=quote)""")
_TOKEN = re.compile(r"\b((sk|pk|ghp|xox[a-z])[-_][A-Za-z0-9_-]{8,}|hf_[A-Za-z0-9]{20,})")
"""Models are called `hf_opt_125m`, and an option `--hf-num-gpus`: Hugging Face's tokens are one word behind `hf_`."""
_OPTION = re.compile(r"--(?P<name>[\w-]+)[= ]+['\"]?(?P<secret>[^\s'\"-][^\s'\"]*)")
_PLACEHOLDERS = frozenset({"", "ENV", "EMPTY", "NONE", "None", "none", "null"})
_REFERENCE = re.compile(r"ENV:[A-Za-z_][A-Za-z0-9_]*|\{ENV:[A-Za-z_][A-Za-z0-9_]*\}")


def is_secret_name(name: str) -> bool:
    """Whether a value under this name is a secret wherever it stands (`api_key`, `lark_bot_url`, `HF_TOKEN`)."""
    # A shell's PWD is the current folder, which stands in many a path.
    return name != "PWD" and bool(_SECRET_NAME.fullmatch(name))


def is_variable_name(text: str) -> bool:
    """Whether a key's value is the name of an environment variable: a set one, or one that ends like a key's."""
    return text in os.environ or bool(_VARIABLE_NAME.fullmatch(text))


def is_public_key(value: str) -> bool:
    """Whether a value that stands for a key gives nothing away: a key word, a variable's name, a reference."""
    return value in _PLACEHOLDERS or is_variable_name(value) or bool(_REFERENCE.fullmatch(value))


def is_webhook(text: str) -> bool:
    """Whether the text is the address of a chat bot, which anybody who knows it can write to."""
    return bool(_WEBHOOK.match(text))


def has_secret_shape(text: str) -> bool:
    """Whether the whole text has the form that keys of well-known services have."""
    return bool(_TOKEN.fullmatch(text))


def url_secrets(text: str) -> list[str]:
    """User infos (`user:password`) and secret query values inside the text, in order."""
    found = [match["secret"] for match in _USER_INFO.finditer(text)]
    query = _QUERY.finditer(text) if "://" in text else ()
    found += [match["secret"] for match in query if _names_secret(match["name"])]
    return [secret for secret in dict.fromkeys(found) if not _REFERENCE.fullmatch(secret)]


def _names_secret(parameter: str) -> bool:
    return is_secret_name(parameter) or parameter.lower() in _QUERY_KEYS


def command_secrets(text: str) -> list[str]:
    """What stands after `--api-key` and the like in a command line."""
    found = [match["secret"] for match in _OPTION.finditer(text) if is_secret_name(match["name"])]
    return [secret for secret in dict.fromkeys(found) if not is_public_key(secret)]


def without_secrets(text: str) -> str:
    """The text without the secrets that it carries, in clear or by reference: it stays the same when they change."""
    for secret in [*url_secrets(text), *command_secrets(text)]:
        text = text.replace(secret, "")
    return _REFERENCE.sub("", text)


def mask_source(line: str) -> str:
    """A line of a configuration as it may be shown: the texts on a line that sets a secret are masked."""
    names = _NAMED_TEXT.findall(line)
    if any(name.lower() == "key" or is_secret_name(name) for name in names):
        line = _QUOTED.sub(_masked, line)
    return mask_shapes(line)


def mask_shapes(text: str) -> str:
    """The text without what looks like a secret wherever it stands: user info in URLs, tokens of well-known forms."""
    text = _USER_INFO.sub(lambda match: f"{match['before']}***", text)
    return re.sub(r"(?i)(bearer\s+)[\w.~+/-]{8,}=*", r"\1***", _TOKEN.sub("***", text))


def _masked(match: re.Match[str]) -> str:
    text = match["text"] if is_public_key(match["text"]) else "***"
    return f"{match['quote']}{text}{match['quote']}"
