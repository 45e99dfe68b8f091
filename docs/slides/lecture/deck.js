import Reveal from "../../../target/slides/node_modules/reveal.js/dist/reveal.mjs";
import Notes from "../../../target/slides/node_modules/reveal.js/dist/plugin/notes.mjs";

// The course is the page's own; `?lang=zh` says it in Chinese.
const lang = new URLSearchParams(location.search).get("lang")?.startsWith("zh") ? "zh" : "en";
const course = await (await fetch("../../../src/lessons/courses/zab-lecture.json")).json();
document.documentElement.lang = lang;

const make = (name, attributes, ...inside) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
};
const notes = (text) => make("aside", { class: "notes" }, text);

let minute = 0;
const slides = course.parts.map(({ lesson, beats = [], minutes, form, note }) => {
  const when = `${minute}–${(minute += minutes)} min · ${form}`;
  const beat = beats.length ? { beat: beats[0] } : {};
  const scope = make("zab-scope", { lesson, ...beat, keys: "deck", lang, theme: "light", loading: "lazy" });
  return make("section", {}, scope, notes(`${when}. ${note?.[lang] ?? ""}`));
});
const title = make("section", {}, make("h2", {}, course.title[lang]), notes(course.for[lang]));
document.querySelector(".slides").append(title, ...slides);

// as in ../reveal/deck.js; S opens the window with the notes
const deck = new Reveal({
  width: 960, height: 540, margin: 0, center: false, controls: false, hash: false, transition: "fade", plugins: [Notes],
});
deck.initialize().then(() => {
  document.documentElement.dataset.ready = "true";
});
