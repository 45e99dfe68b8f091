// The widget's half in the browser: <zab-scope> around the page that came with the package. scripts/packages puts the element itself before this.

// each widget gets this program anew, so what they share stands at the page that the kernel has sent
const ADDRESS = Symbol.for("zabscope.address");

/** The address of the page in memory, one for all widgets. */
const addressOf = async (model) => {
  const page = await model.widget_manager.get_model(model.get("_page").replace("IPY_MODEL_", ""));
  const unpack = async () => {
    const file = new Blob([page.get("content")]).stream().pipeThrough(new DecompressionStream("gzip"));
    return URL.createObjectURL(await new Response(file, { headers: { "Content-Type": "text/html" } }).blob());
  };
  return (page[ADDRESS] ??= unpack());
};

/** Puts the kernel's attributes on an element; what was there and is not named is taken away. */
const dress = (element, model) => {
  const wanted = model.get("_attributes");
  for (const name of element.getAttributeNames()) if (!(name in wanted) && !["src", "style"].includes(name)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(wanted)) element.setAttribute(name, value === true ? "" : value);
  const height = model.get("height");
  Object.assign(element.style, height ? { height: `${height}px`, aspectRatio: "auto" } : { height: "", aspectRatio: "" });
};

/** Tells the kernel all facts up to the moment, in order, each time that something has changed: those that it does not know. */
class Reporter {
  #last = null;
  #busy = false;
  #again = false;

  constructor(model, element) {
    Object.assign(this, { model, element });
  }

  async report() {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#tell();
      }
    } catch {
      // its page was closed; the next one is told anew
    } finally {
      this.#busy = false;
    }
  }

  async #tell() {
    // the last one that the kernel knows is asked for once more: after a way back, or with another run, it is another one
    let since = this.#last?.seq ?? 0;
    let { facts, next } = await this.element.facts(since);
    if (this.#last && JSON.stringify(facts[0]) === JSON.stringify(this.#last)) {
      facts = facts.slice(1);
      since += 1;
    } else if (this.#last) {
      this.#last = null;
      since = 0;
      ({ facts, next } = await this.element.facts(0));
      this.model.send({ tell: "facts", since, facts: [] });
    }
    while (facts.length) {
      this.#last = facts.at(-1);
      this.model.send({ tell: "facts", since, facts });
      since = next;
      ({ facts, next } = await this.element.facts(since));
    }
    this.model.send({ tell: "state", state: await this.element.state() });
  }
}

export default () => {
  /** The elements that are on the screen, and what was asked before there was one. */
  const shown = new Set();
  const waiting = [];
  const call = (element, { call, with: given }) => element[call](...given).catch(() => {});

  return {
    initialize({ model }) {
      model.on("msg:custom", (message) => {
        if (!shown.size) waiting.push(message);
        for (const element of shown) call(element, message);
      });
    },

    async render({ model, el }) {
      const element = document.createElement("zab-scope");
      element.src = await addressOf(model);
      dress(element, model);
      const redress = () => dress(element, model);
      model.on("change:_attributes change:height", redress);
      const reporter = new Reporter(model, element);
      // of several views of one run the first one tells
      const report = () => element === [...shown][0] && reporter.report();
      for (const event of ["ready", "state", "fact"]) element.addEventListener(event, report);
      element.addEventListener("error", ({ detail }) => model.send({ tell: "error", message: detail.message }));
      shown.add(element);
      el.append(element);
      for (const message of waiting.splice(0)) call(element, message);
      return () => {
        model.off("change:_attributes change:height", redress);
        shown.delete(element);
        element.remove();
      };
    },
  };
};
