"""What can go wrong on our side of the borders, one class a border. Bad designs are values, not errors."""


class OpenSpadeError(Exception):
    """Base of all; the command line prints its text without a traceback and exits with `exit_code`."""

    exit_code = 1


class ConfigError(OpenSpadeError):
    """A recipe or an override is wrong; the text names the setting's path, its value and what to do."""

    exit_code = 2


class CorpusError(OpenSpadeError):
    """A corpus cannot be read or built."""

    exit_code = 2


class SandboxError(OpenSpadeError):
    """The wall cannot be built here or has broken: generated code is not run."""

    exit_code = 3


class EngineError(OpenSpadeError):
    """The policy cannot be loaded, sampled or trained."""

    exit_code = 4


class ReplyRefused(EngineError):
    """A reply that the model's own chat template or tokenizer cannot read back: it ends its episode, never a run."""


class StorageError(OpenSpadeError):
    """The run's database or checkpoint cannot be read or written."""

    exit_code = 5


class RunError(OpenSpadeError):
    """The run cannot go on: no trainable sample, or too many infrastructure failures in a row."""

    exit_code = 6
