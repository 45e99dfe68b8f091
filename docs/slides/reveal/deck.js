import Reveal from "../../../target/slides/node_modules/reveal.js/dist/reveal.mjs";

// An ensemble takes all of its slide: `center` would move it down, and the deck's arrows would lie over its buttons.
// `fade` shows that a slide that is only transparent stands still too.
const deck = new Reveal({
  width: 960, height: 540, margin: 0, center: false, controls: false, hash: false, transition: "fade",
});
deck.initialize().then(() => {
  document.documentElement.dataset.ready = "true";
});
