"""The two twins, for tests that hold for both."""

from __future__ import annotations

from types import ModuleType

import pytest

from candide.kernels import compiled, plain


@pytest.fixture(params=[plain, compiled], ids=["plain", "compiled"])
def twin(request: pytest.FixtureRequest) -> ModuleType:
    return request.param
