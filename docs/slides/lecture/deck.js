// The lecture of 90 minutes as slides: one for each part of the page's own course. `?lang=zh` says it in Chinese, `?print-pdf` is for paper.
{
  const asked = new URLSearchParams(location.search);
  const lang = asked.get("lang")?.startsWith("zh") ? "zh" : "en";
  const onPaper = asked.has("print-pdf");
  // the small slides of the presenter's window: no further ensembles that would go their own ways
  const preview = asked.has("receiver");
  // From a disk no module and no other file can be read: there the page is the single file, and scripts/teaching puts the course beside it.
  const fromDisk = location.protocol === "file:";

  const WORDS = {
    en: {
      forms: { P: "vote, discuss, vote again", H: "hands up", D: "demonstration", S: "alone or in pairs" },
      min: "min",
      keys: "PageDown: on, through the questions and to the next slide. S: notes.",
    },
    zh: {
      forms: { P: "表决、讨论、再表决", H: "举手", D: "演示", S: "独自或两人一组" },
      min: "分钟",
      keys: "PageDown：依次经过各个问题，再到下一张。S：讲者备注。",
    },
  }[lang];

  const json = async (path) => (await fetch(`../../../crates/stories/src/lessons/${path}.json`)).json();
  /** The course, and the lessons of its parts by their names. */
  const lecture = async () => {
    const [course, ...known] = globalThis.LECTURE ?? [await json("courses/zab-lecture")];
    const names = [...new Set(course.parts.map((part) => part.lesson))];
    const lessons = known.length ? known : await Promise.all(names.map((name) => json(`built_in/${name}`)));
    return { course, lessons: new Map(lessons.map((lesson) => [lesson.id, lesson])) };
  };

  const make = (name, attributes, ...inside) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  };
  const notes = (text) => make("aside", { class: "notes" }, text);

  /** A part's ensemble. Beyond its beats come the slides before and behind it, not the rest of its lesson. */
  const scope = ({ lesson, beats = [] }) => {
    const page = fromDisk ? { src: "../../zabscope.html" } : {};
    const first = beats.length ? { beat: beats[0] } : {};
    const element = make("zab-scope", { lesson, ...first, ...page, keys: "deck", lang, theme: "light", loading: "lazy" });
    const places = {};
    element.addEventListener("beat", ({ detail: { id, index } }) => {
      if (id) places[id] = index;
      const before = index < places[beats[0]];
      const behind = index > places[beats.at(-1)];
      if (!(before || behind) || !element.closest("section.present")) return;
      element.beat(before ? beats[0] : beats.at(-1));
      if (before) deck.prev();
      else deck.next();
    });
    return element;
  };

  const address = ({ lesson, beats = [] }) => `?lesson=${lesson}${beats.length ? `&beat=${beats[0]}` : ""}`;

  let deck;
  const slide = (part, at, lessons, from) => {
    const title = `${at} · ${lessons.get(part.lesson).title[lang]}`;
    const when = `${from}–${from + part.minutes} ${WORDS.min} · ${WORDS.forms[part.form]}`;
    const note = part.note?.[lang] ?? "";
    if (onPaper) {
      const head = make("header", {}, make("b", {}, title), make("span", {}, when));
      // a picture instead of the page, which no printer waits for: scripts/teaching takes it
      const picture = make("img", { src: `print/${lang}-${at}.png`, alt: "" });
      picture.addEventListener("error", () => picture.remove());
      return make("section", { class: "paper" }, head, picture, make("p", {}, note), make("code", {}, address(part)));
    }
    const shown = preview ? make("h3", {}, title) : scope(part);
    return make("section", {}, shown, notes(`${when}. ${note}`));
  };

  const plan = (course, lessons) => {
    let minute = 0;
    const rows = course.parts.map((part) => {
      const cells = [`${minute}–${(minute += part.minutes)}`, lessons.get(part.lesson).title[lang], WORDS.forms[part.form]];
      return make("tr", {}, ...cells.map((text) => make("td", {}, text)));
    });
    return make("table", { class: "plan" }, ...rows);
  };

  const begin = async () => {
    const { course, lessons } = await lecture();
    document.documentElement.lang = lang;
    document.title = course.title[lang];
    let minute = 0;
    const slides = course.parts.map((part, at) => {
      const made = slide(part, at + 1, lessons, minute);
      minute += part.minutes;
      return made;
    });
    const about = notes(`${course.for[lang]} ${WORDS.keys}`);
    const title = make("section", { class: "title" }, make("h2", {}, course.title[lang]), plan(course, lessons), about);
    document.querySelector(".slides").append(title, ...slides);
    // as in ../reveal/deck.js; S opens the window with the notes
    deck = new Reveal({
      width: 960, height: 540, margin: 0, center: false, controls: false, hash: false, transition: "fade", plugins: [RevealNotes],
    });
    await deck.initialize();
    if (onPaper) await Promise.allSettled([...document.images].map((picture) => picture.decode()));
    document.documentElement.dataset.ready = "true";
  };
  begin();
}
