"""The list of commands, and how a command ends: its exit code, and one line about what failed.

Whatever computes is imported when a command runs: shells start this to complete a line, and
`stream` has its memory counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

import frugalboost
from frugalboost._files import release_claims
from frugalboost.cli.demo import demo_command
from frugalboost.cli.errors import INTERRUPTED, USAGE, exit_code, in_one_line
from frugalboost.cli.evaluate import evaluate_command
from frugalboost.cli.export import export_command
from frugalboost.cli.fit import fit_command
from frugalboost.cli.inspect import inspect_command
from frugalboost.cli.label.command import label_command
from frugalboost.cli.predict import predict_command
from frugalboost.cli.printing import check_open
from frugalboost.cli.prune import prune_command
from frugalboost.cli.report import report_command
from frugalboost.cli.reproduce import reproduce_command
from frugalboost.cli.stream.command import stream_command

COMMANDS: dict[str, tuple[Callable[..., None], str]] = {
    "fit": (fit_command, "fit train.csv --target label -o model.fboost"),
    "predict": (predict_command, "predict model.fboost new.csv --proba -o predictions.csv"),
    "evaluate": (evaluate_command, "evaluate model.fboost test.csv"),
    "inspect": (inspect_command, "inspect model.fboost"),
    "prune": (
        prune_command,
        "prune model.fboost held-out.csv --method reduce_error --keep 30 -o small.fboost",
    ),
    "export": (export_command, "export model.fboost -o model.onnx"),
    "report": (report_command, "report model.fboost test.csv -o report.html"),
    "stream": (stream_command, "stream large.parquet --target label -o model.npz"),
    "label": (label_command, "label letters.csv --classes spam,ham"),
    "reproduce": (reproduce_command, "reproduce quick-boost --quick"),
    "demo": (demo_command, "demo --rounds 50"),
}
"""Each with an example, shown at the end of its --help."""


class Command(TyperCommand):
    """A command that ends at once if it cannot print its result."""

    def invoke(self, ctx: Any) -> Any:
        check_open(ctx.params)
        return super().invoke(ctx)


class Commands(TyperGroup):
    """A group of commands that turns every exception into one line, unless --debug is given."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:
            raise  # the reader of the help has gone
        except OSError as problem:  # help that cannot be printed
            _exit_for(problem)
        except Exception as problem:
            _exit_for_usage(problem)
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            _say("interrupted; nothing was written.")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise  # the reader of the output has gone
        except Exception as problem:
            _exit_for_usage(problem)
            if ctx.params.get("debug"):
                raise (problem.__cause__ or problem) from None
            _exit_for(problem)
        finally:
            release_claims()


def _say(message: str) -> None:
    typer.echo(f"frugalboost: {message}", err=True)


def _exit_for(problem: Exception) -> NoReturn:
    _say(in_one_line(problem))
    raise typer.Exit(exit_code(problem)) from None


def _exit_for_usage(problem: Exception) -> None:
    """Report typer's own errors in one line; older versions raise click's, newer ones their own."""
    format_message = getattr(problem, "format_message", None)
    if format_message is None or type(problem).__name__ == "NoArgsIsHelpError":
        return
    path = getattr(getattr(problem, "ctx", None), "command_path", None) or "frugalboost"
    message = " ".join(str(format_message()).split()).rstrip(".")
    if (refused := _refused_value(problem)) not in message:
        message += f"; got {refused}"
    see = " See" if message.endswith("?") else "; see"
    _say(f"{message[:1].lower()}{message[1:]}{see} {path} --help.")
    raise typer.Exit(USAGE) from None


def _refused_value(problem: Exception) -> str:
    """The value that an option refused, which newer versions of typer leave to pydantic's error."""
    errors = getattr(problem.__cause__, "errors", None)
    return repr(errors()[0]["input"]) if callable(errors) else ""


app = typer.Typer(
    help="Boosting that spends work only where it can change the answer.",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

for _name, (_command, _example) in COMMANDS.items():
    app.command(_name, cls=Command, epilog=f"Example: frugalboost {_example}")(_command)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"frugalboost {frugalboost.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback for errors.")] = False,
) -> None:
    del version, debug  # `Commands` reads it
