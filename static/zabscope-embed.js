// <zab-scope>: a ZabScope ensemble in a slide or in any page. docs/embedding.md says what it understands.
//
//     <script defer src="…/zabscope-embed.js"></script>
//     <zab-scope scenario="leader-crash-under-load" step="4"></zab-scope>
//
// The element wraps a frame that shows the page; both talk by the messages that docs/embedding.md describes.
//
// It is a classic script, which any page may load from anywhere; as a module (`type="module"`) it does the same, where the server lets
// other origins read it. Hence the block around everything, and no import or export.

{
  const PROTOCOL = 1;
  // where this file lies: a classic script knows its element, a module finds its address where an error would name it
  const HERE = new URL("./", document.currentScript?.src ?? new Error().stack?.match(/[a-z-]+:\/\/[^\s()]+?(?=:\d+:\d+)/)?.[0] ?? document.baseURI).href;
  /** How long the page may take to load its program and answer, ms. */
  const PATIENCE = 60_000;
  /** How many pages stay open beside those in sight: a browser has memory for about a hundred. */
  const MOST = 24;
  /** Elements whose page is open, the one that was seen longest ago first. */
  const open = new Set();
  /** The first time between two greetings, ms, until the page answers: its program comes some time after its document. */
  const AGAIN = 100;

  /** Attributes that say which run is shown: a change of one loads it anew. */
  const RUN = ["scenario", "lesson", "rule", "beside", "seed", "params", "run"];
  /** Attributes that say from when. */
  const MOMENT = ["step", "at", "t"];
  /** Attributes that change only how the page looks, by the names that messages have too. */
  const LOOK = ["panel", "speed", "lang", "theme", "controls", "keys"];
  /** What stands where such an attribute is taken away; the language stays. */
  const USUAL = { panel: "none", speed: "1/30", theme: "auto", controls: "minimal", keys: "page" };
  const PLAY = ["paused", "autoplay"];
  const TEXTS = [...RUN, ...MOMENT, ...LOOK, "beat", "src", "title", "facts"];

  class ZabScope extends HTMLElement {
    static observedAttributes = [...TEXTS, ...PLAY];

    #frame = null;
    #address = null;
    #ready = false;
    #waiting = new Map();
    #queue = [];
    #next = 1;
    #changed = new Set();
    #inSight = false;
    #shown = false;
    // where its page was when it was put away
    #kept = null;
    // what it shows cannot be opened again
    #stays = false;
    #timer = 0;
    #watches = [];
    #hear = (event) => this.#arrived(event);

    // ---- life

    connectedCallback() {
      for (const name of [...TEXTS, ...PLAY]) this.#adopt(name);
      addEventListener("message", this.#hear);
      this.#watch();
      // what is set before the frame is there stands in its address
      this.#changed.clear();
      // a page that nobody sees yet is opened ahead as long as there are few
      if (open.size < MOST) this.#need();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      for (const watch of this.#watches.splice(0)) watch.disconnect();
      this.#inSight = this.#shown = false;
      this.#kept = null;
      this.#leave();
    }

    /** A property that was set before this program came. */
    #adopt(name) {
      if (!Object.hasOwn(this, name)) return;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }

    attributeChangedCallback(name, before, now) {
      if (!this.#frame || before === now) return;
      if (!this.#changed.size) queueMicrotask(() => this.#apply());
      this.#changed.add(name);
    }

    // ---- the frame

    /** The page is wanted: it opens, and the one that was seen longest ago goes where there are too many. */
    #need() {
      open.delete(this);
      open.add(this);
      if (this.#frame) return;
      this.#open();
      if (open.size > MOST) [...open].find((other) => other.#ready && !other.#shown && !other.#stays)?.#putAway();
    }

    /** Gives the page's memory back; where it was is kept, and it opens there again. */
    async #putAway() {
      open.delete(this);
      const [state, link] = await Promise.all([this.#ask("state"), this.#ask("link")].map((asked) => asked.catch(() => null)));
      // somebody came back meanwhile
      if (open.has(this) || !this.#frame) return;
      const { lesson = null, playing } = state ?? {};
      // a lesson that came as a file, or a run too long for a link, would be lost
      this.#stays = lesson ? lesson.id !== this.getAttribute("lesson") : !link;
      if (this.#stays) return void open.add(this);
      this.#kept = { link, beat: lesson && (lesson.beat ?? String(lesson.count + 1)), playing };
      this.#leave();
    }

    #leave() {
      open.delete(this);
      this.#close();
      this.#frame?.remove();
      this.#frame = null;
    }

    #open() {
      this.#address = this.#addressOf();
      const frame = document.createElement("iframe");
      frame.title = this.getAttribute("title") ?? "ZabScope";
      frame.allow = "clipboard-write; fullscreen";
      if (this.hasAttribute("loading")) frame.loading = this.getAttribute("loading");
      // properties, not a style attribute, which a strict policy forbids; they also win over what a deck says of frames
      Object.assign(frame.style, {
        display: "block", width: "100%", height: "100%", maxWidth: "none", maxHeight: "none", margin: "0", border: "0",
      });
      // every document that is loaded into the frame is greeted, also when its reader loads it again
      frame.addEventListener("load", () => this.#greet());
      frame.src = this.#address;
      this.#frame = frame;
      // beside what else is inside, as a picture for those without scripts; decks look for frames here, not in a shadow
      this.replaceChildren(frame);
    }

    /** The page's address with what the attributes ask for. It opens paused: it plays when somebody sees it. */
    #addressOf() {
      const url = new URL(this.getAttribute("src") ?? HERE, document.baseURI);
      const set = (name, value) => value != null && value !== "" && url.searchParams.set(name, value);
      set("embed", "1");
      set("paused", "1");
      // a name that is no lesson is a scenario's: the page knows
      for (const name of ["scenario", "lesson", "rule", "beat"]) set(name, this.getAttribute(name));
      for (const name of ["beside", "seed", ...LOOK]) set(name, this.getAttribute(name));
      for (const [name, value] of new URLSearchParams(this.getAttribute("params") ?? "")) set(name, value);
      set("t", this.getAttribute("at") ?? this.getAttribute("t"));
      if (!url.searchParams.has("t")) set("step", this.getAttribute("step"));
      if (this.getAttribute("run")) url.hash = this.getAttribute("run").replace(/^#/, "");
      const { link, beat } = this.#kept ?? {};
      if (beat) set("beat", beat);
      else if (link) url.hash = link;
      return url.href;
    }

    /** The origin of the page; a file has none, whatever browsers call it. */
    get #origin() {
      const { protocol, origin } = new URL(this.#address);
      return protocol === "file:" ? "null" : origin;
    }

    #greet() {
      // what was asked of the document before is answered by nobody; what was asked of none waits
      if (this.#ready) this.#close();
      clearTimeout(this.#timer);
      const end = performance.now() + PATIENCE;
      let wait = AGAIN;
      const again = () => {
        if (this.#ready || !this.#frame) return;
        if (performance.now() > end) return this.#complain(`the page at ${this.#address} does not answer`);
        const hello = { zabscope: PROTOCOL, do: "hello", facts: this.getAttribute("facts") ?? "told" };
        this.#post(hello, true);
        this.#timer = setTimeout(again, wait);
        wait = Math.min(wait * 1.3, 2_000);
      };
      again();
    }

    #post(message, greeting = false) {
      const target = this.#frame?.contentWindow;
      if (!target) return;
      const ports = [];
      // a host without an origin, as one from a file, cannot be named in an answer: it hands over a port
      if (greeting && self.origin === "null") {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => this.#understand(data);
        ports.push(port2);
      }
      target.postMessage(JSON.stringify(message), this.#origin === "null" ? "*" : this.#origin, ports);
    }

    #close() {
      clearTimeout(this.#timer);
      this.#ready = false;
      this.#queue = [];
      for (const { reject } of this.#waiting.values()) reject(new Error("the page was closed or loaded again"));
      this.#waiting.clear();
    }

    // ---- what the page says

    #arrived(event) {
      if (event.source && event.source === this.#frame?.contentWindow && event.origin === this.#origin) {
        this.#understand(event.data);
      }
    }

    #understand(text) {
      let said;
      try {
        said = JSON.parse(text);
      } catch {
        return;
      }
      if (said?.zabscope !== PROTOCOL) return;
      const { zabscope, tell, ...detail } = said;
      const asked = this.#waiting.get(detail.id);
      switch (tell) {
        case "ready":
          return this.#begin(detail);
        case "answer":
          this.#waiting.delete(detail.id);
          return asked?.resolve(detail.value);
        case "error":
          this.#waiting.delete(detail.id);
          asked?.reject(new Error(detail.why));
          return this.#complain(detail.why);
        case "facts":
          return this.#tell("fact", detail);
        case "state":
          return this.#tell("state", detail.state);
        case "step":
          return this.#tell("step", detail);
        case "beat":
          return this.#tell("beat", { lesson: detail.lesson, id: detail.beat, index: detail.index });
        case "answered":
          return this.#tell("answer", detail);
        case "goal":
          return this.#tell("goal", detail);
        case "key":
          return this.#pressed(detail);
      }
    }

    #begin(detail) {
      if (this.#ready) return;
      this.#ready = true;
      clearTimeout(this.#timer);
      this.#post({ zabscope: PROTOCOL, do: "shown", on: this.#shown });
      const queue = this.#queue.splice(0);
      if (this.#kept?.playing ?? this.#plays) this.#post({ zabscope: PROTOCOL, do: "play" });
      this.#kept = null;
      for (const message of queue) this.#post(message);
      this.#tell("ready", detail);
    }

    #tell(name, detail) {
      return this.dispatchEvent(new CustomEvent(name, { detail, cancelable: name === "key" }));
    }

    #complain(message) {
      this.#tell("error", { message });
    }

    /** A key that turns slides was pressed inside: to the deck it looks as if it had been pressed here. */
    #pressed({ key, code, key_code: keyCode }) {
      if (!this.#tell("key", { key, code })) return;
      const event = new KeyboardEvent("keydown", { key, code, keyCode, which: keyCode, bubbles: true, cancelable: true, composed: true });
      // decks read the old name, which not every browser lets a script set
      if (event.keyCode !== keyCode) Object.defineProperty(event, "keyCode", { get: () => keyCode });
      this.dispatchEvent(event);
    }

    // ---- whether anybody sees it

    #watch() {
      const sight = new IntersectionObserver((entries) => {
        this.#inSight = entries.at(-1).isIntersecting;
        this.#look();
      });
      sight.observe(this);
      this.#watches.push(sight);
      // A slide that is not shown may lie where the shown one lies, and be only transparent. reveal.js marks the present one.
      const slides = new MutationObserver(() => this.#look());
      for (const slide of this.#slides()) slides.observe(slide, { attributes: true, attributeFilter: ["class", "hidden"] });
      this.#watches.push(slides);
      this.#look();
    }

    #slides() {
      const found = [];
      for (let at = this.closest("section"); at; at = at.parentElement.closest("section")) {
        if (at.closest(".reveal .slides")) found.push(at);
      }
      return found;
    }

    #look() {
      const shown = this.#inSight && !this.#slides().some((slide) => slide.matches(".past, .future"));
      if (shown) this.#need();
      if (shown === this.#shown) return;
      this.#shown = shown;
      if (this.#ready) this.#post({ zabscope: PROTOCOL, do: "shown", on: shown });
    }

    // ---- attributes

    /** It plays unless it is told not to, or opens at a moment that is to be looked at. */
    get #plays() {
      if (this.hasAttribute("paused")) return false;
      return this.hasAttribute("autoplay") || !MOMENT.some((name) => this.hasAttribute(name));
    }

    /** Puts changed attributes into effect, several at once. */
    #apply() {
      const changed = [...this.#changed];
      this.#changed.clear();
      if (!this.#frame) return;
      const has = (names) => changed.some((name) => names.includes(name));
      if (has(["title"])) this.#frame.title = this.getAttribute("title") ?? "ZabScope";
      if (has(["src", "facts"])) {
        // another page, or another greeting
        this.#close();
        this.#address = this.#addressOf();
        this.#frame.src = this.#address;
        return;
      }
      if (has(LOOK)) {
        const look = changed.filter((name) => LOOK.includes(name));
        this.#ask("set", Object.fromEntries(look.map((name) => [name, this.getAttribute(name) ?? USUAL[name]])));
      }
      if (has(RUN)) this.#load();
      else if (has(["beat"]) && this.getAttribute("beat")) this.beat(this.getAttribute("beat"));
      else if (has(MOMENT) && this.#moment) this.#ask("seek", this.#moment);
      else if (has(PLAY)) this.#ask(this.#plays ? "play" : "pause");
    }

    get #moment() {
      const at = this.getAttribute("at") ?? this.getAttribute("t");
      const turn = this.getAttribute("step");
      if (at != null) return { ms: Number(at) };
      return turn != null ? { turn: Number(turn) } : null;
    }

    #load() {
      const link = this.getAttribute("run");
      if (link) return this.#ask("load", { link, play: this.#plays });
      const rule = this.getAttribute("rule");
      if (rule) return this.#ask("load", { rule, play: this.#plays, ...this.#moment });
      // a name that is no lesson is a scenario's: the page knows
      const named = this.getAttribute("lesson") ? "lesson" : "scenario";
      const load = { [named]: this.getAttribute(named) ?? "cold-start-3", play: this.#plays, ...this.#moment };
      if (named === "lesson" && this.getAttribute("beat")) load.beat = this.getAttribute("beat");
      for (const name of ["beside", "params"]) if (this.getAttribute(name)) load[name] = this.getAttribute(name);
      if (this.getAttribute("seed")) load.seed = Number(this.getAttribute("seed"));
      return this.#ask("load", load);
    }

    // ---- methods

    #ask(name, fields = {}) {
      const id = this.#next++;
      const message = { zabscope: PROTOCOL, id, do: name, ...fields };
      const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
      // whoever does not wait for the answer hears of trouble by the event `error`, not as a lost promise
      answer.catch(() => {});
      if (this.isConnected && !this.#frame) this.#need();
      if (this.#ready) this.#post(message);
      else this.#queue.push(message);
      return answer;
    }

    play() {
      return this.#ask("play");
    }

    pause() {
      return this.#ask("pause");
    }

    /** Goes on by milestones, or by events: step(20, "event"). Then time stands. */
    step(count = 1, by = "turn") {
      return this.#ask("step", { count, by });
    }

    stepBack(count = 1, by = "turn") {
      return this.#ask("step_back", { count, by });
    }

    /** Goes to a moment of virtual time, ms. */
    seek(ms) {
      return this.#ask("seek", { ms });
    }

    /** Does something to the ensemble now, as in act({ do: "crash", server: 2 }). */
    act(action) {
      return this.#ask("act", { action });
    }

    /** Puts another run on the stage: a scenario's name, a run or a lesson as an object, or a link's part from `#` on. */
    load(what) {
      if (what?.lesson !== undefined) return this.#ask("load", { lesson: JSON.stringify(what) });
      if (typeof what !== "string") return this.#ask("load", { run: what });
      return this.#ask("load", what.startsWith("#") ? { link: what } : { scenario: what });
    }

    /** Goes to a beat of the lesson, by its name or its number from 1. */
    beat(id) {
      return this.#ask("beat", { beat: id });
    }

    /** Answers the question: an option's number, names of machines, a number, a zxid; without a value nobody, or "now". */
    answer(value = null) {
      return this.#ask("answer", { value });
    }

    /** Shows what happens without an answer. */
    reveal() {
      return this.#ask("reveal");
    }

    /** The moment as a link: what stands in one behind `#`. */
    link() {
      return this.#ask("link");
    }

    /** The moment in numbers. */
    state() {
      return this.#ask("state");
    }

    /** The facts from a number on: { facts, next }. */
    facts(since = 0) {
      return this.#ask("facts", { since });
    }
  }

  // each attribute is a property of the same name; `lang` and `title` are ones already, `step`, `beat` and `facts` are methods
  for (const name of TEXTS) {
    if (name in HTMLElement.prototype || name in ZabScope.prototype) continue;
    Object.defineProperty(ZabScope.prototype, name, {
      get() {
        return this.getAttribute(name);
      },
      set(value) {
        if (value == null) this.removeAttribute(name);
        else this.setAttribute(name, value);
      },
      enumerable: true,
      configurable: true,
    });
  }
  for (const name of PLAY) {
    Object.defineProperty(ZabScope.prototype, name, {
      get() {
        return this.hasAttribute(name);
      },
      set(value) {
        this.toggleAttribute(name, Boolean(value));
      },
      enumerable: true,
      configurable: true,
    });
  }

  if (!customElements.get("zab-scope")) {
    // of no weight, so that whatever the page around says counts
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":where(zab-scope) { display: block; aspect-ratio: 16 / 9; } :where(zab-scope[hidden]) { display: none; }");
    document.adoptedStyleSheets.push(sheet);
    customElements.define("zab-scope", ZabScope);
  }
}
