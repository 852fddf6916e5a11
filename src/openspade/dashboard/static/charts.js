// Draws the charts of series.json, or of compare.json where runs are laid on top of each other, into .charts.
"use strict";
(() => {
  const plots = [];
  let charts = [];
  let zoom = null;

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const faded = (colour, share) => colour + Math.round(share * 255).toString(16).padStart(2, "0");
  const window_ = () => Number(document.getElementById("smoothing")?.value || 1);
  const known = (value) => value !== null && value !== undefined;

  function smooth(values, width) {
    if (width <= 1) return values;
    const half = Math.floor(width / 2);
    return values.map((own, index) => {
      if (!known(own)) return null;
      const near = values.slice(Math.max(0, index - half), index + half + 1).filter(known);
      return near.reduce((sum, value) => sum + value, 0) / near.length;
    });
  }

  function shown(value, chart) {
    if (!known(value)) return "–";
    if (chart.share) return Number((100 * value).toFixed(Math.abs(value) < 0.1 ? 1 : 0)) + " %";
    const size = Math.abs(value);
    const text = Number(size >= 1000 ? value.toFixed(0) : value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 6 });
    return text.replace("-", "\u2212") + (chart.unit ? " " + chart.unit : "");
  }

  // A figure for each chart that the numbers hold, made once.
  function figureOf(box, chart) {
    const id = `chart-${chart.name}`;
    const known = document.getElementById(id);
    if (known) return known;
    const figure = document.createElement("figure"), caption = document.createElement("figcaption");
    const title = document.createElement("strong"), said = document.createElement("span");
    const plot = document.createElement("div"), reading = document.createElement("p");
    figure.className = "chart"; figure.id = id;
    title.textContent = chart.title; said.textContent = chart.caption;
    caption.append(title, " ", said);
    plot.className = "plot"; plot.tabIndex = 0;
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", `${chart.title}: arrow keys move the reading line, Escape shows the whole run again`);
    reading.className = "reading";
    figure.append(caption, plot, reading);
    box.append(figure);
    return figure;
  }

  function draw(figure, chart) {
    const box = figure.querySelector(".plot");
    box.replaceChildren();
    figure.classList.toggle("bare", chart.lines.length === 0);
    if (!chart.lines.length) {
      figure.querySelector(".reading").textContent = "Not measured in this run.";
      return;
    }
    const series = [{ label: "cycle" }], columns = [], bands = [];
    const add = (x, y, more) => { columns.push([x, y]); series.push({ points: { show: false }, ...more }); };
    for (const line of chart.lines) {
      const colour = css(`--${line.colour}`), width = line.dots ? 1 : window_();
      if (line.low.length) {
        add(line.at, line.high, { label: line.label + " high", stroke: "transparent", edge: true, spanGaps: line.dots });
        add(line.at, line.low, { label: line.label + " low", stroke: "transparent", edge: true, spanGaps: line.dots });
        bands.push({ series: [series.length - 2, series.length - 1], fill: faded(colour, 0.16) });
      }
      if (width > 1) add(line.at, line.values, { label: "raw", stroke: faded(colour, 0.35), width: 1, edge: true, spanGaps: false });
      add(line.at, smooth(line.values, width), {
        label: line.label, stroke: colour, width: 2, spanGaps: line.dots,
        points: { show: line.dots || line.at.length < 3, size: 6, fill: colour, stroke: colour },
      });
    }
    const joined = uPlot.join(columns.map(([x, y]) => [x, y]));
    const plot = new uPlot(options(figure, chart, box, series, bands), joined, box);
    plots.push({ figure, plot, chart });
    box.onkeydown = (event) => walk(event, plot);
    read(figure, plot, chart, null);
  }

  function options(figure, chart, box, series, bands) {
    const ink = css("--muted"), grid = { stroke: css("--line"), width: 1 };
    const axis = { stroke: ink, grid, ticks: { ...grid, size: 4 }, font: "12px system-ui, sans-serif" };
    return {
      width: box.clientWidth, height: 190, series, bands, legend: { show: false }, padding: [8, 8, 0, 0],
      scales: { x: { time: false, ...(zoom ? { min: zoom[0], max: zoom[1] } : {}) }, y: { range: reach(chart) } },
      axes: [
        { ...axis, size: 28, space: 56, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000] },
        { ...axis, size: 52, space: 34, values: (_, ticks) => ticks.map((tick) => shown(tick, chart)) },
      ],
      cursor: { sync: { key: "charts", setSeries: false }, drag: { x: true, y: false, setScale: false }, points: { size: 7 } },
      hooks: {
        setCursor: [(plot) => read(figure, plot, chart, plot.cursor.idx)],
        setSelect: [(plot) => {
          if (plot.select.width < 6) return;
          zoomTo([plot.posToVal(plot.select.left, "x"), plot.posToVal(plot.select.left + plot.select.width, "x")]);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        ready: [(plot) => plot.over.addEventListener("dblclick", () => zoomTo(null))],
      },
    };
  }

  function reach(chart) {
    return (_, low, high) => {
      if (low === null) return [0, 1];
      if (chart.share) return [Math.max(0, low - 0.05), Math.min(1.001, high + 0.05)];
      const margin = (high - low || Math.abs(high) || 1) * 0.08;
      return [low >= 0 && low - margin < 0 ? 0 : low - margin, high + margin];
    };
  }

  function read(figure, plot, chart, index) {
    if (!plot) return;
    const last = plot.data[0].length - 1;
    const at = known(index) ? index : last;
    const line = figure.querySelector(".reading");
    line.replaceChildren();
    const head = document.createElement("span");
    head.textContent = `cycle ${plot.data[0][at]}`;
    line.append(head);
    plot.series.forEach((one, place) => {
      if (place === 0 || one.edge) return;
      const item = document.createElement("span"), mark = document.createElement("i");
      mark.style.background = typeof one.stroke === "function" ? one.stroke() : one.stroke;
      item.append(mark, `${one.label} ${shown(valueAt(plot, place, at), chart)}${ends(plot, place, at, chart)}`);
      line.append(item);
    });
  }

  // Where a point was not measured at this cycle, the one before it is read.
  function valueAt(plot, place, at) {
    for (let index = at; index >= 0; index -= 1) if (known(plot.data[place][index])) return plot.data[place][index];
    return null;
  }

  function ends(plot, place, at, chart) {
    const low = plot.series[place - 1], high = plot.series[place - 2];
    if (!low || !high || !low.edge || !String(low.label).endsWith(" low")) return "";
    return ` [${shown(valueAt(plot, place - 1, at), chart)}, ${shown(valueAt(plot, place - 2, at), chart)}]`;
  }

  function walk(event, plot) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 };
    if (event.key === "Escape") zoomTo(null);
    if (!(event.key in steps)) return;
    event.preventDefault();
    const last = plot.data[0].length - 1;
    const now = known(plot.cursor.idx) ? plot.cursor.idx : last;
    const next = Math.min(last, Math.max(0, now + steps[event.key]));
    plot.setCursor({ left: plot.valToPos(plot.data[0][next], "x"), top: 10 });
  }

  function zoomTo(range) {
    zoom = range;
    const whole = document.getElementById("whole");
    if (whole) whole.hidden = !range;
    for (const { plot } of plots) {
      const x = plot.data[0];
      plot.setScale("x", range ? { min: range[0], max: range[1] } : { min: x[0], max: x[x.length - 1] });
    }
  }

  function drawAll() {
    for (const { plot } of plots.splice(0)) plot.destroy();
    const box = document.querySelector(".charts");
    for (const chart of charts) draw(figureOf(box, chart), chart);
  }

  async function load() {
    const box = document.querySelector(".charts");
    if (!box) return;
    const answer = await fetch(box.dataset.charts);
    if (answer.ok) { charts = await answer.json(); drawAll(); }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const slider = document.getElementById("smoothing");
    slider?.addEventListener("input", () => {
      document.getElementById("smoothing-value").textContent = window_() > 1 ? `${window_()} cycles` : "off";
      drawAll();
    });
    document.getElementById("whole")?.addEventListener("click", () => zoomTo(null));
    document.addEventListener("themechange", drawAll);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    let width = innerWidth;
    addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; drawAll(); } });
    // A finished cycle brings a new glance; the curves follow it.
    document.addEventListener("htmx:afterSwap", (event) => { if (event.target.id === "glance") load(); });
    load();
  });
})();
