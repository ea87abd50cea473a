"""The search panel in JupyterLab: branches are opened with mouse and keys, and values flow back."""

import pytest

IMPORT = "import tetriscourse as tc\nfrom tetriscourse.widgets import SearchPanel"
PANEL = "panel = SearchPanel()\npanel"


@pytest.fixture(scope="module")
def book(module_lab):
    """One notebook with a panel, which the tests share."""
    return module_lab.open([IMPORT, PANEL])


@pytest.fixture
def panel(book):
    """The panel with nothing looked at."""
    book.run_python("panel.receive({'event': 'next_piece', 'value': 'unknown'})")
    found = book.panel()
    found.get_by_text("only the greedy player has chosen").wait_for()
    return found


def shown(panel, name):
    """A row of the tree."""
    return panel.locator(f'[role=treeitem][data-id="{name}"]')


def focused(book):
    """The row that has the focus."""
    return book.page.evaluate("document.activeElement.dataset.id")


def test_a_click_opens_a_move_and_a_piece_and_the_value_flows_back(book, panel):
    rows = panel.get_by_role("treeitem")
    assert rows.count() == book.python("len(panel.tree.branches)")
    first = book.python("panel.selected")
    assert shown(panel, first).get_attribute("aria-expanded") == "false"
    shown(panel, first).click()
    shown(panel, f"{first}/2").click()
    panel.get_by_role("treeitem", name="best answer", exact=False).nth(1).wait_for()
    assert shown(panel, first).get_attribute("aria-expanded") == "true"
    assert shown(panel, f"{first}/2/0").get_attribute("aria-level") == "3"
    assert "1 of 7 pieces" in shown(panel, first).inner_text()
    assert "1/7" in shown(panel, f"{first}/2").inner_text()
    assert book.python("panel.data['board']['mark']") == "T"
    shown(panel, first).click()
    shown(panel, f"{first}/2").wait_for(state="detached")
    assert "1 of 7 pieces" in shown(panel, first).inner_text()


def test_the_tree_is_walked_with_the_keys_alone(book, panel):
    ranked = book.python("[str(one.number) for one in panel.tree.ranked()]")
    shown(panel, ranked[0]).focus()
    press = book.page.keyboard.press
    for _ in range(3):
        press("ArrowDown")
    assert focused(book) == ranked[3]  # at once, before Python has answered
    book.wait_python(f"panel.selected == '{ranked[3]}'")
    press("Home")
    press("ArrowRight")
    shown(panel, f"{ranked[0]}/0").wait_for()
    press("ArrowRight")
    press("Enter")
    shown(panel, f"{ranked[0]}/0/0").wait_for()
    press("ArrowRight")
    book.wait_python(f"panel.selected == '{ranked[0]}/0/0'")
    press("ArrowLeft")
    press("ArrowLeft")
    shown(panel, f"{ranked[0]}/0/0").wait_for(state="detached")
    press("ArrowLeft")
    press(" ")
    shown(panel, f"{ranked[0]}/0").wait_for(state="detached")
    press("End")
    book.wait_python(f"panel.selected == '{ranked[-1]}'")
    assert focused(book) == ranked[-1]
    assert panel.locator('[role=treeitem][tabindex="0"]').count() == 1
    assert panel.locator('[role=treeitem][aria-selected="true"]').count() == 1


def test_looking_at_the_two_best_changes_the_ranking_and_the_choice(book, panel):
    for _ in range(2):
        panel.get_by_role("button", name="Look at the next best").click()
    panel.get_by_text("looking ahead changes the greedy player's choice").wait_for()
    first, second = panel.get_by_role("treeitem").all()[:2]
    assert "looking ahead" in first.inner_text()
    assert "greedy" in second.inner_text()
    assert panel.locator(".tc-small").count() == 2
    panel.get_by_role("button", name="Look at all").click()
    book.wait_python("not panel.tree.waiting")
    panel.get_by_role("button", name="Look at all", disabled=True).wait_for()
    assert book.python("panel.choice == tc.LookAhead(panel.player).choose(panel.board, panel.piece, rules='10x10')")


def test_the_next_piece_can_be_told_and_the_game_goes_on(book, panel):
    panel.get_by_role("combobox", name="Next piece").select_option("S")
    book.wait_python("panel.next_piece is not None and panel.next_piece.name == 'S'")
    turn = book.python("panel.place.turn")
    panel.get_by_role("button", name="Play this choice").click()
    book.wait_python(f"panel.place.turn == {turn + 1} and panel.piece.name == 'S'")
    panel.get_by_role("button", name="Next contested position").click()
    book.wait_python(f"panel.place.turn > {turn + 1}")
    panel.get_by_role("button", name="New seed").click()
    book.wait_python("panel.seed == 2")


@pytest.mark.parametrize("width", [900, 360])
def test_nothing_sticks_out_of_a_wide_or_narrow_panel(book, panel, width):
    panel.evaluate("(one, width) => { one.style.width = `${width}px`; }", width)
    sizes = panel.evaluate("one => [one.scrollWidth, one.clientWidth]")
    tree = panel.locator(".tc-tree").evaluate("one => [one.scrollWidth, one.clientWidth]")
    panel.evaluate("one => { one.style.width = ''; }")
    for needed, given in (sizes, tree):
        assert needed <= given
