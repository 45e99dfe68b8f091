// What scripts/teaching leaves to a browser: a picture of each slide's page, and the PDFs. Arguments: chromedriver's port, the folder, and
// the address at which the page is served, or nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [port, dir, page] = process.argv.slice(2);
const LANGUAGES = ["en", "zh"];
/** How long a page may take, ms. */
const PATIENCE = 30_000;

let session = "";
const driver = async (method, path, body) => {
  const answer = await fetch(`http://127.0.0.1:${port}/session${session}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${value.message.split("\n")[0]}`);
  return value;
};
const run = (script, ...args) => driver("POST", "/execute/sync", { script, args });
const devtools = (cmd, params) => driver("POST", "/goog/cdp/execute", { cmd, params });

/** Opens a file of the folder and waits until this script is true there. */
const open = async (file, query, ready) => {
  const url = `${pathToFileURL(`${dir}/${file}`)}${query}`;
  await driver("POST", "/url", { url });
  for (const end = Date.now() + PATIENCE; !(await run(`return !!(${ready})`)); ) {
    if (Date.now() > end) throw new Error(`${url} is not ready after ${PATIENCE / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const print = async (name, lang, options) => {
  // the printed text is the address; links to a disk would be dead elsewhere
  const links = "for (const link of document.querySelectorAll('a[href^=\"../\"]')) " +
    "if (arguments[0]) link.href = arguments[0] + new URL(link.href).search; else link.removeAttribute('href')";
  await run(links, page);
  const made = await devtools("Page.printToPDF", { preferCSSPageSize: true, printBackground: true, generateDocumentOutline: true, ...options });
  writeFileSync(`${dir}/teaching/${name}.${lang}.pdf`, Buffer.from(made.data, "base64"));
};

const pictures = async (lang, parts) => {
  const size = { width: 960, height: 540, deviceScaleFactor: 2, mobile: false };
  await devtools("Emulation.setDeviceMetricsOverride", size);
  for (const [at, { lesson, beats }] of parts.entries()) {
    const query = new URLSearchParams({ embed: 1, lesson, ...(beats && { beat: beats[0] }), lang, theme: "light", controls: "none" });
    const shown = "globalThis.zabscope && ['says', 'asks', 'does'].includes(zabscope.state().lesson?.phase)";
    await open("zabscope.html", `?${query}`, shown);
    // cards glide to their places
    await new Promise((resolve) => setTimeout(resolve, 500));
    writeFileSync(`${dir}/slides/lecture/print/${lang}-${at + 1}.png`, Buffer.from(await driver("GET", "/screenshot"), "base64"));
  }
  await devtools("Emulation.clearDeviceMetricsOverride", {});
};

const all = async () => {
  const args = ["headless=new", "no-sandbox", "disable-gpu", "window-size=1280,900"];
  const browser = { browserName: "chrome", "goog:chromeOptions": { args } };
  session = `/${(await driver("POST", "", { capabilities: { alwaysMatch: browser } })).sessionId}`;
  const { parts } = JSON.parse(readFileSync("crates/stories/src/lessons/courses/zab-lecture.json", "utf8"));
  for (const lang of LANGUAGES) {
    await pictures(lang, parts);
    await open("slides/lecture/index.html", `?print-pdf&lang=${lang}`, "document.documentElement.dataset.ready");
    await print("lecture", lang, {});
    for (const sheet of ["lab", "exam"]) {
      await open(`teaching/${sheet}.${lang}.html`, "", "document.readyState === 'complete'");
      await print(sheet, lang, {});
    }
  }
};

try {
  await all();
} catch (error) {
  console.error(`zabscope: ${error.message}`);
  process.exitCode = 1;
} finally {
  if (session) await driver("DELETE", "").catch(() => {});
}
