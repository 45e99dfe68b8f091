// <zab-scope>: a ZabScope ensemble in a slide or in any page. docs/embedding.md says what it understands.
//
//     <script async src="…/zabscope-embed.js"></script>
//     <zab-scope scenario="leader-crash-under-load" step="4"></zab-scope>
//
// The element wraps a frame that shows the page; both talk by the messages that docs/embedding.md describes. The frame stands in a shadow:
// frameworks that compare what the server made of a page with what is there find nothing new among the element's children.
//
// It is a classic script, which any page may load from anywhere; as a module (`type="module"`) it does the same, where the server lets
// other origins read it. Hence the block around everything, and no import or export. scripts/packages makes a module of it for bundlers,
// which may be loaded where a page is made by a server: there are no elements there.

if (globalThis.customElements) {
  const PROTOCOL = 1;
  // where the page is, if no attribute says so: beside this file. A classic script knows its element, a module finds its address where an
  // error would name it
  const HERE = new URL("./", document.currentScript?.src ?? new Error().stack?.match(/[a-z-]+:\/\/[^\s()]+?(?=:\d+:\d+)/)?.[0] ?? document.baseURI).href;
  /** How long the page may take to load its program and answer, ms. */
  const PATIENCE = 60_000;
  /** How many pages stay open beside those in sight: a browser has memory for about a hundred. */
  const MOST = 24;
  /** Elements whose page is open, the one that was seen longest ago first. */
  const open = new Set();
  /** The first time between two greetings, ms, until the page answers: its program comes some time after its document. */
  const AGAIN = 100;
  /** When a document is greeted from which nothing has come yet, ms, and when that is said: what a policy or a server has refused never answers. */
  const ALONE = [0, 400, 2_000, 5_000, 15_000, 30_000];
  const SOON = 900;
  /** How much of it, or of the window, somebody sees who looks at it. */
  const SEEN = 1 / 3;
  /** How often one that is in sight is looked at, ms: style sheets hide and show without an event. */
  const LOOK_AGAIN = 250;
  /** Slides beside the current one, which may lie where that lies, or stand beside it in full view: reveal.js, impress.js. */
  const ELSEWHERE = ".reveal .slides section:is(.past, .future), .step:is(.past, .future)";
  /** A page that is flatter shows nothing, px. */
  const LEAST = 160;
  /** What a deck has drawn over all slides. */
  const CURTAIN = ".reveal.paused, .remark-blackout-mode";
  /** Where a press on a slide goes to it. */
  const OVERVIEW = ".reveal.overview";
  const STYLE = `
    :host { display: block; position: relative; aspect-ratio: 16 / 9; --wide: 960; --high: 540; }
    :host([hidden]) { display: none; }
    div { position: relative; width: 100%; height: 100%; container-type: inline-size; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    p { position: absolute; inset: 0; margin: 0; padding: 16px; overflow: auto; background: Canvas; color: CanvasText;
      font: 16px / 1.5 system-ui, sans-serif; text-align: start; }
    @media print {
      :host { max-width: 100% !important; max-height: none !important; height: auto !important; aspect-ratio: var(--wide) / var(--high) !important; break-inside: avoid; }
      div { overflow: hidden; }
      iframe { width: calc(var(--wide) * 1px); height: calc(var(--high) * 1px); transform-origin: 0 0;
        transform: scale(tan(atan2(100cqw, calc(var(--wide) * 1px)))); }
    }`;
  /** What is said in its place, in English and both Chinese scripts. */
  const SILENT = [
    ["ZabScope does not answer. The policy of this page (frame-src) or of its server (frame-ancestors) may forbid it:",
      "ZabScope 没有应答。可能是本页面（frame-src）或其服务器（frame-ancestors）的策略禁止了它：",
      "ZabScope 沒有應答。可能是本頁面（frame-src）或其伺服器（frame-ancestors）的策略禁止了它："],
    ["ZabScope does not answer. From a disk it needs zabscope.html beside zabscope-embed.js, or let a web server show this folder:",
      "ZabScope 没有应答。从磁盘打开时，zabscope-embed.js 旁边需要有 zabscope.html，或者用网页服务器提供这个文件夹：",
      "ZabScope 沒有應答。從磁碟開啟時，zabscope-embed.js 旁邊需要有 zabscope.html，或者用網頁伺服器提供這個資料夾："],
  ];

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

  /** How far below the upper edge of what is around it an element begins, as laid out, whatever a deck makes smaller or turns. */
  const below = (element, around) => {
    let top = 0, at = element;
    for (; at && at !== around && around.contains(at); at = at.offsetParent) top += at.offsetTop;
    return at === around ? top : top - around.offsetTop;
  };

  class ZabScope extends HTMLElement {
    static observedAttributes = [...TEXTS, ...PLAY];

    #root = this.attachShadow({ mode: "open" });
    #sheet = new CSSStyleSheet();
    #frame = null;
    #address = null;
    #ready = false;
    // its document has said that its program is on its way
    #coming = false;
    #waiting = new Map();
    #queue = [];
    #next = 1;
    #changed = new Set();
    // some of it is where the window is; none of that is hidden by a style or belongs to another slide; enough of it is seen
    #near = false;
    #wanted = false;
    #inSight = false;
    #shown = false;
    #looking = 0;
    // where its page was when it was put away
    #kept = null;
    // what it shows cannot be opened again
    #stays = false;
    #timer = 0;
    #watches = [];
    #hear = (event) => this.#arrived(event);
    #resized = () => this.#fit();

    constructor() {
      super();
      this.#sheet.replaceSync(STYLE);
      this.#root.adoptedStyleSheets = [this.#sheet];
      this.#empty();
    }

    // ---- life

    connectedCallback() {
      for (const name of [...TEXTS, ...PLAY]) this.#adopt(name);
      addEventListener("message", this.#hear);
      addEventListener("beforeprint", this.#resized);
      addEventListener("resize", this.#resized);
      this.#watch();
      // what is set before the frame is there stands in its address
      this.#changed.clear();
      // a page that nobody sees yet is opened ahead as long as there are few
      if (open.size < MOST) this.#need();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      removeEventListener("beforeprint", this.#resized);
      removeEventListener("resize", this.#resized);
      for (const watch of this.#watches.splice(0)) watch.disconnect();
      clearTimeout(this.#looking);
      this.#near = this.#wanted = this.#inSight = this.#shown = false;
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
      if (open.size > MOST) [...open].find((other) => other.#ready && !other.#wanted && !other.#stays)?.#putAway();
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
      this.#frame = null;
      this.#empty();
    }

    /** Without a page it shows what is inside: a picture, a link. */
    #empty() {
      this.#root.replaceChildren(document.createElement("slot"));
    }

    #open() {
      const frame = document.createElement("iframe");
      frame.title = this.getAttribute("title") ?? "ZabScope";
      frame.allow = "clipboard-write; fullscreen";
      if (this.hasAttribute("loading")) frame.loading = this.getAttribute("loading");
      // every document that is loaded into the frame is greeted, also when its reader loads it again
      // (Firefox has an error where a policy refuses it, other browsers load an empty one)
      for (const event of ["load", "error"]) frame.addEventListener(event, () => this.#greet());
      this.#frame = frame;
      this.#go();
      const box = document.createElement("div");
      box.append(frame);
      this.#root.replaceChildren(box);
      this.#look();
    }

    /** Loads the page with what the attributes ask for. */
    #go() {
      const url = this.#addressOf();
      // an object in memory takes no query: the page reads its frame's name there
      if (url.protocol === "blob:") {
        this.#frame.name = url.search;
        url.search = "";
      }
      this.#address = this.#frame.src = url.href;
    }

    /** The page's address with what the attributes ask for. It opens paused: it plays when somebody sees it. */
    #addressOf() {
      const url = new URL(this.getAttribute("src") ?? HERE, document.baseURI);
      // a disk shows its folders, not a page in them, and of the two pages only the one in a single file starts from there
      if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "zabscope.html";
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
      return url;
    }

    /** The origin of the page; a file has none, whatever browsers call it, and an object in memory that of this page. */
    get #origin() {
      const { protocol, origin } = new URL(this.#address);
      return protocol === "file:" ? "null" : protocol === "blob:" ? self.origin : origin;
    }

    #greet() {
      // what was asked of the document before is answered by nobody; what was asked of none waits
      if (this.#ready) this.#close();
      clearTimeout(this.#timer);
      this.#coming = false;
      const begun = performance.now();
      let wait = AGAIN, greeted = 0, said = false;
      const again = () => {
        if (this.#ready || !this.#frame) return;
        const passed = performance.now() - begun;
        if (passed > PATIENCE) return this.#complain(`the page at ${this.#address} does not answer`);
        if (!this.#coming && !said && passed > SOON) {
          said = true;
          this.#say(SILENT[+(this.#origin === "null")]);
        }
        // each greeting of a document that is not the page is a line in the browser's console
        if (this.#coming || passed >= (ALONE[greeted] ?? PATIENCE)) {
          // a page of another version may know only the second kind
          if (!this.#coming && greeted++ < 2) this.#send({ there: "zabscope" }, true);
          else this.#post({ zabscope: PROTOCOL, do: "hello", facts: this.getAttribute("facts") ?? "told" }, true);
        }
        this.#timer = setTimeout(again, wait);
        if (this.#coming) wait = Math.min(wait * 1.3, 2_000);
      };
      again();
    }

    /** Says in its place, and to whoever listens, why there is nothing; until the page answers after all. */
    #say([english, simplified, traditional]) {
      const lang = this.getAttribute("lang") ?? this.closest("[lang]")?.lang ?? navigator.language;
      const text = /^zh-(Hant|TW|HK|MO)/i.test(lang) ? traditional : /^zh/i.test(lang) ? simplified : english;
      const note = document.createElement("p"), link = document.createElement("a");
      note.role = "alert";
      Object.assign(link, { href: this.#address, textContent: this.#address, target: "_blank", rel: "noopener" });
      note.append(text, " ", link);
      this.#root.append(note);
      this.#complain(`${english} ${this.#address}`);
    }

    #post(message, greeting = false) {
      this.#send(JSON.stringify(message), greeting);
    }

    #send(data, greeting) {
      const target = this.#frame?.contentWindow;
      if (!target) return;
      const ports = [];
      // a host without an origin, as one from a file, cannot be named in an answer: it hands over a port
      if (greeting && self.origin === "null") {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => this.#understand(data);
        ports.push(port2);
      }
      target.postMessage(data, this.#origin === "null" ? "*" : this.#origin, ports);
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
      if (!this.#coming) this.#root.querySelector("p")?.remove();
      this.#coming = true;
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
        const { isIntersecting, intersectionRatio, intersectionRect: { width, height }, rootBounds: root } = entries.at(-1);
        this.#near = isIntersecting && width * height > 0;
        const third = SEEN * (root ? root.width * root.height : innerWidth * innerHeight);
        this.#inSight = this.#near && (intersectionRatio >= SEEN || width * height >= third);
        this.#look();
      }, { threshold: Array.from({ length: 49 }, (_, step) => step / 48) });
      sight.observe(this);
      this.#watches.push(sight);
      const size = new ResizeObserver(() => this.#fit());
      size.observe(this);
      this.#watches.push(size);
      // decks say by classes of what is around it which slide is the current one
      const around = new MutationObserver(() => this.#look());
      for (let at = this.parentElement; at; at = at.parentElement) {
        around.observe(at, { attributes: true, attributeFilter: ["class", "hidden"] });
      }
      this.#watches.push(around);
      this.#look();
    }

    /** How high it may be: below it a slide is cut off, and a window shows no more than its height. */
    #room() {
      const slides = this.closest(".reveal .slides");
      for (let at = this.parentElement; at && at !== document.body && at !== slides; at = at.parentElement) {
        const { overflowY, paddingBottom } = getComputedStyle(at);
        if (/hidden|clip/.test(overflowY)) return at.clientHeight - below(this, at) - parseFloat(paddingBottom);
      }
      // its slides stand in the middle of theirs, wherever that is before all is laid out
      return slides ? slides.clientHeight - below(this, this.closest("section") ?? slides) : innerHeight;
    }

    /** Below a heading it becomes flatter than it would be. */
    #fit() {
      if (!this.clientWidth || matchMedia("print").matches) return;
      const { style } = this.#sheet.cssRules[0];
      const shape = (ratio, height) => Object.assign(style, { aspectRatio: ratio, height, maxHeight: height });
      shape("16 / 9", "");
      const room = this.#room();
      if (room >= LEAST && this.offsetHeight > room + 1) shape("auto", `${room}px`);
      // on paper the page keeps the size that it was laid out in, and is made as wide as the paper lets it be
      style.setProperty("--wide", this.clientWidth);
      style.setProperty("--high", this.clientHeight);
    }

    /** Whether somebody sees it: enough of it is in sight, no style hides it, and its slide is the current one. */
    #look() {
      clearTimeout(this.#looking);
      const current = !this.closest(ELSEWHERE);
      const styled = this.checkVisibility?.({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) ?? true;
      this.#wanted = this.#near && current && styled;
      const shown = this.#wanted && this.#inSight && !this.closest(CURTAIN);
      if (this.#wanted) this.#need();
      // where a press means the slide it is the deck's
      if (this.#frame) this.#frame.style.pointerEvents = current && !this.closest(OVERVIEW) ? "" : "none";
      if (!current || !styled) this.#letGo();
      if (this.#near) this.#looking = setTimeout(() => this.#look(), LOOK_AGAIN);
      if (shown === this.#shown) return;
      this.#shown = shown;
      if (shown) this.#fit();
      else this.#letGo();
      if (this.#ready) this.#post({ zabscope: PROTOCOL, do: "shown", on: shown });
    }

    /** Keys are no longer for a page that nobody sees. */
    #letGo() {
      if (!this.#frame || this.#root.activeElement !== this.#frame) return;
      this.#frame.blur();
      window.focus();
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
        return this.#go();
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

  // Each attribute is a property of the same name; `lang` and `title` are ones already. `step`, `beat` and `facts` are methods for whoever
  // reads them, and attributes for whoever sets them: Vue and React set a property wherever there is one.
  for (const name of TEXTS) {
    if (name in HTMLElement.prototype) continue;
    const method = ZabScope.prototype[name];
    Object.defineProperty(ZabScope.prototype, name, {
      get() {
        return method ?? this.getAttribute(name);
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
        // React hands over what stands in `paused=""`
        this.toggleAttribute(name, value === "" || Boolean(value));
      },
      enumerable: true,
      configurable: true,
    });
  }

  if (!customElements.get("zab-scope")) customElements.define("zab-scope", ZabScope);
}
