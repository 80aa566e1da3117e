"""Principal components of contextual vectors as a feature part."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import StructureSet
from relhash.errors import ModelFileError
from relhash.learn import Text
from relhash.learn.contextual import ContextualPart


@pytest.fixture
def text() -> Text:
    """Points along one direction of a space of six, and a little noise."""
    rng = np.random.default_rng(0)
    along = rng.normal(size=(50, 1)) @ np.array([[1.0, -1, 0, 0, 2, 0]])
    return Text(StructureSet({"contextual": along + 0.01 * rng.normal(size=(50, 6))}))


def test_the_first_component_holds_the_spread(text):
    values = ContextualPart(3).fit(text).transform(text).toarray()
    assert values.shape == (50, 3)
    assert values[:, 0].std() == pytest.approx(1.0, rel=1e-3)
    assert values[:, 1:].std() < 0.05


def test_it_equals_scikit_learn_up_to_sign_and_scale(text):
    from sklearn.decomposition import PCA

    ours = ContextualPart(2).fit(text).transform(text).toarray()
    theirs = PCA(2, svd_solver="full").fit_transform(text.structures["contextual"].astype(np.float64))
    theirs /= theirs[:, 0].std()
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-4)


def test_rows_do_not_depend_on_each_other_and_arrays_bring_it_back(text):
    part = ContextualPart(4).fit(text, Text(text.structures[:10]))
    everything = part.transform(text).toarray()
    np.testing.assert_array_equal(part.transform(Text(text.structures[[7]])).toarray()[0], everything[7])
    again = ContextualPart.from_arrays(part.to_arrays(), part.parameters, None)
    np.testing.assert_array_equal(again.transform(text).toarray(), everything)


def test_damaged_arrays_are_refused(text):
    arrays = ContextualPart(2).fit(text).to_arrays()
    with pytest.raises(ModelFileError):
        ContextualPart.from_arrays({"mean": arrays["mean"]}, {}, None)
    with pytest.raises(ModelFileError, match="fit together"):
        ContextualPart.from_arrays({**arrays, "mean": arrays["mean"][:-1]}, {}, None)
