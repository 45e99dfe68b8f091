// Waits until frames follow each other: WebKit's small browser shows its first ones seconds apart, before its painter is awake, and
// until then a page is neither painted nor told its size. Where they never do, a test goes on after a while as it is.
return new Promise((done) => {
  const NEAR_MS = 100, ENOUGH = 5;
  let last = -Infinity, near = 0;
  const frame = (now) => {
    near = now - last < NEAR_MS ? near + 1 : 0;
    last = now;
    if (near === ENOUGH) done(true);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  setTimeout(() => done(false), 15_000);
});
