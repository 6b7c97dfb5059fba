"""The boosting loop, and what it produces: an ensemble and a ledger."""

from frugalboost.boosting.committee import CodeRegressions, Committee
from frugalboost.boosting.ensemble import Ensemble, as_rule_sees
from frugalboost.boosting.ledger import Entry, Ledger
from frugalboost.boosting.loop import Booster, boost
from frugalboost.boosting.regressions import RegressionBooster
from frugalboost.boosting.sampling import SubsetPlan
from frugalboost.boosting.shap import Explainer
from frugalboost.boosting.state import TrainingData
from frugalboost.boosting.stopping import EarlyStopping

__all__ = [
    "Booster",
    "CodeRegressions",
    "Committee",
    "EarlyStopping",
    "Ensemble",
    "Entry",
    "Explainer",
    "Ledger",
    "RegressionBooster",
    "SubsetPlan",
    "TrainingData",
    "as_rule_sees",
    "boost",
]
