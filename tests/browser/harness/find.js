// Finds things as assistive technology does: by role and accessible name. A small reading of HTML-AAM and ACCNAME, with
// what a page like ours uses; an explicit role and aria-label always work.

const ROLES = [
  ["button", "button, input[type=button], input[type=submit], input[type=reset], summary"],
  ["link", "a[href], area[href]"],
  ["checkbox", "input[type=checkbox]"],
  ["radio", "input[type=radio]"],
  ["slider", "input[type=range]"],
  ["spinbutton", "input[type=number]"],
  ["searchbox", "input[type=search]"],
  ["textbox", "textarea, input:not([type]), input[type=text], input[type=url], input[type=email]"],
  ["listbox", "select[multiple], select[size]:not([size='1'])"],
  ["combobox", "select"],
  ["option", "option"],
  ["heading", "h1, h2, h3, h4, h5, h6"],
  ["img", "img:not([alt=''])"],
  ["dialog", "dialog"],
  ["status", "output"],
  ["progressbar", "progress"],
  ["meter", "meter"],
  ["group", "fieldset, details, optgroup"],
  ["figure", "figure"],
  ["table", "table"],
  ["row", "tr"],
  ["columnheader", "thead th, th[scope=col]"],
  ["rowheader", "th[scope=row]"],
  ["cell", "td"],
  ["list", "ul, ol, menu"],
  ["listitem", "li"],
  ["main", "main"],
  ["navigation", "nav"],
  ["complementary", "aside"],
  ["article", "article"],
  ["banner", "body > header"],
  ["contentinfo", "footer:not(:is(main, section, aside, article) footer)"],
  ["region", "section[aria-label], section[aria-labelledby]"],
  ["form", "form[aria-label], form[aria-labelledby]"],
];

// Roles whose content is their name.
const NAMED_BY_CONTENT = new Set(
  ("button link checkbox radio switch option heading cell columnheader rowheader row tab menuitem menuitemcheckbox " +
    "menuitemradio treeitem gridcell tooltip").split(" "),
);

function roleOf(element) {
  const explicit = element.getAttribute("role")?.trim().split(/\s+/)[0];
  if (explicit) return explicit;
  return ROLES.find(([, selector]) => element.matches(selector))?.[0];
}

function visible(element) {
  if (element.closest("[aria-hidden=true], [inert]")) return false;
  if (element.localName === "option") return true;
  return element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
}

const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();

// The text of a subtree as it is read out: without what is hidden, with the names of pictures and buttons in it.
function content(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  if (node.getAttribute("aria-hidden") === "true" || node.hidden) return "";
  const label = node.getAttribute("aria-label") || node.getAttribute("alt");
  if (label) return label;
  const inner = [...node.childNodes].map(content).join("");
  return getComputedStyle(node).display.startsWith("inline") ? inner : ` ${inner} `;
}

function nameOf(element) {
  const referred = element.getAttribute("aria-labelledby")?.trim().split(/\s+/) ?? [];
  const parts = referred.map((id) => document.getElementById(id)).filter(Boolean);
  if (parts.length) return tidy(parts.map((part) => part.getAttribute("aria-label") || content(part)).join(" "));
  if (tidy(element.getAttribute("aria-label"))) return tidy(element.getAttribute("aria-label"));
  if (element.labels?.length) {
    // a label's text, without the text of the control that it may contain
    return tidy([...element.labels].map((label) =>
      [...label.childNodes].map((node) => (node.contains(element) ? "" : content(node))).join(" ")).join(" "));
  }
  if (element.localName === "input" && /^(button|submit|reset)$/.test(element.type)) return tidy(element.value);
  const caption = [...element.children].find((child) =>
    /^(title|caption|legend|figcaption)$/.test(child.localName) || (element.localName === "details" && child.localName === "summary"));
  if (caption) return tidy(content(caption));
  if (element.getAttribute("alt")) return tidy(element.getAttribute("alt"));
  if (NAMED_BY_CONTENT.has(roleOf(element)) && tidy(content(element))) return tidy([...element.childNodes].map(content).join(""));
  return tidy(element.getAttribute("title") || element.getAttribute("placeholder"));
}

function find(role, name, within) {
  const beginning = name.endsWith("…") ? name.slice(0, -1) : null;
  const named = (actual) => name === "" || (beginning === null ? actual === name : actual.startsWith(beginning));
  return [...(within ?? document).querySelectorAll("*")].filter((element) =>
    roleOf(element) === role && visible(element) && named(nameOf(element)));
}

function outline() {
  return [...document.querySelectorAll("*")].filter((element) => roleOf(element) && visible(element))
    .map((element) => `  ${roleOf(element)} ${JSON.stringify(nameOf(element))}`);
}

function focused() {
  const element = document.activeElement ?? document.body;
  return { role: roleOf(element) ?? element.localName, name: nameOf(element) };
}
