"""Figures of fitted models, and those of the papers, drawn from your own fits.

Each display holds numbers. Its class methods compute them, `plot` draws them and keeps what it
drew in attributes that end in an underscore. Only `plot` needs matplotlib.
"""

from frugalboost.plots.among_best import AmongBestDisplay
from frugalboost.plots.assessments import AssessmentsDisplay
from frugalboost.plots.calibration import CalibrationDisplay
from frugalboost.plots.confusion import CommitteeConfusionDisplay
from frugalboost.plots.cost_error import CostErrorDisplay
from frugalboost.plots.gain import GainDisplay
from frugalboost.plots.gap import GapDisplay
from frugalboost.plots.importances import ImportancesDisplay
from frugalboost.plots.kappa_error import KappaErrorDisplay
from frugalboost.plots.labels import LabelCurveDisplay
from frugalboost.plots.learning_curve import LearningCurveDisplay
from frugalboost.plots.margins import MarginsDisplay
from frugalboost.plots.predictions import PredictionsDisplay
from frugalboost.plots.preliminary import PreliminaryErrorsDisplay
from frugalboost.plots.pruning_curve import PruningCurveDisplay
from frugalboost.plots.rounds import RoundsDisplay
from frugalboost.plots.subset_mass import SubsetMassDisplay
from frugalboost.plots.sweep import QuickSweepDisplay
from frugalboost.plots.transform import TransformDisplay
from frugalboost.plots.tree import TreeDisplay
from frugalboost.plots.utilities import UtilityDisplay

__all__ = [
    "AmongBestDisplay",
    "AssessmentsDisplay",
    "CalibrationDisplay",
    "CommitteeConfusionDisplay",
    "CostErrorDisplay",
    "GainDisplay",
    "GapDisplay",
    "ImportancesDisplay",
    "KappaErrorDisplay",
    "LabelCurveDisplay",
    "LearningCurveDisplay",
    "MarginsDisplay",
    "PredictionsDisplay",
    "PreliminaryErrorsDisplay",
    "PruningCurveDisplay",
    "QuickSweepDisplay",
    "RoundsDisplay",
    "SubsetMassDisplay",
    "TransformDisplay",
    "TreeDisplay",
    "UtilityDisplay",
]
