// Called by scripts/shrink: gives functions names by which they stand in the order that gzip likes. The compiler's names end with a hash of
// the types that a routine was made for, which is no order; in its place comes the length of the function's code.
import { readFileSync, writeFileSync } from "node:fs";

const [, , file] = process.argv;
const wasm = readFileSync(file);
let at = 8;

const number = () => {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = wasm[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
};
const text = () => {
  const length = number();
  return wasm.toString("utf8", at, (at += length));
};
const leb = (value) => {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return Buffer.from([...bytes, value]);
};
const sized = (bytes) => Buffer.concat([leb(bytes.length), bytes]);

const parts = [wasm.subarray(0, 8)];
const lengths = [];
let functions = 0; // of the module itself
const named = new Map();
while (at < wasm.length) {
  const begin = at;
  const kind = wasm[at++];
  const end = number() + at; // `at` is read behind the number
  if (kind === 10) {
    for (functions = number(); lengths.length < functions; at += lengths.at(-1)) lengths.push(number());
  }
  if (kind === 0 && text() === "name") {
    while (at < end) {
      const about = wasm[at++];
      const stop = number() + at;
      if (about === 1) for (let count = number(); count > 0; count--) named.set(number(), text());
      at = stop;
    }
  } else {
    parts.push(wasm.subarray(begin, end));
  }
  at = end;
}

// what is imported comes first, and is not in the code
const imported = Math.max(...named.keys()) + 1 - functions;
const entries = [...named].map(([index, name]) => {
  const length = lengths[index - imported] ?? 0;
  return Buffer.concat([leb(index), sized(Buffer.from(`${name.replace(/17h[0-9a-f]{16}E/, "")} ${String(length).padStart(7, "0")} ${index}`))]);
});
const names = Buffer.concat([Buffer.from([1]), sized(Buffer.concat([leb(entries.length), ...entries]))]);
parts.push(Buffer.from([0]), sized(Buffer.concat([sized(Buffer.from("name")), names])));
writeFileSync(file, Buffer.concat(parts));
