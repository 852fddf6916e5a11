// The map of environments: points on a canvas; hover, zoom, move, walk with the keys, open.
"use strict";
(() => {
  const NEAR = 14;
  let points = null, view = { x: 0, y: 0, scale: 1 }, current = -1;
  let box, canvas, tip, reading, legend, colour;

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const skills = () => [...new Set(points.skill)].sort();

  // Pixels from the middle to the edge; a wide canvas is used a little wider than the layout is.
  function halves() {
    const up = canvas.clientHeight / 2 - 14;
    return [Math.min(canvas.clientWidth / 2 - 14, 1.6 * up), Math.min(up, canvas.clientWidth / 2 - 14)];
  }

  function position(index) {
    const [across, up] = halves();
    return [
      canvas.clientWidth / 2 + (points.x[index] - view.x) * across * view.scale,
      canvas.clientHeight / 2 - (points.y[index] - view.y) * up * view.scale,
    ];
  }

  // From one end of a ramp to the other; null where it was not measured.
  function ramp(share) {
    const from = css("--ramp-from"), to = css("--ramp-to");
    const part = (text, place) => parseInt(text.slice(1 + 2 * place, 3 + 2 * place), 16);
    return "rgb(" + [0, 1, 2].map((place) => Math.round(part(from, place) + share * (part(to, place) - part(from, place)))).join(",") + ")";
  }

  function shareOf(index) {
    if (colour.value === "solve") return points.solve[index];
    if (colour.value === "regret") return points.regret[index] === null ? null : Math.min(1, Math.max(0, points.regret[index] / 0.6 + 0.2));
    const last = Math.max(...points.cycle), first = Math.min(...points.cycle);
    return last > first ? (points.cycle[index] - first) / (last - first) : 1;
  }

  function colourOf(index, names) {
    if (colour.value === "skill") return css(`--k${names.indexOf(points.skill[index]) % 12}`);
    const share = shareOf(index);
    return share === null ? css("--muted") : ramp(share);
  }

  function draw() {
    const ratio = devicePixelRatio || 1, brush = canvas.getContext("2d"), names = skills();
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    brush.scale(ratio, ratio);
    const size = points.x.length > 1500 ? 3 : 4.5;
    points.x.forEach((_, index) => {
      const [x, y] = position(index);
      brush.beginPath();
      brush.arc(x, y, index === current ? size + 3 : size, 0, 7);
      brush.fillStyle = colourOf(index, names);
      brush.globalAlpha = index === current ? 1 : 0.8;
      brush.fill();
      if (index === current) { brush.lineWidth = 2; brush.strokeStyle = css("--ink"); brush.stroke(); }
    });
    explain(names);
  }

  function explain(names) {
    legend.replaceChildren();
    const entry = (paint, text) => {
      const item = document.createElement("span"), mark = document.createElement("i");
      mark.style.background = paint;
      item.append(mark, text);
      legend.append(item);
    };
    if (colour.value === "skill") return names.forEach((name, place) => entry(css(`--k${place % 12}`), name));
    const first = Math.min(...points.cycle), last = Math.max(...points.cycle);
    const words = { cycle: [`cycle ${first}`, `cycle ${last}`], solve: ["never solved", "always solved"], regret: ["regret below 0", "regret 0.5 and more"] }[colour.value];
    entry(ramp(0), words[0]); entry(ramp(0.5), "between"); entry(ramp(1), words[1]);
    if (colour.value !== "cycle") entry(css("--muted"), "not measured");
  }

  function tell(index) {
    current = index;
    draw();
    tip.hidden = index < 0;
    if (index < 0) { reading.textContent = `${points.x.length.toLocaleString("en")} designs.`; return; }
    const part = (value, write) => (value === null ? "–" : write(value));
    const text = `${points.title[index]} · ${points.skill[index]} · cycle ${points.cycle[index]} · unaided ${part(points.solve[index], (v) => Math.round(100 * v) + " %")} · regret ${part(points.regret[index], (v) => v.toFixed(2))}`;
    tip.textContent = reading.textContent = text;
    const [x, y] = position(index);
    tip.style.left = Math.min(Math.max(8, x - 120), canvas.clientWidth - 248) + "px";
    tip.style.top = y + 14 + "px";
  }

  function nearest(x, y) {
    let best = -1, closest = NEAR * NEAR;
    points.x.forEach((_, index) => {
      const [px, py] = position(index), distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < closest) { closest = distance; best = index; }
    });
    return best;
  }

  // The nearest point that lies rather in the key's direction than beside it.
  function step(dx, dy) {
    if (current < 0) return tell(0);
    const [x, y] = position(current);
    let best = -1, closest = Infinity;
    points.x.forEach((_, index) => {
      const [px, py] = position(index), along = (px - x) * dx + (py - y) * dy, across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      const distance = along + 2 * across;
      if (index !== current && along > 1 && along >= across && distance < closest) { closest = distance; best = index; }
    });
    if (best >= 0) tell(best);
  }

  const open = (index) => { if (index >= 0) location.href = box.dataset.environment + encodeURIComponent(points.id[index]); };

  function zoomAt(x, y, factor) {
    const [across, up] = halves();
    const scale = Math.min(60, Math.max(0.8, view.scale * factor));
    const mx = (x - canvas.clientWidth / 2) / across, my = (canvas.clientHeight / 2 - y) / up;
    view = { x: view.x + mx / view.scale - mx / scale, y: view.y + my / view.scale - my / scale, scale };
    tell(-1);
  }

  function listen() {
    const held = new Map();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => { held.set(event.pointerId, event); moved = 0; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return tell(nearest(event.offsetX, event.offsetY));
      const [across, up] = halves();
      const dx = event.offsetX - before.offsetX, dy = event.offsetY - before.offsetY;
      moved += Math.abs(dx) + Math.abs(dy);
      if (held.size === 2) {
        const other = [...held.values()].find((each) => each.pointerId !== event.pointerId);
        const span = (one) => Math.hypot(one.offsetX - other.offsetX, one.offsetY - other.offsetY) || 1;
        zoomAt((event.offsetX + other.offsetX) / 2, (event.offsetY + other.offsetY) / 2, span(event) / span(before));
      } else if (moved > 4) {
        view = { ...view, x: view.x - dx / across / view.scale, y: view.y + dy / up / view.scale };
        tell(-1);
      }
      held.set(event.pointerId, event);
    });
    const release = (event) => { if (held.delete(event.pointerId) && moved <= 4 && event.type === "pointerup") open(nearest(event.offsetX, event.offsetY)); };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 300)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.key === "Enter") open(current);
      else if (event.key === "+" || event.key === "-") zoomAt(canvas.clientWidth / 2, canvas.clientHeight / 2, event.key === "+" ? 1.4 : 0.7);
      else if (ways[event.key]) { event.preventDefault(); step(...ways[event.key]); }
    });
    colour.addEventListener("change", () => tell(current));
    document.getElementById("whole").addEventListener("click", () => { view = { x: 0, y: 0, scale: 1 }; tell(-1); });
    addEventListener("resize", draw);
    document.addEventListener("themechange", draw);
  }

  document.addEventListener("DOMContentLoaded", async () => {
    box = document.querySelector(".map");
    canvas = box.querySelector("canvas"); tip = box.querySelector(".tip");
    reading = document.getElementById("map-reading"); legend = document.getElementById("map-legend"); colour = document.getElementById("colour");
    const answer = await fetch(box.dataset.points);
    points = answer.ok ? await answer.json() : { x: [] };
    if (!points.x.length) { reading.textContent = "No design was accepted yet."; return; }
    listen();
    tell(-1);
  });
})();
