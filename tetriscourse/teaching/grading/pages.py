"""Pages with the results: one for each student, and one for the teacher. Each is one file, without scripts."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import numpy as np

from tetriscourse.course.exercises import Exercise
from tetriscourse.course.verdicts import STATES, grid_picture
from tetriscourse.course.verdicts import marked as with_code
from tetriscourse.errors import counted
from tetriscourse.teaching.grading.marks import Graded, Mark, Report, by_checks, clean

SIGNS = STATES | {"words": ("✎", "#0072b2"), "unjudged": ("?", "#7f7f7f")}
SAID = {
    "right": "right", "partly": "partly right", "wrong": "not right yet", "open": "not attempted",
    "unjudged": "not judged", "words": "words",
}  # fmt: skip

STYLE = """
:root { color-scheme: light dark; --text: #1c1c1c; --soft: #666; --line: #d8d8d8; --card: #fff; --page: #f6f6f4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8e8e6; --soft: #a5a5a3; --line: #444; --card: #232325; --page: #17171a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 0 auto;
  padding: 1.5em; max-width: 52em; } body.wide { max-width: none; }
h1 { font-size: 1.6em; margin: 0 0 .2em; } h2 { font-size: 1.2em; margin: 2em 0 .4em; } .soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--colour, var(--line));
  border-radius: 4px; padding: .6em 1em; margin: .6em 0; } .card header { display: flex; justify-content: space-between;
  gap: 1em; font-weight: 600; } .card p { margin: .3em 0; }
