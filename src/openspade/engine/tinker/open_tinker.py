"""The `tinker` engine from its settings, and what a server cannot honour, refused by name."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from openspade.config import secret
from openspade.engine.model.loading import find_folder, load_examined_chat
from openspade.engine.tinker.loss import ClippedLoss, LossRunner, OwnLoss
from openspade.engine.tinker.tinker_engine import Checkpoints, TinkerEngine
from openspade.errors import ConfigError
from openspade.settings.learning import PolicyConfig, TinkerConfig, TrainConfig
from openspade.tokens import Role

log = logging.getLogger(__name__)

KEY = "TINKER_API_KEY"
SERVICE_URL = "https://tinker.thinkingmachines.dev/services/tinker-prod"
OWN_SERVER_KEY = "tml-openspade"
"""The SDK wants a key of this form; a server of your own looks at none."""
UNSENT = {
    "service": "",
    "skyrl": "train.betas, train.weight_decay and train.grad_clip: they stand in the server's own configuration",
    "skyrl-jax": "train.grad_clip: this backend does not clip gradients",
}
"""What a kind of server does not take from us."""


def open_tinker(
    policy: PolicyConfig, tinker: TinkerConfig, train: TrainConfig, *, temperatures: Mapping[Role, float], overlap: int
) -> TinkerEngine:
    """The engine these settings ask for; the server is first called when weights are needed. Raises ConfigError."""
    _refuse(policy, tinker, train, overlap)
    key = secret(KEY)
    if tinker.server == "service" and not key:
        raise ConfigError(
            f"tinker.server is 'service', and {KEY} is not set: put your key into the environment, or set "
            "tinker.server and tinker.url to a SkyRL server of your own"
        )
    try:
        from openspade.engine.tinker.sdk_server import Remote, SdkServer  # noqa: PLC0415 - only this engine needs the SDK
    except ImportError as error:
        raise ConfigError(
            f"policy.engine is 'tinker', and its SDK is not installed ({error}): pip install 'openspade[tinker]'"
        ) from error

    base_model = tinker.base_model or policy.model
    folder = find_folder(policy.model, weights=False)
    remote = Remote(
        url=tinker.url or SERVICE_URL,
        key=key or OWN_SERVER_KEY,
        base_model=base_model,
        rank=policy.lora_rank,
        context_tokens=policy.context_tokens,
        lost_after_s=tinker.lost_after_s,
    )
    if UNSENT[tinker.server]:
        log.warning("tinker.server is %r and does not take %s", tinker.server, UNSENT[tinker.server])
    loss = OwnLoss if tinker.loss == "custom" else ClippedLoss
    return TinkerEngine(
        SdkServer(remote, train),
        load_examined_chat(folder, policy.model, context_tokens=policy.context_tokens, thinking=policy.thinking),
        LossRunner(
            loss=loss.of(train, "mean" if tinker.server == "skyrl-jax" else "sum"),
            train=train,
            temperatures=temperatures,
        ),
        Checkpoints(base_model=base_model, lora_rank=policy.lora_rank, chat_folder=folder, download=tinker.download),
    )


def _refuse(policy: PolicyConfig, tinker: TinkerConfig, train: TrainConfig, overlap: int) -> None:
    """Settings that the server cannot honour, by name."""
    if not policy.lora_rank:
        raise ConfigError(
            "policy.lora_rank is 0 (all weights), and the Tinker API trains adapters; set it, for example to 32"
        )
    if tinker.server != "service" and not tinker.url:
        raise ConfigError(
            f"tinker.server is {tinker.server!r}, and tinker.url is empty: write its address, "
            "for example tinker.url=http://127.0.0.1:8000"
        )
    if train.kl and tinker.loss == "ppo":
        raise ConfigError(
            f"train.kl is {train.kl}, and the server's ppo loss knows no KL penalty; set tinker.loss=custom"
        )
    if overlap and tinker.server == "skyrl-jax":
        raise ConfigError(
            f"run.overlap is {overlap}, and SkyRL's JAX backend samples from the weights in training; set run.overlap=0"
        )
