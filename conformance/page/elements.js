// Elements of the page. Texts of backends enter it only as text nodes and as values of attributes, never as markup.

// Characters that control something, are invisible, or change the direction of text.
const harmful = new RegExp("[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f" +
  "\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e007f}\\p{Cs}]", "gu");

// Returns the text with each harmful character spelled as its number. Ends of lines stay.
function shown(text) {
  return String(text).replace(harmful, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

// Makes an element. A function among the attributes listens to the event of that name. A child is an element, a text, or a list of
// both; null and false are left out. All texts are spelled as `shown` does.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, shown(value));
  }
  for (const child of children.flat(4))
    if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(shown(child));
  return element;
}

// Makes the parts of a sentence whose code is between signs `.
function sentence(text) {
  return text.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part));
}

// Makes text that only a screen reader says.
function spoken(text) {
  return make("span", { class: "spoken" }, text);
}

// Makes a sign that a screen reader leaves out, because words say the same.
function sign(text) {
  return make("span", { class: "sign", "aria-hidden": "true" }, text);
}

function counted(number, thing) {
  return `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
}

// Makes a part that is scrolled where it is too wide, also with the keyboard.
function scrollable(name, ...children) {
  return make("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": name }, children);
}

// Makes a table with its caption, a heading for each column, and rows.
function table(kind, caption, headings, rows) {
  return make("table", { class: kind }, caption,
    make("thead", {}, make("tr", {}, headings.map((heading) => make("th", { scope: "col" }, heading)))), make("tbody", {}, rows));
}

// Returns the word of a result as a class of the style.
function classOf(state) {
  return state.replaceAll(" ", "-");
}

// Makes a list that begins with `first` of the items; a button adds as many again.
function lazyList(items, first, makeItem) {
  const list = make("ul", { class: "cases" });
  const more = make("button", { type: "button", class: "more", click: () => extend(first) });
  let count = 0;
  const extend = (by) => {
    const end = Math.min(items.length, count + by);
    for (; count < end; ++count) list.append(make("li", {}, makeItem(items[count])));
    more.textContent = `Show ${Math.min(first, items.length - count).toLocaleString("en")} more of ${items.length.toLocaleString("en")}`;
    more.hidden = count === items.length;
  };
  extend(first);
  return make("div", {}, list, more);
}

// Makes a part that opens, whose content is made when it is opened first.
function lazyDetails(summary, isOpen, makeContent) {
  const details = make("details", {}, make("summary", {}, summary));
  const fill = () => {
    if (details.open && details.children.length === 1) details.append(makeContent());
  };
  details.addEventListener("toggle", fill);
  details.open = isOpen;
  details.fill = fill;
  fill();
  return details;
}

// Makes a command with a button that copies it.
function commandLine(command) {
  const code = make("code", {}, command);
  const button = make("button", {
    type: "button", class: "copy", "aria-label": `Copy the command ${command}`, click: async () => {
      await copyText(code);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    },
  }, "Copy");
  return make("div", { class: "command" }, code, button);
}

async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
  } catch {  // a browser that has no clipboard for files
    getSelection().selectAllChildren(element);
    document.execCommand("copy");
  }
}
