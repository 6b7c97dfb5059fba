"""Draw the pictures of the guides and of the README from scripts of the gallery.

Run as `python docs/make_figures.py`, from anywhere, after a script or a display has changed; it
writes `docs/figures`. The same machine makes the same files.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

import frugalboost as fb

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures"
SCRIPTS = {
    "computation": "02_less_work",
    "examples": "05_stream",
    "labels": "08_few_labels",
    "memory": "09_prune_ensemble",
}
STYLE = {"svg.hashsalt": "frugalboost", "figure.dpi": 100}


def save(figure: Any, name: str) -> None:
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / f"{name}.svg", metadata={"Date": None})


def draw_overview(found: dict[str, dict[str, Any]]) -> Any:
    """The four economies side by side."""
    figure, axes = plt.subplots(1, 4, figsize=(13, 3.2), layout="constrained")
    computation, examples, labels, memory = axes
    fb.plots.AssessmentsDisplay.from_estimators(found["computation"]["models"]).plot(ax=computation)
    computation.set_title("the same model, less work")
    ledger = found["examples"]["ledger"]
    rounds = range(1, len(ledger) + 1)
    examples.plot(rounds, ledger.column("acceptance"), color="#0072B2", label="examples accepted")
    examples.plot(rounds, ledger.column("error_bound"), color="#D55E00", label="bound of the error")
    examples.axhline(0.2, color="grey", linestyle="--", label="target")
    examples.set(xlabel="round", ylabel="share", title="a stream, filtered, certified")
    examples.legend()
    curve = found["labels"]["display"]
    fb.plots.LabelCurveDisplay(curve.curves, curve.baselines).plot(ax=labels)
    labels.set(yscale="log", title="asking for labels that matter")
    labels.minorticks_off()
    labels.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5], ["2 %", "5 %", "10 %", "20 %", "50 %"])
    pruned = found["memory"]["curve"]
    fb.plots.PruningCurveDisplay(pruned.curves, pruned.measure, pruned.whole).plot(ax=memory)
    memory.set(title="fewer trees to ship")
    return figure


def main() -> None:
    found = {}
    with plt.rc_context(STYLE):
        for name, script in SCRIPTS.items():
            found[name] = runpy.run_path(str(ROOT / "examples" / f"{script}.py"))
            if name == "memory":  # thousands of points would make a large file
                for points in found[name]["diagram"].points_.values():
                    points.set_rasterized(True)
            save(found[name]["figure"], name)
        save(draw_overview(found), "overview")
        plt.close("all")


if __name__ == "__main__":
    main()
