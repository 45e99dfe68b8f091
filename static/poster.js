// Shows the page's first frame before its program has come. The frames stand in index.html, made by scripts/poster from the page's own
// components; what is pressed on one is kept, and done when the page itself has taken its place. A frame is shown only where it is what
// the page will show: any other address gets the quiet outline of a page.
{
  // What the address asks for, as src/ui/remote/address.rs reads it.
  const pairs = location.search.slice(1).split("&").filter(Boolean).map((pair) => pair.match(/^([^=]*)=?(.*)$/).slice(1));
  const asked = new Map(pairs);

  // The language of a tag, as src/i18n/lang.rs reads it.
  const spoken = (tag) => {
    const [first, ...parts] = tag.toLowerCase().split(/[-_]/);
    if (first === "en") return "en";
    const script = parts.find((part) => ["hans", "hant", "tw", "hk", "mo"].includes(part)) ?? "hans";
    return first === "zh" ? (script === "hans" ? "zh-Hans" : "zh-Hant") : undefined;
  };
  const wished = spoken(asked.get("lang") ?? "");
  const lang = wished ?? navigator.languages.map(spoken).find(Boolean) ?? "en";
  const [forced, contrast, night] = ["(forced-colors: active)", "(prefers-contrast: more)", "(prefers-color-scheme: dark)"]
    .map((wish) => matchMedia(wish).matches);
  const theme = ["light", "dark"].find((one) => one === asked.get("theme") && !forced) ?? (night ? "dark" : "light");
  const hall = asked.get("lecture") === "1";
  Object.assign(document.documentElement, { lang });
  Object.assign(document.documentElement.dataset, { theme, contrast: hall || contrast || forced ? "high" : "usual", hall: hall ? "yes" : "no" });

  // What an address may ask for without another frame than the first one.
  const looks = (name, value) => (name === "lang" ? wished && value.length < 36 : name === "theme" && /^(light|dark|auto)$/.test(value));
  const known = !location.hash && asked.size === pairs.length && pairs.every((pair) => looks(...pair));
  const lesson = known && isFirst();
  const frame = document.getElementById(`poster-${lesson ? "lesson" : "run"}-${lang}`).content.cloneNode(true);
  const page = frame.firstElementChild;
  const part = (name) => page.querySelector(`.${name}`);
  const stage = part("stage");
  // what it is read from goes when the page comes, and the frame stays a little longer
  const sizes = document.getElementById("poster").dataset.cards.split(",");
  page.classList.add("poster");
  page.ariaBusy = "true";
  for (const button of page.querySelectorAll("[data-dark]")) {
    if (theme === "dark") button.ariaLabel = button.title = button.dataset.dark;
    button.removeAttribute("data-dark");
  }
  if (!known) hush();
  document.body.prepend(frame);

  // Whoever has never been here is shown a lesson (src/ui/app/first_visit.rs, which remembers the visit).
  function isFirst() {
    try {
      return localStorage.getItem("zabscope-seen") === null;
    } catch {
      return false; // no storage here
    }
  }

  // Leaves of the frame what is there whatever the address asks for.
  function hush() {
    for (const name of ["bar", "narration", "stage", "transport"]) part(name).classList.add("quiet");
    page.classList.toggle("lecture", hall);
    const controls = asked.get("controls") ?? (asked.get("embed") === "1" ? "minimal" : "");
    if (controls !== "minimal" && controls !== "none") return;
    page.classList.add("thin");
    page.classList.toggle("bare", controls === "none");
    for (const gone of ["bar", "params", controls === "none" && "transport"]) gone && part(gone)?.remove();
  }

  // Three servers as src/draw/layout puts them on a stage of this size, on the largest cards that have room; none where it would hide a
  // link behind a card.
  function ring(width, height) {
    for (const size of sizes) {
      const [name, w, h, link, ...strip] = size.split(" ").map((value, at) => (at ? Number(value) : value));
      const [rx, ry] = [Math.min((width - w) / 2 - 14, 460), Math.min((height - h) / 2 - 14, 330)];
      const slanted = Math.hypot(rx, 2 * ry) * (1 - 2 * Math.min((w / 2 + 2) / rx, (h / 2 + 2) / (2 * ry)));
      const apart = 2 * rx >= w + 20 && (rx >= w + 20 || 2 * ry >= h + 20);
      if (apart && 2 * ry > h / 2 + 4 && Math.min(2 * rx - w - 4, slanted) >= link) {
        const at = [[0, -ry], [rx, ry], [-rx, ry]].map(([x, y]) => [width / 2 + x, height / 2 + y]);
        return { name, w, h, strip, at };
      }
    }
  }

  const px = (value) => `${Math.round(value * 100) / 100}px`;

  // Puts everything on the stage where it stands on one of this size.
  function place({ width, height }) {
    if (!width) return;
    const logs = [...stage.querySelectorAll("[data-high]")];
    const has = (one, at) => height - one.dataset.high >= 170 && (at > 0 || width >= 560);
    const shown = logs.find(has);
    for (const one of logs) {
      one.setAttribute("visibility", one === shown ? "inherit" : "hidden");
      one.setAttribute("transform", `translate(0 ${height - one.dataset.high})`);
    }
    // something else stands there
    if (!logs.length) return;
    const found = ring(width, height - (shown?.dataset.high ?? 0));
    stage.classList.toggle("quiet", !known || !found);
    if (!found) return;
    const { name, w, h, strip, at } = found;
    [...stage.querySelectorAll(".card")].forEach((card, index) => {
      const [x, y] = at[index];
      card.classList.remove(card.dataset.size ?? "large");
      card.classList.add((card.dataset.size = name));
      // its first words have no room there, as in src/ui/stage/server_card.rs
      const said = card.querySelector(".second > span"), whole = (said.dataset.whole ??= said.textContent);
      said.textContent = name === "compact" ? whole.replace(/^.*? · /, "") : whole;
      Object.assign(card.style, { left: px(x - w / 2), top: px(y - h / 2), width: px(w), height: px(h) });
      const svg = card.querySelector(".strip");
      for (const [attribute, value] of [["viewBox", `0 0 ${strip.join(" ")}`], ["width", strip[0]], ["height", strip[1]]]) {
        svg.setAttribute(attribute, value);
      }
    });
    const ends = (link) => link.match(/\d/g).map((number) => at[number - 1]);
    const middle = (link) => [0, 1].map((axis) => (ends(link)[0][axis] + ends(link)[1][axis]) / 2);
    for (const handle of stage.querySelectorAll(".handle")) {
      const [x, y] = middle(handle.dataset.link);
      Object.assign(handle.style, { left: px(x), top: px(y) });
    }
    const lines = stage.querySelector("[data-links]"), links = lines.dataset.links.split(" ");
    const line = (link) => {
      const [[ax, ay], [bx, by]] = ends(link);
      // what the two cards cover of it
      const share = Math.min((w / 2 + 2) / Math.abs(bx - ax), (h / 2 + 2) / Math.abs(by - ay));
      const [dx, dy] = [(bx - ax) * share, (by - ay) * share];
      return `M${ax + dx} ${ay + dy}L${bx - dx} ${by - dy}`;
    };
    const round = (link) => `M${middle(link)[0] - 3.4} ${middle(link)[1]}a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z`;
    lines.setAttribute("d", links.map(line).join(""));
    lines.nextElementSibling.setAttribute("d", links.map(round).join(""));
  }
  new ResizeObserver(([{ contentRect }]) => place(contentRect)).observe(stage);

  // ---- what is pressed meanwhile

  const kept = [];
  let focused;
  // What an element is on the page that follows: its place there, and what it is called.
  const way = (element) => (element === page ? [] : [...way(element.parentElement), [...element.parentElement.children].indexOf(element)]);
  const called = (element) => element.dataset.server ?? element.dataset.link ?? element.ariaLabel ?? element.textContent;
  const placeOf = (element) => ({ path: way(element), name: called(element) });
  const next = () => document.querySelector("body > .page:not(.poster)");
  const found = ({ path, name }) => {
    const element = path.reduce((parent, at) => parent?.children[at], next());
    return element && called(element) === name ? element : undefined;
  };

  function keep(event) {
    const control = event.target.closest?.("button, select, input");
    const ours = control && page.contains(control);
    const isKey = event.type === "keydown";
    // keys that work a control come as what they do to it; those that go from one to the next do so
    const works = ours && (control.localName !== "button" || /^(Enter| )$/.test(event.key));
    if (isKey ? works || /^(Tab|Shift|Control|Alt|Meta)/.test(event.key) : !ours) return;
    event.stopImmediatePropagation();
    kept.push({ event, value: control?.value, to: !isKey && placeOf(control) });
    if (isKey) return;
    control.classList.add("kept");
    // the next Space is not for a button that was only pointed at (src/ui/app/keys.rs)
    if (event.detail && control.localName === "button") control.blur(), (focused = undefined);
  }

  // Does it, if the same is there.
  function redo({ event, value, to }) {
    const element = to ? found(to) : next() && document.body;
    if (!element) return false;
    if (event.type === "change") {
      element.value = value;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const { key, code, shiftKey, ctrlKey, altKey, metaKey } = event;
    const options = { key, code, shiftKey, ctrlKey, altKey, metaKey, bubbles: true, cancelable: true };
    element.dispatchEvent(new event.constructor(event.type, options));
    return true;
  }

  // One after another: each is waited for, as what was pressed before it may lead there.
  function redoAll(end = performance.now() + 1000) {
    if (!kept.length) return void (focused && document.activeElement === document.body && found(focused)?.focus());
    const done = redo(kept[0]) || performance.now() > end;
    if (done) kept.shift();
    setTimeout(redoAll, 20, done ? undefined : end);
  }

  const listening = Object.entries({
    click: keep, keydown: keep, change: keep,
    // whoever points somewhere else has left
    pointerdown: () => (focused = undefined),
    focusin: ({ target }) => (focused = page.contains(target) && placeOf(target)),
  });
  for (const [kind, hears] of listening) addEventListener(kind, hears, true);
  // The page clears the body when it comes. The frame stays before it until its cards stand where they belong, a few frames later;
  // then it is asked for what was pressed.
  new MutationObserver((_, observer) => {
    if (page.isConnected) return;
    observer.disconnect();
    for (const [kind, hears] of listening) removeEventListener(kind, hears, true);
    // the rest of the body is still there: the page could not start, and that is said (static/rescue.js)
    if (document.getElementById("poster")) return;
    page.inert = true;
    page.classList.add("leaving");
    document.body.append(page);
    const cards = part("cards"), where = (them) => JSON.stringify([...them.children].map((card) => card.getBoundingClientRect()));
    const sure = !stage.matches(".quiet"), end = performance.now() + (sure ? 1000 : 400);
    const look = () => {
      const came = globalThis.zabscope && next()?.querySelector(".cards");
      // a lesson opens only after its page; a run plays at once
      const open = came?.firstElementChild?.style.left && (!lesson || came.textContent === cards.textContent);
      // who has pressed something waits for that, and not until nothing moves
      const stands = open && (!sure || kept.length || where(came) === where(cards));
      if (!stands && performance.now() < end) return requestAnimationFrame(look);
      page.remove();
      redoAll();
    };
    requestAnimationFrame(look);
  }).observe(document.body, { childList: true });
}
