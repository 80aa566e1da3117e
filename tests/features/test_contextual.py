"""Principal components of contextual vectors as a feature part."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.errors import ModelFileError
from relhash.features.contextual import ContextualPart
from relhash.structures import StructureSet


@pytest.fixture
def structures() -> StructureSet:
    """Points along one direction of a space of six, and a little noise."""
    rng = np.random.default_rng(0)
    along = rng.normal(size=(50, 1)) @ np.array([[1.0, -1, 0, 0, 2, 0]])
    return StructureSet({"contextual": along + 0.01 * rng.normal(size=(50, 6))})


def test_the_first_component_holds_the_spread(structures):
    values = ContextualPart(3).fit(structures, None, None).transform(structures).toarray()
    assert values.shape == (50, 3)
    assert values[:, 0].std() == pytest.approx(1.0, rel=1e-3)
    assert values[:, 1:].std() < 0.05


def test_it_equals_scikit_learn_up_to_sign_and_scale(structures):
    from sklearn.decomposition import PCA

    ours = ContextualPart(2).fit(structures, None, None).transform(structures).toarray()
    theirs = PCA(2, svd_solver="full").fit_transform(structures["contextual"].astype(np.float64))
    theirs /= theirs[:, 0].std()
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-4)


def test_rows_do_not_depend_on_each_other_and_arrays_bring_it_back(structures):
    part = ContextualPart(4).fit(structures, structures[:10], None)
    everything = part.transform(structures).toarray()
    np.testing.assert_array_equal(part.transform(structures[[7]]).toarray()[0], everything[7])
    again = ContextualPart.from_arrays(part.to_arrays())
    np.testing.assert_array_equal(again.transform(structures).toarray(), everything)


def test_damaged_arrays_are_refused(structures):
    arrays = ContextualPart(2).fit(structures, None, None).to_arrays()
    with pytest.raises(ModelFileError):
        ContextualPart.from_arrays({"mean": arrays["mean"]})
    with pytest.raises(ModelFileError, match="fit together"):
        ContextualPart.from_arrays({**arrays, "mean": arrays["mean"][:-1]})
