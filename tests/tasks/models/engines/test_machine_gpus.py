"""The GPUs of a machine, as CUDA counts them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tasks.models.engines.machine_gpus import device_variable, machine_gpus, visible_gpus

_MIG = "MIG-5f2c1a52-0b9c-5d0c-b1b0-2d2a8a7f3b11"
_LISTED = f"""\
GPU 0: NVIDIA H200 (UUID: GPU-0b6ac9ad-9b5c-4f43-8a2f-5f0a4a8cfa01)
GPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-3cbb2d1e-6a02-4a4c-90cd-6a5a54b5be02)
  MIG 3g.40gb     Device  0: (UUID: {_MIG})
"""


@pytest.fixture(autouse=True)
def _no_gpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "pynvml", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    machine_gpus.cache_clear()
    yield
    machine_gpus.cache_clear()


def _nvidia_smi(folder: Path, text: str) -> None:
    program = folder / "nvidia-smi"
    program.write_text(f"#!/bin/sh\n[ \"$1\" = -L ] || exit 2\n/bin/cat <<'END'\n{text}END\n")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("3, 5", ["3", "5"]),
        ("", []),
        ("-1", []),
        ("NoDevFiles", []),
        ("none", []),
        ("0,0,1,1", []),
        ("0,1,-1,2", ["0", "1"]),
        ("0,x,2", ["0"]),
        ("GPU-a,GPU-b", ["GPU-a", "GPU-b"]),
        ("GPU-a,GPU-a", []),
        (_MIG, [_MIG]),
    ],
)
def test_the_variable_is_read_as_cuda_reads_it(monkeypatch: pytest.MonkeyPatch, value: str, seen: list[str]):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    assert visible_gpus() == seen


def test_ascend_has_a_variable_of_its_own(monkeypatch: pytest.MonkeyPatch):
    assert device_variable() == "CUDA_VISIBLE_DEVICES"
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "1,2,7")
    assert (device_variable(), visible_gpus()) == ("ASCEND_RT_VISIBLE_DEVICES", ["1", "2", "7"])


def test_nvidia_smi_lists_gpus_and_their_instances(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    _nvidia_smi(tmp_path, _LISTED)
    assert visible_gpus() == ["0", _MIG]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,2,0")
    assert visible_gpus() == ["1"]


def test_nvml_is_asked_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    _nvidia_smi(tmp_path, _LISTED)

    class NVMLError(Exception):
        pass

    def instance(handle: int, number: int) -> str:
        if number:
            raise NVMLError
        return _MIG

    def mode(handle: int) -> tuple[int, int]:
        if handle == 2:
            raise NVMLError
        return (handle, handle)

    nvml = ModuleType("pynvml")
    for name, value in {
        "NVMLError": NVMLError,
        "nvmlInit": lambda: None,
        "nvmlShutdown": lambda: None,
        "nvmlDeviceGetCount": lambda: 3,
        "nvmlDeviceGetHandleByIndex": lambda number: number,
        "nvmlDeviceGetMigMode": mode,
        "nvmlDeviceGetMaxMigDeviceCount": lambda handle: 7,
        "nvmlDeviceGetMigDeviceHandleByIndex": instance,
        "nvmlDeviceGetUUID": lambda instance: instance.encode(),
    }.items():
        setattr(nvml, name, value)
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    assert visible_gpus() == ["0", _MIG, "2"]


def test_a_driver_that_fails_does_not_fail_the_run(tmp_path: Path):
    _nvidia_smi(tmp_path, "")
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\necho 'Failed to initialize NVML' >&2\nexit 9\n")
    visible_gpus()
