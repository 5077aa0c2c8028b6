// The page as a whole: it shows what the address says, and changes the address for what the reader chooses.

const book = new Book(JSON.parse(document.getElementById("data").textContent));
const openGroups = new Map();
const form = document.getElementById("filters");

function verdictWord(run) {
  return /^[A-Z ]+(?: \((?:full|text)\))?/.exec(run.footer.conformance ?? "")?.[0].trim() ?? "INCOMPLETE";
}

function runCard(run) {
  const verdict = verdictWord(run), isGood = verdict.startsWith("CONFORMANT") || verdict === "PARTIAL";
  const { header } = run, counts = new Map();
  const countWords = ([each, count]) => make("span", { class: "count" }, `${count.toLocaleString("en")} ${book.verdicts[each]}`);
  for (const each of run.verdicts) counts.set(each, (counts.get(each) ?? 0) + 1);
  return make("article", { class: `card ${isGood ? "good" : "bad"}` },
    make("h3", {}, runTitle(run)),
    make("p", { class: "verdict-line" }, sign(isGood ? "✓" : "✗"), " ", make("b", {}, verdict)),
    make("p", {}, [...counts].sort().map(countWords)),
    make("p", { class: "facts" }, `tier ${header.tier}, level ${header.level}, seed ${header.seed}; certile ${header.certile}; `,
      make("code", {}, header.spelling)),
    lazyDetails("The verdict line, digests and isolation", false, () => make("div", {}, make("p", {}, run.footer.conformance ?? ""),
      run.footer.incomplete ? make("p", {}, `Incomplete: ${run.footer.incomplete}`) : null,
      make("ul", { class: "digests" }, make("li", {}, "backend ", make("code", {}, header.backend_sha256 || "not started")),
        make("li", {}, "plan ", make("code", {}, header.plan_sha256)), (header.isolation ?? []).map((layer) => make("li", {}, layer))))));
}

function fillSelect(select, all, words) {
  select.replaceChildren(make("option", { value: "" }, all), ...words.map((word) => make("option", { value: word }, word)));
}

function showFilters(chosen) {
  fillSelect(form.elements.state, "every result", Object.keys(states));
  fillSelect(form.elements.operator, "every operator", [...clausesByPage(book, book.runs).keys()]);
  for (const key of ["state", "operator"]) form.elements[key].value = chosen[key] ?? "";
  if (document.activeElement !== form.elements.q) form.elements.q.value = chosen.q ?? "";
}

let shownAddress = null;

// Shows what the address says. The focus goes to the chosen clause or case if the reader has just chosen another one.
function show() {
  const chosen = addressed();
  const focused = document.activeElement?.closest("a")?.getAttribute("href");
  showFilters(chosen);
  showMatrix(book, chosen, document.querySelector("#matrix > div"), openGroups);
  const detail = document.getElementById("detail");
  showDetail(book, chosen, detail);
  document.title = [chosen.case ?? chosen.clause, "certile"].filter(Boolean).map(shown).join(" – ");
  const address = [chosen.run, chosen.clause, chosen.case].join("\n");
  if (shownAddress !== null && address !== shownAddress) detail.focus({ preventScroll: false });
  else if (focused) [...document.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  shownAddress = address;
  document.documentElement.dataset.shown = location.hash;
}

function showAll() {
  const counts = `${counted(book.runs.length, "run")}, ${counted(book.cases.length, "case")}`;
  document.getElementById("origin").textContent = `${counts}, certile ${book.version}`;
  document.querySelector("#runs .cards").replaceChildren(...book.runs.map(runCard));
  showChanges(book, document.getElementById("changes"));
  showSpeed(book, document.getElementById("speed"));
  show();
}

function filter() {
  const { q, state, operator } = form.elements;
  history.replaceState(null, "", addressWith({ q: q.value.trim(), state: state.value, operator: operator.value }));
  show();
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", (event) => {
  event.preventDefault();
  form.elements.q.value = form.elements.state.value = form.elements.operator.value = "";
  filter();
});
addEventListener("hashchange", show);
addEventListener("beforeprint", () => document.querySelectorAll("#matrix details, #changes details").forEach((details) => {
  details.open = true;
  details.fill?.();
}));
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    form.elements.q.focus();
  }
  if (event.key === "Escape" && addressed().clause) location.hash = addressWith(nothingChosen);
});
watchForFiles(book, showAll);
showAll();
