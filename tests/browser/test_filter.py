"""The filter panel and the feature panel in JupyterLab: what is dragged, clicked and keyed reaches Python, and back."""

import pytest

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import FeaturePanel, FilterPanel"
HEIGHTS = ["holes", "sum_heights", "bumpiness", "lines"]
SHOWN = """panel => [...panel.querySelectorAll(".tc-boards-group")].map(group => ({
  text: group.querySelector(".tc-boards-text").textContent,
  moves: [...group.querySelectorAll("figure")].map(one => one.querySelector("canvas").getAttribute("aria-label")),
}))"""
NAMES = "[one.feature.name for one in panel.filter.criteria]"
STAGES = """[
    [tc.widgets.candidates.move_name(move) for move in stage]
    for stage in tc.Filter(panel.filter.criteria).stages(tc.moves(panel.board, panel.piece, panel.rules))
]"""


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook with both panels."""
    own = "def left_edge(move):\n    '''The column of the piece.'''\n    return move.column\n"
    return module_lab.open(
        [
            IMPORT + "\nimport tetriscourse.widgets.candidates",
            "panel = FilterPanel()\npanel",
            own + "seen = FeaturePanel('wells', features=[left_edge])\nseen",
        ]
    )


@pytest.fixture
def panel(book):
    """The filter panel, with its first order and board."""
    book.run_python("panel.set_criteria('filter-heights')\npanel.receive({'event': 'empty'})")
    found = book.panel(0)
    wait_for_order(book, HEIGHTS)
    return found


def order_of(book):
    """The criteria as the page shows them."""
    return book.page.eval_on_selector_all(".tc-order-item", "items => items.map(item => item.dataset.item)")


def wait_for_order(book, names):
    """Until page and Python agree on this order."""
    book.wait_python(f"{NAMES} == {names}")
    book.page.wait_for_function(
        "names => [...document.querySelectorAll('.tc-order-item')].map(one => one.dataset.item).join() === names",
        arg=",".join(names),
    )


def wait_until_shown(book, name="panel"):
    """Until the page has shown what Python says now."""
    book.wait_python(f"{name}.worker.seen >= {name}.version")


def focused(book):
    """The criterion that has the focus, and which part of it."""
    return book.page.evaluate(
        "[document.activeElement.closest('li')?.dataset.item, document.activeElement.dataset.part]"
    )


def drag(book, name, above):
    """Drag a criterion by its handle to just above another one; what is seen on the way."""
    handle = book.page.locator(f"[data-item={name}] .tc-order-handle")
    handle.hover()
    target = book.page.locator(f"[data-item={above}]").bounding_box()
    book.page.mouse.down()
    book.page.mouse.move(target["x"] + 20, target["y"] + 4, steps=6)
    gap = book.page.locator(".tc-gap-above").get_attribute("data-item")
    book.page.mouse.up()
    return gap


def test_an_item_is_dragged_to_another_place_which_is_seen_while_dragging(book, panel):
    assert drag(book, "bumpiness", above="holes") == "holes"
    wait_for_order(book, ["bumpiness", "holes", "sum_heights", "lines"])
    assert panel.locator(".tc-gap-above, .tc-gap-below, .tc-dragged").count() == 0
    assert drag(book, "bumpiness", above="lines") == "lines"
    wait_for_order(book, ["holes", "sum_heights", "bumpiness", "lines"])
    handle = panel.locator("[data-item=holes] .tc-order-handle")
    handle.hover()
    book.page.mouse.down()
    end = panel.locator("[data-item=lines]").bounding_box()
    book.page.mouse.move(end["x"] + 20, end["y"] + end["height"] + 30, steps=6)
    assert panel.locator(".tc-gap-below").get_attribute("data-item") == "lines"
    book.page.mouse.up()
    wait_for_order(book, ["sum_heights", "bumpiness", "lines", "holes"])


def test_a_finger_drags_too(book, panel):
    start = panel.locator("[data-item=lines] .tc-order-handle").bounding_box()
    end = panel.locator("[data-item=holes]").bounding_box()
    channel = book.page.context.new_cdp_session(book.page)
    x, y = start["x"] + 6, start["y"] + 6
    channel.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.3, 0.7, 1.0):
        point = {"x": x, "y": y + part * (end["y"] + 3 - y)}
        channel.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    channel.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_for_order(book, ["lines", "holes", "sum_heights", "bumpiness"])


def test_buttons_move_turn_remove_and_add_and_keep_the_focus(book, panel):
    panel.get_by_role("button", name="Move sum heights up").click()
    wait_for_order(book, ["sum_heights", "holes", "bumpiness", "lines"])
    assert focused(book) == ["sum_heights", "line"]  # its button up is no longer of use
    panel.get_by_role("button", name="Move holes down").click()
    wait_for_order(book, ["sum_heights", "bumpiness", "holes", "lines"])
    assert focused(book) == ["holes", "down"]
    panel.get_by_role("button", name="fewest holes: change to most").click()
    book.wait_python("str(panel.filter.criteria[2]) == 'most holes'")
    assert panel.locator("[data-item=holes] [data-part=sense]").inner_text() == "most"
    panel.get_by_role("button", name="Remove bumpiness").click()
    wait_for_order(book, ["sum_heights", "holes", "lines"])
    panel.get_by_label("What to add").select_option("row_transitions")
    panel.get_by_role("button", name="Add").click()
    wait_for_order(book, ["sum_heights", "holes", "lines", "row_transitions"])
    assert panel.locator(".tc-code pre").inner_text() == book.python("panel.code")


def test_keys_move_the_focus_and_the_item_however_fast_they_come(book, panel):
    cells = book.page.evaluate("book.content.widgets.length")
    panel.locator("[data-item=holes]").focus()
    book.page.keyboard.press("ArrowDown")
    assert focused(book) == ["sum_heights", "line"]
    for _ in range(4):  # one more than there is room for
        book.page.keyboard.press("Shift+ArrowDown")
    wait_for_order(book, ["holes", "bumpiness", "lines", "sum_heights"])
    assert focused(book) == ["sum_heights", "line"]
    for key in ("Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowDown"):
        book.page.keyboard.press(key)
    wait_for_order(book, ["holes", "sum_heights", "bumpiness", "lines"])
    book.page.keyboard.press("Delete")
    wait_for_order(book, ["holes", "bumpiness", "lines"])
    assert focused(book) == ["bumpiness", "line"]
    book.page.keyboard.press("Tab")
    book.page.keyboard.press("Enter")
    book.wait_python("str(panel.filter.criteria[1]) == 'most bumpiness'")
    assert focused(book) == ["bumpiness", "sense"]
    # The notebook took none of these keys for itself: the same cells, none selected together, none being edited.
    assert book.page.evaluate("book.content.widgets.length") == cells
    assert book.page.evaluate("book.content.selectedCells.length") == 1


def test_the_survivors_in_the_page_are_those_of_the_filter(book, panel):
    panel.get_by_role("button", name="New board").click()
    book.wait_python("int(panel.first_board.full.sum()) > 0")
    drag(book, "bumpiness", above="holes")
    wait_for_order(book, ["bumpiness", "holes", "sum_heights", "lines"])
    panel.locator("[data-name=piece] select").select_option("T")
    book.wait_python("panel.piece.name == 'T'")
    wait_until_shown(book)
    stages = book.python(STAGES)
    shown = panel.evaluate(SHOWN)
    assert len(shown) == len(stages) == 4
    came = 34
    for group, stage in zip(shown, stages, strict=True):
        kept = [label.split(",")[0] for label in group["moves"] if not label.endswith("discarded")]
        assert len(group["moves"]) == min(came, 8)
        assert set(kept) <= set(stage)
        assert len(kept) == min(len(stage), 8 - min(came - len(stage), 3))  # room for a few discarded ones
        came = len(stage)
    assert f"keeps {len(stages[0])} of 34" in shown[0]["text"]


def test_playing_on_in_the_page_is_the_game_that_play_game_plays(book, panel):
    panel.get_by_role("button", name="Play this move").click()
    book.wait_python("len(panel.game.moves) == 1")
    panel.get_by_role("button", name="Play 10").click()
    book.wait_python("len(panel.game.moves) == 11")
    wait_until_shown(book)
    game = "tc.play_game(panel.filter, tc.Rules(**{**panel.rules.differences(), 'max_pieces': 11}), panel.seed)"
    assert book.python(f"panel.board.text() == {game}.board.text()")
    label = panel.locator(".tc-board").get_attribute("aria-label")
    assert label.startswith(book.python("tc.widgets.board_view.board_label(panel.board)"))
    assert "11 pieces played" in panel.inner_text()


def test_a_list_that_python_refuses_is_a_message_and_the_page_goes_back_to_what_is_true(book, panel):
    for name in ("holes", "sum heights", "bumpiness"):
        panel.get_by_role("button", name=f"Remove {name}").click()
    wait_for_order(book, ["lines"])
    panel.get_by_role("button", name="Remove lines").click()
    panel.get_by_role("status").get_by_text("the last one cannot be removed").wait_for()
    assert order_of(book) == ["lines"]
    assert book.python(NAMES) == ["lines"]
    # A menu of a page that is out of date, or has been tampered with.
    book.page.evaluate("document.querySelector('.tc-order-add select').add(new Option('hole', 'hole'))")
    panel.get_by_label("What to add").select_option("hole")
    panel.get_by_role("button", name="Add").click()
    panel.get_by_role("status").get_by_text("criteria is 'hole'; did you mean 'holes'?").wait_for()
    wait_for_order(book, ["lines"])
    assert (book.cell_outputs(), book.callback_outputs()) == ([], [])


def test_a_feature_is_chosen_and_stepped_through_and_its_value_is_that_of_python(book):
    panel = book.panel(1)
    value = "' = ' + format(seen.feature(seen.move), 'g')"
    panel.get_by_label("Feature").select_option("holes")
    book.wait_python("seen.feature.name == 'holes'")
    panel.get_by_role("button", name="Highest value").click()
    book.wait_python("seen.feature(seen.move) == max(map(seen.feature, seen.moves))")
    wait_until_shown(book, "seen")
    assert panel.locator(".tc-large").inner_text() == "holes (L)" + book.python(value)
    number = book.python("seen.number")
    panel.get_by_role("button", name="Next →").press("Enter")
    book.wait_python(f"seen.number == ({number} + 1) % len(seen.moves)")
    row = panel.get_by_role("row", name="row transitions")
    row.focus()
    book.page.keyboard.press("Enter")
    book.wait_python("seen.feature.name == 'row_transitions'")
    wait_until_shown(book, "seen")
    assert panel.locator(".tc-large").inner_text() == "row transitions (Δr)" + book.python(value)
    assert row.get_attribute("aria-current") == "true"
    assert panel.get_by_label("Feature").input_value() == "row_transitions"
    panel.get_by_role("row", name="left edge").click()
    book.wait_python("seen.feature.name == 'left_edge'")
    panel.get_by_text("The column of the piece.").wait_for()
    panel.get_by_role("button", name="Next position").click()
    book.wait_python("seen.seed == 1")
    assert (book.cell_outputs(), book.callback_outputs()) == ([], [])


def test_the_row_of_a_feature_that_is_chosen_from_the_menu_can_be_seen(book):
    panel = book.panel(1)
    for name in ("left_edge", "landing_height"):
        panel.get_by_label("Feature").select_option(name)
        book.wait_python(f"seen.feature.name == '{name}'")
        wait_until_shown(book, "seen")
        frame, row = (panel.locator(one).bounding_box() for one in (".tc-table", ".tc-table .tc-marked"))
        assert frame["y"] <= row["y"]
        assert row["y"] + row["height"] <= frame["y"] + frame["height"] + 1


def test_in_notebook_7_the_keys_belong_to_the_list_too(notebook7):
    book = notebook7.open([IMPORT, "panel = FilterPanel()\npanel"])
    book.panel().locator("[data-item=holes]").focus()
    for key in ("Shift+ArrowDown", "Shift+ArrowDown", "ArrowUp", "Delete"):
        book.page.keyboard.press(key)
    wait_for_order(book, ["sum_heights", "holes", "lines"])
    assert focused(book) == ["holes", "line"]
    assert book.page.evaluate("book.content.selectedCells.length") == 1
    assert (book.cell_outputs(), book.callback_outputs(), book.errors) == ([], [], [])
