"""``relhash info``: something to paste into a bug report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from relhash.cli import options
from relhash.cli.console import print_json, print_line, print_table
from relhash.cli.options import argument, option


def info(
    said: options.Verbosity,
    model: Annotated[Path | None, argument("MODEL", "A model file, or a model that ships: show its card.")] = None,
    recipe: Annotated[
        str | None,
        option("NAME", "Print the recipe of a system (best, KLSH-NU-RF, …) as TOML, for fit --recipe."),
    ] = None,
    warm: Annotated[bool, option("--warm", "Compile what predict and fit need and keep it: for images and clusters.")] = False,
) -> None:
    """Show versions, the machine, shipped resources in use, and which optional parts are installed.

    With MODEL, show what that model was made from, how, and how well it did on its own training side.
    """
    if warm:
        said.note(_warmed())
        return
    if recipe is not None:
        from relhash.model import preset

        found_recipe = preset(recipe)
        if said.as_json:
            print_json(found_recipe.to_dict())
        else:
            print(found_recipe.to_toml(), end="")
        return
    if model is not None:
        _show_card(model, said.as_json)
        return
    from relhash.resources.inventory import describe_installation

    found = describe_installation()
    if said.as_json:
        print_json(found)
        return
    print_line(f"relhash {found.relhash}, Python {found.python}, {found.platform}")
    print_line(f"{found.cpu}, {found.threads} threads; cache folder {found.cache}")
    print_table(("package", "version"), found.packages.items(), left=(0, 1))
    print_table(
        ("shipped resource", "files", "size", "sha256"),
        [(r.name, r.files, f"{r.bytes / 1e6:.2f} MB", r.sha256[:12]) for r in found.resources],
        left=(0, 3),
    )
    extras = [
        (f"[{name}]", f"lacks {', '.join(lacking)}" if lacking else "installed") for name, lacking in found.extras.items()
    ]
    print_table(("optional part", "state"), extras, left=(0, 1))


def _warmed() -> str:
    """Compile by doing it: two models read a sentence, a third is fitted to the demo."""
    import warnings

    import relhash
    from relhash.compilation import after, compiled_folder
    from relhash.corpus.read_write import demo_corpora

    text = relhash.Document("warm", "Ras phosphorylates Raf in cells. IL-2 induces expression of CD25 and binds to JAK1.")
    with after(0), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is fitted here is thrown away
        for name in ("ppi", "events"):
            relhash.load(name, cache=False).predict([text])
        relhash.RelationExtractor().fit(*demo_corpora())
    return f"compiled; kept in {compiled_folder()}"


def _show_card(model: Path, as_json: bool) -> None:
    from relhash.model.card import card_text
    from relhash.model.model_file import find_model, read_manifest, second_reader_card

    model = find_model(model)
    card: dict[str, Any] = read_manifest(model)["card"] | second_reader_card(model)
    if as_json:
        print_json({"model": model, "bytes": model.stat().st_size, **card})
    else:
        print_line(card_text(card))
