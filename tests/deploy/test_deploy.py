"""The ways of running that ``deploy/`` describes, as far as they can be held against the project without an engine."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tgbot.__main__ import main
from tgbot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
SERVICE = (DEPLOY / "inbetween.service").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
CADDYFILE = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
OURS = {name.upper() for name in Settings.model_fields}
"""The settings that the bot reads."""


def instructions(word: str) -> list[str]:
    """What follows an instruction of the Dockerfile, lines that go on put together."""
    return re.findall(rf"^{word} (.*)$", DOCKERFILE.replace("\\\n", " "), re.MULTILINE)


# -- the image -------------------------------------------------------------------------------------


def test_everything_that_is_copied_is_there_and_is_let_into_the_build() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split() if line.startswith("!")}
    sources = [source for line in instructions("COPY") if "--from" not in line for source in line.split()[:-1]]
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(part.startswith(source.rstrip("/")) for part in let_in), f"{source} is kept out by .dockerignore"


def test_what_the_package_is_built_from_is_copied() -> None:
    """Otherwise the build inside the image fails, or the image lacks a room."""
    sources = {source for line in instructions("COPY") for source in line.split()}
    assert {"domain", "persistence", "tgbot", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE"} <= sources


def test_the_image_runs_as_nobody_in_particular_and_says_how_it_is() -> None:
    final = DOCKERFILE.rpartition("\nFROM ")[2]
    user = re.search(r"^USER (\w+)$", final, re.MULTILINE)
    assert user
    assert user[1] != "root"
    assert final.index("USER ") < final.index("ENTRYPOINT")
    assert "HEALTHCHECK" in final
    assert '["inbetween", "health"]' in final


def test_the_image_sets_only_what_the_bot_reads() -> None:
    names = {name for line in instructions("ENV") for name in re.findall(r"(\w+)=", line) if name.isupper()}
    assert names - {"PATH", "PYTHONUNBUFFERED", "PIP_NO_CACHE_DIR", "PIP_DISABLE_PIP_VERSION_CHECK"} <= OURS


@pytest.mark.parametrize("words", [["run"], ["health"]])
def test_the_commands_that_are_started_exist(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*words, "--help"])
    assert left.value.code == 0
    assert "usage: inbetween" in capsys.readouterr().out


def test_python_is_one_that_the_project_takes() -> None:
    for image in instructions("FROM"):
        version = re.match(r"python:3\.(\d+)-slim", image)
        assert version, image
        assert int(version[1]) >= 11


# -- compose -----------------------------------------------------------------------------------------


def test_the_bots_share_one_database_behind_one_webhook() -> None:
    bot = COMPOSE["services"]["bot"]
    environment = bot["environment"]
    assert environment.keys() <= OURS
    assert {"TELEGRAM_BOT_TOKEN", "DATABASE_URL", "WEBHOOK_URL", "WEBHOOK_SECRET"} <= environment.keys()
    assert bot["deploy"]["replicas"] >= 2
    assert bot["depends_on"]["db"]["condition"] == "service_healthy"
    assert "@db/" in environment["DATABASE_URL"]
    assert (DEPLOY / bot["build"]["context"]).resolve() == ROOT
    assert (ROOT / bot["build"]["dockerfile"]).is_file()


def test_nothing_but_the_proxy_is_open_to_the_world() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"]


def test_no_secret_has_a_value_of_its_own() -> None:
    """Whatever is secret comes from the host, and compose refuses to start without it."""
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            if any(word in name for word in ("TOKEN", "SECRET", "PASSWORD")):
                assert value.startswith("${"), name
    bot = COMPOSE["services"]["bot"]["environment"]
    assert all(":?" in bot[name] for name in ("TELEGRAM_BOT_TOKEN", "WEBHOOK_SECRET", "WEBHOOK_URL", "DATABASE_URL"))


def test_every_volume_is_declared_and_every_file_is_there() -> None:
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"], source


def test_the_proxy_leads_the_webhook_s_path_to_the_port_that_the_bots_listen_on() -> None:
    bot = COMPOSE["services"]["bot"]["environment"]
    path = "/" + bot["WEBHOOK_URL"].rpartition("/")[2]
    assert f"handle {path} {{" in CADDYFILE
    assert f"port {bot['LISTEN_PORT']}" in CADDYFILE
    assert "name bot" in CADDYFILE
    assert CADDYFILE.count("{") == CADDYFILE.count("}")
    assert "/healthz" not in CADDYFILE, "the health page stays inside"


# -- systemd -----------------------------------------------------------------------------------------


def test_the_unit_starts_the_bot_on_sqlite_and_sets_only_what_it_reads() -> None:
    started = re.search(r"^ExecStart=\S+/inbetween (\w+)$", SERVICE, re.MULTILINE)
    assert started
    assert started[1] == "run"
    names = re.findall(r"(\w+)=\S", " ".join(re.findall(r"^Environment=(.*)$", SERVICE, re.MULTILINE)))
    assert {*names} <= OURS
    assert "DATABASE_URL=sqlite:////var/lib/inbetween/" in SERVICE


@pytest.mark.parametrize(
    "lock",
    [
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "CapabilityBoundingSet=",
        "UMask=0077",
    ],
)
def test_the_unit_is_locked_down(lock: str) -> None:
    assert f"\n{lock}\n" in SERVICE
    assert re.search(r"^User=(?!root)\w+$", SERVICE, re.MULTILINE)


def test_systemd_understands_the_unit() -> None:
    """Where systemd is: it complains of what it does not know, and of the program, which is not installed here."""
    if (analyze := shutil.which("systemd-analyze")) is None:
        assert "[Service]" in SERVICE
        return
    told = subprocess.run(
        [analyze, "verify", DEPLOY / "inbetween.service"], capture_output=True, text=True, check=False
    )
    complaints = [line for line in told.stderr.splitlines() if "inbetween.service" in line]
    assert [line for line in complaints if "is not executable" not in line] == []
