"""Event models: how the cells of a column come about in a class. One file each."""

from candide.events.base import Event
from candide.events.bernoulli import Bernoulli
from candide.events.categorical import Categorical
from candide.events.complement import Complement
from candide.events.full_gaussian import FullGaussian
from candide.events.full_joint import FullJoint
from candide.events.gaussian import Gaussian
from candide.events.multinomial import Multinomial

__all__ = ["Bernoulli", "Categorical", "Complement", "Event", "FullGaussian", "FullJoint", "Gaussian", "Multinomial"]
