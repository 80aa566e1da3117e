"""Settings of the hash functions of a model: parts by name, and a refusal before the fit of what could not be saved."""

from __future__ import annotations

import pytest

from relhash.errors import ParameterError
from relhash.hashing import NearestFamily
from relhash.learn.codes import check_code, make_code


def test_a_kernel_by_name_takes_the_place_of_the_usual_one() -> None:
    learner = {"kernel": {"descriptors": "rbf"}}
    check_code(["descriptors"], learner, {})
    assert make_code(["descriptors"], learner).learner.kernel == {"descriptors": "rbf"}


def test_a_family_as_an_object_is_refused_before_the_fit() -> None:
    # it fitted, and then save died with a TypeError of json
    with pytest.raises(ParameterError, match=r"learner: a model file cannot hold hash_function=.*name it"):
        check_code(["path+edges"], {"hash_function": NearestFamily()}, {})
    check_code(["path+edges"], {"hash_function": "nearest"}, {})
