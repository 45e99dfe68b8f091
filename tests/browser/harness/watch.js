// Put before everything else on a page by the tests' server: keeps what went wrong, because only Chromium's driver can
// be asked for what the console shows. Frames of the same origin report to the outermost window.
{
  const home = (() => {
    try {
      return top.document && top;
    } catch {
      return window;
    }
  })();
  const lines = (home.harnessLines ??= []);
  // a reader who has been here before, unless a test is about the first visit
  try {
    if (!sessionStorage.getItem("first visit")) localStorage.setItem("zabscope-seen", "1");
  } catch {
    // a frame without storage
  }
  const note = (level, ...parts) => lines.push(`${level} ${parts.join(" ")}`);

  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) note("SEVERE", event.message, `${event.filename}:${event.lineno}`);
    else if (!(event instanceof CustomEvent)) note("SEVERE", "could not be loaded:", event.target.src ?? event.target.href);
  }, true);
  addEventListener("unhandledrejection", (event) => note("SEVERE", "unhandled:", event.reason));
  document.addEventListener("securitypolicyviolation", (event) =>
    note("SEVERE", "refused by", event.effectiveDirective, event.blockedURI, event.sample, `${event.sourceFile}:${event.lineNumber}`));
  for (const [method, level] of [["error", "SEVERE"], ["warn", "WARNING"]]) {
    const original = console[method];
    console[method] = (...parts) => {
      note(level, ...parts);
      original.apply(console, parts);
    };
  }
}
