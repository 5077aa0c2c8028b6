// Further files, which the reader chooses or drops on the page. Nothing leaves the page.

// Adds what the file has to the book. Throws UnreadableFile with a sentence.
function readFile(book, name, text) {
  if (text.startsWith('{"header"')) {
    const runs = readRecords(book, name, text);
    book.runs.push(...runs);
    return `${name}: ${counted(runs.length, "run")} with ${counted(runs.reduce((sum, run) => sum + run.count, 0), "case")}`;
  }
  try {
    const benchmark = JSON.parse(text);
    const points = pointsOf(benchmark);
    if (points.length === 0 || !isText(benchmark.context.certile.machine.processor)) throw new UnreadableFile("");
    book.benchmarks.push(benchmark);
    return `${name}: a benchmark with ${counted(points.length, "figure")}`;
  } catch {
    throw new UnreadableFile(`${name} is neither a file of records nor a result of certile-bench --json`);
  }
}

async function readFiles(book, files, show) {
  const messages = document.getElementById("messages");
  for (const file of files) {
    messages.replaceChildren(make("p", {}, `Reading ${file.name} …`));
    try {
      messages.replaceChildren(make("p", {}, readFile(book, file.name, await file.text())));
    } catch (problem) {
      if (!(problem instanceof UnreadableFile)) console.error(problem);
      const sentence = problem instanceof UnreadableFile ? problem.message : `${file.name} cannot be shown`;
      messages.replaceChildren(make("p", { class: "problem", role: "alert" }, sentence));
    }
  }
  show();
}

function watchForFiles(book, show) {
  const input = document.getElementById("files"), target = document.getElementById("drop");
  document.getElementById("open-files").addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    await readFiles(book, [...input.files], show);
    input.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    target.hidden = false;
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) target.hidden = true; });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    target.hidden = true;
    await readFiles(book, [...event.dataTransfer.files], show);
  });
}
