"""Event models: how the cells of a column come about in a class. One file each."""

from candide.events.base import Event
from candide.events.bernoulli import Bernoulli
from candide.events.binned import Binned
from candide.events.categorical import Categorical
from candide.events.complement import Complement
from candide.events.few_values import FewValues
from candide.events.full_gaussian import FullGaussian
from candide.events.full_joint import FullJoint
from candide.events.gaussian import Gaussian
from candide.events.log_normal import LogNormal
from candide.events.multinomial import Multinomial
from candide.events.poisson import Poisson
from candide.events.words import Words

__all__ = [
    "Bernoulli",
    "Binned",
    "Categorical",
    "Complement",
    "Event",
    "FewValues",
    "FullGaussian",
    "FullJoint",
    "Gaussian",
    "LogNormal",
    "Multinomial",
    "Poisson",
    "Words",
]
