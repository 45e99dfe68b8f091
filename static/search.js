// A worker that searches: the page hands over its compiled code and a question, and hears how the search goes. What it says is text:
// a report, or a sentence about what went wrong. The page stops it by ending it.
let code;

/** Steps of runs between two looks at the clock. */
const STEPS = 20_000;
/** So often at most the page hears how it goes, ms. */
const TELL_MS = 250;

onmessage = async ({ data }) => {
  try {
    if (typeof data === "string") await search(data);
    else code = begin(data);
  } catch (error) {
    postMessage(String(error));
  }
};

async function begin({ js, code: compiled }) {
  const code = await import(js);
  await code.default({ module_or_path: compiled });
  return code;
}

async function search(question) {
  const { searchFor, searchOn } = await code;
  const wrong = searchFor(question);
  if (wrong) return postMessage(wrong);
  for (let told = 0, over = false; !over; ) {
    const report = searchOn(STEPS);
    over = report.includes('"over":true');
    if (over || Date.now() - told >= TELL_MS) {
      told = Date.now();
      postMessage(report);
    }
  }
}
