"""A simulated ZooKeeper ensemble in a notebook.

    from zabscope import ZabScope

    run = ZabScope("leader-crash-under-load", step=8)
    run                          # shows it
    run.act("crash", server=3)   # in another cell
    pandas.DataFrame(run.facts)
"""

import bisect
import importlib.metadata
import pathlib

import anywidget
import ipywidgets
import traitlets

__version__ = importlib.metadata.version(__name__)
__all__ = ["ZabScope"]

_HERE = pathlib.Path(__file__).parent

# Those of <zab-scope> that make sense in a notebook.
_ATTRIBUTES = frozenset(
    "scenario lesson beat params beside rule seed run step at paused autoplay controls panel speed lang theme title".split()
)


class _Page(ipywidgets.Widget):
    """The page in one file, compressed: servers of notebooks let no more than 3 MB pass at once. It goes to the browser once, however many
    widgets show it."""

    content = traitlets.Bytes().tag(sync=True)
    _shared = None

    @classmethod
    def shared(cls):
        # a widget belongs to the kernel's connection to the browser, and may have been closed with all others
        if cls._shared is None or cls._shared.comm is None:
            cls._shared = cls(content=(_HERE / "zabscope.html.gz").read_bytes())
        return cls._shared


class ZabScope(anywidget.AnyWidget):
    """A run on the stage.

    ``scenario`` and the other attributes are those of the element ``<zab-scope>``: ``lesson``, ``beat``, ``params``, ``beside``, ``rule``,
    ``seed``, ``run``, ``step`` (opens at this milestone), ``at`` (opens at this moment, ms), ``paused``, ``autoplay``, ``controls``, ``panel``,
    ``speed``, ``lang``, ``theme``, ``title``. ``height`` is in CSS pixels; without it the widget is 16:9 or flatter.

    What is asked of it is done when it is on the screen, in order; ``facts`` and ``state`` are what it has told.
    """

    _esm = _HERE / "widget.js"
    _page = traitlets.Instance(_Page).tag(sync=True, **ipywidgets.widget_serialization)
    _attributes = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(None, allow_none=True, help="CSS pixels").tag(sync=True)
    state = traitlets.Dict(read_only=True, help="the moment in numbers")
    errors = traitlets.List(read_only=True, help="sentences about what was wrong, the last 100")
    facts = traitlets.List(read_only=True, help="what happened up to the moment that is shown: dicts, the last 50,000")

    def __init__(self, scenario=None, *, height=None, **attributes):
        super().__init__(_page=_Page.shared(), height=height)
        self.on_msg(self._heard)
        self.set(**({} if scenario is None else {"scenario": scenario}), **attributes)

    def set(self, **attributes):
        """Changes attributes; None takes one away."""
        unknown = sorted(set(attributes) - _ATTRIBUTES)
        if unknown:
            raise TypeError(f"unknown attribute {unknown[0]!r}: there are {', '.join(sorted(_ATTRIBUTES))}")
        now = {**self._attributes, **attributes}
        self._attributes = {name: value for name, value in now.items() if value is not None and value is not False}

    def play(self):
        """Lets time run."""
        self._ask("play")

    def pause(self):
        """Stops time."""
        self._ask("pause")

    def step(self, count=1, by="turn"):
        """Goes on by milestones, or with ``by="event"`` by events, and stops time."""
        self._ask("step", count, by)

    def step_back(self, count=1, by="turn"):
        """Goes back."""
        self._ask("stepBack", count, by)

    def seek(self, ms):
        """Goes to a moment of virtual time, ms."""
        self._ask("seek", ms)

    def act(self, do, **fields):
        """Does something to the ensemble now: ``act("crash", server=2)``, or ``act({"do": "crash", "server": 2})``."""
        self._ask("act", {**do, **fields} if isinstance(do, dict) else {"do": do, **fields})

    def load(self, what):
        """Another run: the name of a scenario, a run or a lesson as a dict, or a link's part from ``#`` on."""
        self._ask("load", what)

    def beat(self, beat):
        """Goes to a beat of the lesson, by its name or its number from 1."""
        self._ask("beat", beat)

    def answer(self, value=None):
        """Answers the question that is asked."""
        self._ask("answer", value)

    def reveal(self):
        """Shows what happens without an answer."""
        self._ask("reveal")

    def _ask(self, method, *arguments):
        self.send({"call": method, "with": arguments})

    def _heard(self, _widget, content, _buffers):
        tell = content.get("tell")
        if tell == "state":
            self.set_trait("state", content["state"])
        elif tell == "error":
            self.set_trait("errors", [*self.errors, content["message"]][-100:])
        elif tell == "facts":
            # `since` is the number of the first that is told: what was known from there on has not happened
            kept = bisect.bisect_left(self.facts, content["since"], key=lambda fact: fact["seq"])
            self.set_trait("facts", [*self.facts[:kept], *content["facts"]][-50_000:])
