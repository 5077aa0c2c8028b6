// The results of certile-bench: the share of the limit of writing, over the size of the output, for each regime.

const svgSpace = "http://www.w3.org/2000/svg";
const plot = { width: 380, height: 220, left: 40, right: 26, top: 12, bottom: 34 };

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function sizeWords(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  return `${Number(bytes.toPrecision(3))} ${units[unit]}`;
}

// Returns the points of a result: regime, name, bytes of the output, and the median share of the limit.
function pointsOf(benchmark) {
  const shares = new Map();
  for (const { family_index, share_of_limit } of benchmark.benchmarks) {
    if (typeof share_of_limit !== "number") continue;
    if (!shares.has(family_index)) shares.set(family_index, []);
    shares.get(family_index).push(share_of_limit);
  }
  const points = [];
  for (const timed of benchmark.context.certile.cases)
    for (const subject of timed.subjects)
      if (shares.has(subject.hot?.family)) {
        const share = median(shares.get(subject.hot.family));
        points.push({ regime: timed.regime, name: subject.name, literal: timed.literal, bytes: timed.output_bytes, share });
      }
  return points;
}

// Returns the path of the mark of a series. Seven shapes and six colours distinguish 42 series.
function markPath(series, x, y) {
  const shapes = [
    `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`, `M${x - 4} ${y - 4}h8v8h-8z`, `M${x} ${y - 5}l5 9h-10z`,
    `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
    `M${x} ${y + 5}l5 -9h-10z`, `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, `M${x} ${y - 5}v10m-5 -5h10`,
  ];
  return shapes[series % shapes.length];
}

function seriesClass(series) {
  return `series-${series % 6}`;
}

function chart(regime, points, names) {
  const sizes = points.map((point) => Math.log2(Math.max(1, point.bytes)));
  const least = Math.floor(Math.min(...sizes)), most = Math.max(least + 1, Math.ceil(Math.max(...sizes)));
  const top = Math.max(1, ...points.map((point) => point.share));
  const x = (bytes) => plot.left + (Math.log2(Math.max(1, bytes)) - least) / (most - least) * (plot.width - plot.left - plot.right);
  const y = (share) => plot.height - plot.bottom - share / top * (plot.height - plot.top - plot.bottom);
  const name = shown(`${regime}: share of the limit over the size of the output; the table below has the numbers`);
  const svg = draw("svg", { viewBox: `0 0 ${plot.width} ${plot.height}`, role: "img", "aria-label": name });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(draw("path", { d: `M${plot.left} ${y(share)}H${plot.width - plot.right}`, class: share === 1 ? "limit" : "line" }));
    svg.append(draw("text", { x: plot.left - 6, y: y(share) + 4, "text-anchor": "end" }, `${share * 100} %`));
  }
  const steps = Math.max(1, Math.ceil((most - least) / 4));
  for (let size = least; size <= most; size += steps)
    svg.append(draw("text", { x: x(2 ** size), y: plot.height - 12, "text-anchor": "middle" }, sizeWords(2 ** size)));
  names.forEach((name, series) => {
    const own = points.filter((point) => point.name === name).sort((left, right) => left.bytes - right.bytes);
    const places = own.map((point) => `${x(point.bytes)} ${y(point.share)}`);
    if (own.length > 1) svg.append(draw("path", { d: `M${places.join("L")}`, class: `curve ${seriesClass(series)}` }));
    for (const point of own) {
      const words = `${name}, ${sizeWords(point.bytes)}: ${Math.round(point.share * 100)} %   ${point.literal}`;
      const mark = { d: markPath(series, x(point.bytes), y(point.share)), class: `mark ${seriesClass(series)}` };
      svg.append(draw("path", mark, draw("title", {}, shown(words))));
    }
  });
  return svg;
}

function pointTable(regime, points) {
  const row = (point) => make("tr", {}, make("td", {}, point.name), make("td", {}, sizeWords(point.bytes)),
    make("td", {}, `${Math.round(point.share * 100)} %`), make("td", {}, make("code", {}, point.literal)));
  return scrollable(`Numbers of ${regime}`,
    table("numbers", make("caption", { class: "spoken" }, regime), ["Backend", "Output", "Share of the limit", "Case"], points.map(row)));
}

function legend(names) {
  return make("ul", { class: "series" }, names.map((name, series) => {
    const mark = draw("path", { d: markPath(series, 7, 7), class: `mark ${seriesClass(series)}` });
    return make("li", {}, draw("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, mark), " ", name);
  }));
}

function benchmarkPart(benchmark) {
  const points = pointsOf(benchmark), { machine, suite } = benchmark.context.certile;
  const names = [...new Set(points.map((point) => point.name))], regimes = [...new Set(points.map((point) => point.regime))];
  const figure = (regime) => {
    const own = points.filter((point) => point.regime === regime);
    return make("figure", {}, make("figcaption", {}, make("b", {}, regime)), chart(regime, own, names),
      lazyDetails("Numbers", false, () => pointTable(regime, own)));
  };
  return make("div", {},
    make("p", {}, `${machine.processor}, ${counted(machine.cores, "core")}; suite ${suite}; ${benchmark.context.date}. `,
      "100 % is the limit of writing on that machine, measured next to each call."),
    legend(names), make("div", { class: "charts" }, regimes.map(figure)));
}

// Fills the section, or hides it if there is no benchmark.
function showSpeed(book, section) {
  section.hidden = book.benchmarks.length === 0;
  section.lastElementChild.replaceChildren(...book.benchmarks.map(benchmarkPart));
}
