"""Who judges a run's drafts: the ladder, with a reviewer behind it and repairs around both where the config says so."""

from __future__ import annotations

from contextlib import nullcontext

from openspade.config import Config, secret
from openspade.engine.base import Engine
from openspade.engine.endpoint import Endpoint, EndpointEngine
from openspade.roles.prompts import Prompts
from openspade.verifier.ladder import Verifier
from openspade.verifier.repair import BatchJudge, Repairing, Rewriter
from openspade.verifier.review import Reviewing


def build_judge(config: Config, ladder: Verifier, policy: Engine, author: Rewriter) -> BatchJudge | Repairing:
    """The judge that this config asks for."""
    judge: BatchJudge = _reviewed(ladder, config, policy) if config.gates.reviewer else ladder
    return Repairing(judge, author, config.repair.turns) if config.repair.turns else judge


def _reviewed(ladder: Verifier, config: Config, policy: Engine) -> Reviewing:
    if config.gates.reviewer == "policy":
        return Reviewing(ladder, lambda: nullcontext(policy), Prompts(config.policy.prompts))
    url, model = config.gates.reviewer.split()
    server = Endpoint(url=url, model=model, api_key=secret("OPENAI_API_KEY"))
    return Reviewing(ladder, lambda: EndpointEngine(server), Prompts("full"))