.points { white-space: nowrap; font-variant-numeric: tabular-nums; }
.shown { display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start; margin: .5em 0; }
pre, blockquote { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3em 0; } pre { font-size: .9em; }
blockquote { border-left: 3px solid var(--line); padding-left: .8em; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .3em .6em; text-align: right; vertical-align: top; }
th { font-weight: 600; white-space: nowrap; } td.left, th.left { text-align: left; }
.name { position: sticky; left: 0; background: var(--page); text-align: left; border-right: 1px solid var(--line); }
.name b { float: right; padding-left: 1em; }
.first { border-left: 1px solid var(--line); } a { color: #0072b2; }
@media (prefers-color-scheme: dark) { a { color: #56b4e9; } }
code { font-size: .92em; } ul { margin: .3em 0; padding-left: 1.3em; } li { overflow-wrap: anywhere; }
"""


def page(title: str, body: str, kind: str = "") -> str:
    """A whole page."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<style>{STYLE}</style></head>\n<body class="{kind}">\n{body}\n</body>\n</html>\n'
    )


def card(colour: str, heading: str, points: str, body: str) -> str:
    """A framed part of a page."""
    right = f'<span class="points">{points}</span>'
    top = f"<header><span>{heading}</span>{right}</header>"
    return f'<section class="card" style="--colour:{colour}">{top}{body}</section>\n'


def listed(texts: Sequence[str]) -> str:
    """Lines as a list."""
    return "<ul>" + "".join(f"<li>{with_code(text)}</li>" for text in texts) + "</ul>" if texts else ""


def drawn(part: Any) -> str:
    """One part of a counterexample."""
    return f"<pre>{with_code(part)}</pre>" if isinstance(part, str) else f"<div>{grid_picture(np.array(part))}</div>"


def sign(mark: Mark) -> str:
    """The coloured sign of a state."""
    symbol, colour = SIGNS["open" if mark.state == "words" and not mark.text else mark.state]
    return f'<span style="color:{colour}">{symbol}</span>'


def student_page(report: Report) -> str:
    """Everything that a student wants to know: points, and for what is not right the smallest case."""
    name, most = clean(report.student.name), sum(one.most for one in report.graded.values())
    body = f"<h1>{html.escape(name)}</h1>\n<p>{report.points} of {counted(most, 'point')} by checks. "
    body += "Answers in words are read by a teacher and not counted here.</p>\n"
    body += "".join(chapter_part(one) for _, one in sorted(report.graded.items()))
    if report.waiting:
        body += f"<p>Grading was interrupted; not graded yet: {', '.join(report.waiting)}.</p>"
    elif not report.graded:
        body += "<p>No notebook of the course was handed in.</p>"
    body += "<h2>Files that were not graded</h2>" + listed(report.left_over) if report.left_over else ""
    return page(f"Feedback for {name}", body)


def chapter_part(graded: Graded) -> str:
    """One notebook."""
    title = f"{graded.chapter.number} {graded.chapter.title}"
    text = f"<h2>{html.escape(title)}: {graded.points} of {counted(graded.most, 'point')}</h2>\n"
    text += "".join(mark_part(mark) for mark in graded.marks)
    if graded.noticed:
        text += card("#e69f00", "Noticed", "", listed(graded.noticed))
    if graded.errors:
        note = "<p>Run from top to bottom (<i>Restart and run all</i>), these cells stop:</p>"
        text += card("#e69f00", "Cells that do not run", "", note + listed(graded.errors))
    return text


def mark_part(mark: Mark) -> str:
    """One exercise."""
    exercise = mark.exercise
    heading = f"{sign(mark)} {html.escape(exercise.id)} {with_code(exercise.title)}: {SAID[mark.state]}"
    if exercise.is_prose:
        answer = f"<blockquote>{html.escape(mark.text)}</blockquote>" if mark.text else "<p>There is no answer yet.</p>"
        return card(SIGNS["words"][1], heading, f"{counted(exercise.points, 'point')}, given by a teacher", answer)
    said = [mark.text] if mark.text else []
    said += [exercise.teaches] if mark.state == "right" and exercise.teaches else []
    if mark.state in ("partly", "wrong", "open") and exercise.hints:
        said.append(f'There are hints: type `hint(1, "{exercise.id}")` in the notebook.')
    first, *rest = [f"<p>{with_code(text)}</p>" for text in said] or [""]
    shown = f'<div class="shown">{"".join(map(drawn, mark.shown))}</div>' if mark.shown else ""
    return card(SIGNS[mark.state][1], heading, f"{mark.points} of {exercise.points}", first + shown + "".join(rest))


def overview(
    reports: Sequence[Report], chapters: dict[str, dict[str, Exercise]], walls: str, notices: Sequence[str],
    strange: Sequence[str], feedback: str,
) -> str:  # fmt: skip
    """All students in a table, how hard each exercise was, and all answers in words side by side."""
    body = f"<h1>Grades</h1>\n<p>{counted(len(reports), 'student')}. {with_code(walls)}</p>\n"
    if notices:
        body += card("#d55e00", "Before you use these grades", "", listed(notices))
    look = {
        "They interfered with the checks; no points": [one for one in reports if some(one, "tampered")],
        "They try what no exercise needs; their points stand": [one for one in reports if some(one, "unusual")],
    }
    named = [f"{what}: {', '.join(clean(one.student.name) for one in them)}" for what, them in look.items() if them]
    if named:
        body += card("#d55e00", "Look at these notebooks", "", listed(named))
    rows = "".join(student_row(report, chapters, feedback) for report in reports)
    body += f'<div class="scroll"><table>{heading_row(chapters)}{rows}{solved_row(reports, chapters)}</table></div>\n'
    legend = "✓ right, ◐ some of its points, ✗ not right, ○ not attempted, ? not judged, ✎ words, – not handed in."
    body += f'<p class="soft">{legend}</p>\n'
    flags = [f"{clean(one.student.name)}, {flag}" for one in reports for flag in one.flags]
    body += "<h2>Flags</h2>" + listed(flags) if flags else ""
    body += words_part(chapters)
    body += "".join(prose_part(reports, one) for many in chapters.values() for one in many.values() if one.is_prose)
    if strange:
        body += "<h2>Files that are nobody's</h2>" + listed([clean(name, 200) for name in strange[:200]])
    return page("Grades", body, "wide")


def some(report: Report, what: str) -> bool:
    """Whether some notebook of a student is so."""
    return any(getattr(graded, what) for graded in report.graded.values())


def words_part(chapters: dict[str, dict[str, Exercise]]) -> str:
    """How answers in words get their points."""
    first = next((one for many in chapters.values() for one in many.values() if one.is_prose), None)
    if first is None:
        return ""
    said = (
        f"The answers in words are below. Write the points that you give for them into their columns of the table "
        f"(`{first.id} (words)`, at most {first.points}; the row `maximum` says how many), and add them to the totals, "
        "which count the checks only. Another run of `tetriscourse grade` keeps your table under another name."
    )
    return f"<h2>Points for words</h2><p>{with_code(said)}</p>\n"


def heading_row(chapters: dict[str, dict[str, Exercise]]) -> str:
    """The exercises with their points."""
    cells = f'<th class="name">student <b>of {sum(map(by_checks, chapters.values()))}</b></th>'
    for number, exercises in chapters.items():
        for place, one in enumerate(exercises.values()):
            first = ' class="first"' if place == 0 else ""
            cells += f'<th{first} title="{html.escape(one.title)}, {counted(one.points, "point")}">{one.id}</th>'
        cells += f"<th>{number}<br><small>of {by_checks(exercises)}</small></th>"
    return f"<tr>{cells}</tr>\n"


def student_row(report: Report, chapters: dict[str, dict[str, Exercise]], feedback: str) -> str:
    """The signs and points of one student."""
    name, sum_up = clean(report.student.name), f"<b>{report.points}</b>"
    cells = f'<td class="name">{sum_up}<a href="{quote(f"{feedback}/{name}.html")}">{html.escape(name)}</a></td>'
    for number, exercises in chapters.items():
        graded = report.graded.get(number)
        absent = f'<span class="soft">{"?" if number in report.waiting else "–"}</span>'
        signs = [sign(mark) for mark in graded.marks] if graded else [absent] * len(exercises)
        cells += "".join(f'<td{"" if place else " class=first"}>{one}</td>' for place, one in enumerate(signs))
        cells += f"<td>{graded.points if graded else ''}</td>"
    return f"<tr>{cells}</tr>\n"


def solved_row(reports: Sequence[Report], chapters: dict[str, dict[str, Exercise]]) -> str:
    """How many have each exercise right, of those who handed the chapter in."""
    cells = '<td class="name soft">right</td>'
    for number, exercises in chapters.items():
        handed = [one.graded[number] for one in reports if number in one.graded]
        for place, one in enumerate(exercises.values()):
            right = sum(graded.marks[place].state == "right" for graded in handed)
            said = "" if one.is_prose else f"{right}/{len(handed)}"
            cells += f'<td class="soft{"" if place else " first"}">{said}</td>'
        cells += "<td></td>"
    return f"<tr>{cells}</tr>"


def prose_part(reports: Sequence[Report], exercise: Exercise) -> str:
    """All answers to an exercise in words."""
    text = f"<h2>{exercise.id} {with_code(exercise.title)}: {counted(exercise.points, 'point')} to give</h2>\n"
    for report in reports:
        marks = report.graded[exercise.chapter].marks if exercise.chapter in report.graded else []
        for mark in marks:
            if mark.exercise.id == exercise.id and mark.text:
                answer = f"<blockquote>{html.escape(mark.text)}</blockquote>"
                text += card(SIGNS["words"][1], html.escape(clean(report.student.name)), "", answer)
    return text
