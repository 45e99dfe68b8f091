// Shows the page's first frame before its program has come. The frames stand in index.html, made by scripts/poster from the page's own
// components; what is pressed on one is kept, and done when the page itself has taken its place. A frame is shown only where it is what
// the page will show: any other address gets the quiet outline of a page.
{
  const query = [...new URLSearchParams(location.search)];
  const asked = (name) => query.find(([known]) => known === name)?.[1];

  // The language of a tag, as src/i18n/lang.rs reads it.
  const spoken = (tag) => {
    const [first, ...parts] = tag.toLowerCase().split(/[-_]/);
    if (first === "en") return "en";
    const script = parts.find((part) => ["hans", "hant", "tw", "hk", "mo"].includes(part)) ?? "hans";
    return first === "zh" ? (script === "hans" ? "zh-Hans" : "zh-Hant") : undefined;
  };
  const wished = spoken(asked("lang") ?? "");
  const lang = wished ?? navigator.languages.map(spoken).find(Boolean) ?? "en";
  const [forced, contrast, night] = ["(forced-colors: active)", "(prefers-contrast: more)", "(prefers-color-scheme: dark)"]
    .map((wish) => matchMedia(wish).matches);
  const theme = ["light", "dark"].find((one) => one === asked("theme") && !forced) ?? (night ? "dark" : "light");
  const hall = asked("lecture") === "1";
  Object.assign(document.documentElement, { lang });
  Object.assign(document.documentElement.dataset, { theme, contrast: hall || contrast || forced ? "high" : "usual", hall: hall ? "yes" : "no" });

  // What an address may ask for without another frame than the first one.
  const looks = { lang: () => wished, theme: (value) => ["light", "dark", "auto"].includes(value) };
  const known = !location.hash && query.every(([name, value]) => looks[name]?.(value));
  const frame = document.getElementById(`poster-${known && isFirst() ? "lesson" : "run"}-${lang}`).content.cloneNode(true);
  const page = frame.firstElementChild;
  const part = (name) => page.querySelector(`.${name}`);
  const stage = part("stage");
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
    const controls = asked("controls");
    if (controls !== "minimal" && controls !== "none") return;
    page.classList.add("thin");
    page.classList.toggle("bare", controls === "none");
    for (const gone of ["bar", "params", controls === "none" && "transport"]) gone && part(gone)?.remove();
  }

  // Three servers as src/draw/layout puts them on a stage of this size, on the largest cards that have room; none where it would hide a
  // link behind a card.
  function ring(width, height) {
    for (const size of document.getElementById("poster").dataset.cards.split(",")) {
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
    const found = ring(width, height - (shown?.dataset.high ?? 0));
    stage.classList.toggle("quiet", !known || !found);
    if (!found) return;
    const { name, w, h, strip, at } = found;
    [...stage.querySelectorAll(".card")].forEach((card, index) => {
      const [x, y] = at[index];
      card.classList.remove(card.dataset.size ?? "large");
      card.classList.add((card.dataset.size = name));
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

  const KINDS = ["click", "keydown", "change"];
  const kept = [];
  // What an element is on the page that follows: its place there, and what it is called.
  const way = (element) => (element === page ? [] : [...way(element.parentElement), [...element.parentElement.children].indexOf(element)]);
  const called = (element) => element.dataset.server ?? element.dataset.link ?? element.ariaLabel ?? element.textContent;

  function keep(event) {
    const pressed = event.target.closest?.("button, select, input, [role=button]");
    const inside = pressed && page.contains(pressed);
    // keys for a control press or change it, and come as that; those that go from one to the next do so
    if (event.type === "keydown" ? inside || /^(Tab|Shift|Control|Alt|Meta)/.test(event.key) : !inside) return;
    event.stopImmediatePropagation();
    kept.push({ event, value: pressed?.value, path: inside && way(pressed), name: inside && called(pressed) });
  }

  // Does it, if the same is there.
  function redo({ event, value, path, name }) {
    const next = document.querySelector("body > .page:not(.poster)");
    const found = path ? path.reduce((element, at) => element?.children[at], next) : next && document.body;
    if (!found || (path && called(found) !== name)) return false;
    if (event.type === "change") {
      found.value = value;
      found.dispatchEvent(new Event("input", { bubbles: true }));
    }
    found.dispatchEvent(new event.constructor(event.type, { ...options(event), bubbles: true, cancelable: true }));
    return true;
  }

  const options = ({ key, code, shiftKey, ctrlKey, altKey, metaKey }) => ({ key, code, shiftKey, ctrlKey, altKey, metaKey });

  for (const kind of KINDS) addEventListener(kind, keep, true);
  // The page clears the body when it comes. The frame stays before it until its cards stand where the frame's do, a few frames later;
  // then it is asked for what was pressed, one after another, as long as it may take to get there.
  new MutationObserver((_, observer) => {
    if (page.isConnected) return;
    observer.disconnect();
    for (const kind of KINDS) removeEventListener(kind, keep, true);
    page.inert = true;
    page.classList.add("leaving");
    if (known) document.body.append(page);
    const cards = part("cards"), end = performance.now() + 1000;
    const where = (them) => JSON.stringify(them.firstElementChild.getBoundingClientRect());
    const look = () => {
      const came = globalThis.zabscope && document.querySelector("body > .page:not(.poster) .cards");
      const stands = came && (!known || (came.textContent === cards.textContent && where(came) === where(cards)));
      if (!stands && performance.now() < end) return requestAnimationFrame(look);
      page.remove();
      redoAll();
    };
    requestAnimationFrame(look);
  }).observe(document.body, { childList: true });

  function redoAll(end = performance.now() + 3000) {
    if (kept.length && redo(kept[0])) kept.shift();
    if (kept.length && performance.now() < end) setTimeout(redoAll, 20, end);
  }
}
