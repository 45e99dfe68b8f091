// A worker that searches or reads disks: the page hands over its compiled code and a question, and hears how it goes. What a search says
// is text: a report, or a sentence about what went wrong. The page stops it by ending it.
let code, files;

/** Steps of runs between two looks at the clock. */
const STEPS = 20_000;
/** So often at most the page hears how it goes, ms. */
const TELL_MS = 250;

onmessage = async ({ data }) => {
  try {
    if (typeof data === "string") await search(data);
    else if (Array.isArray(data)) await (files = read(data));
    else if (data instanceof Uint8Array) {
      await files;
      (await code).disksAsk(data, (news) => postMessage(news));
    }
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

// Takes files in, piece by piece, and says how many bytes have come (src/ui/disks/worker.rs).
async function read(files) {
  const { diskOpens, diskBytes, diskEnds } = await code;
  let read = 0, told = 0;
  for (const { path, file } of files) {
    diskOpens(path);
    let wrong;
    try {
      for (const reader = file.stream().getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        diskBytes(value);
        read += value.length;
        if (Date.now() - told >= TELL_MS) {
          told = Date.now();
          postMessage(read);
        }
      }
    } catch (error) {
      wrong = String(error);
    }
    diskEnds(wrong);
  }
  postMessage(Infinity);
}
