"use strict";
// The status page: asks /api/status and /api/events every few seconds. Text is set as text, never as markup.

const STATUS_MS = 2000;
const STILL_MS = 2000;
const MOVING_MAX = 3; // a browser keeps six connections to one place: more moving pictures would leave none to ask with
const EVENTS_MS = 4000;
const TONES = {
  running: ["ok", "Running"], opening: ["busy", "Opening"], starting: ["busy", "Starting"],
  waiting: ["busy", "Waiting for model"], stalled: ["warn", "Stalled"], source_lost: ["bad", "Source lost"],
  failed: ["bad", "Failed"], ended: ["off", "Ended"], off: ["off", "Detection off"],
};
const AWAY = ["stalled", "source_lost", "failed", "ended"]; // the last picture is not the present one
const by = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

async function ask(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error || `status ${answer.status}`);
  return answer.json();
}

// A number that is missing is shown as such: JSON has null where a value is no number.
const number = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits).replace(/\.0$/, "") : "–");

const milliseconds = (value) => (!Number.isFinite(value) ? "–" : value < 100 ? `${number(value)} ms` : value < 1000 ? `${Math.round(value)} ms` : `${number(value / 1000)} s`);

const share = (value) => (Number.isFinite(value) ? `${number(value * 100)} %` : "–");

function age(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

// --- pipelines

const cards = new Map();

function newCard(pipeline) {
  const note = make("span", { class: "note" }, "Waiting for frames");
  const image = make("img", { alt: `Live view of ${pipeline.name}`, loading: "lazy" });
  const picture = pipeline.camera
    ? make("button", { class: "picture", type: "button", "aria-label": `Enlarge live view of ${pipeline.name}`, onclick: () => enlarge(pipeline.name) }, note, image)
    : null;
  const moving = [...cards.values()].filter((other) => other.moving).length;
  const card = {
    state: make("span", { class: "state" }),
    sub: make("p", { class: "card-sub" }),
    reasons: make("ul", { class: "reasons" }),
    past: make("details", { class: "past", hidden: "" }),
    figures: make("dl", { class: "figures" }),
    note,
    image,
    moving: pipeline.camera && moving < MOVING_MAX,
  };
  if (card.moving) image.src = `/live/${pipeline.name}.mjpg?fps=4`;
  else if (pipeline.camera) still(pipeline.name, card);
  const head = make("div", { class: "card-head" }, make("h3", {}, pipeline.name), card.state);
  card.element = make("article", { class: "card" }, picture, head, card.sub, card.past, card.figures);
  card.past.append(make("summary", {}, "Earlier faults of the source"), card.reasons);
  return card;
}

function still(name, card) {
  const again = () => setTimeout(() => { if (cards.get(name) === card) still(name, card); }, STILL_MS);
  const next = new Image();
  next.onload = () => { card.image.src = next.src; again(); };
  next.onerror = again;
  next.src = `/api/${name}/latest.jpg?at=${Date.now()}`;
}

function showPipeline(card, pipeline) {
  const gauges = pipeline.gauges;
  const [tone, text] = TONES[gauges.state] || ["off", gauges.state || "–"];
  card.state.dataset.tone = tone;
  card.state.textContent = text;
  const place = gauges.model ? `${gauges.model} on ${gauges.placement || "?"}` : pipeline.camera ? "No model" : pipeline.source === "events" ? "Rules over other pipelines" : "Sensor";
  const shed = gauges.boxes_shed ? ` · ${gauges.boxes_shed} boxes left out` : "";
  card.sub.textContent = `${pipeline.source} · ${place}${shed}`;
  const away = AWAY.includes(gauges.state);
  card.image.classList.toggle("away", away);
  card.note.textContent = gauges.reason || (gauges.state === "ended" ? "The source has ended" : "Waiting for frames");
  showPast(card, (gauges.reasons || []).filter((reason) => reason.until));
  const total = gauges.latency && gauges.latency.total;
  const figures = [
    [pipeline.camera ? "Camera fps" : "Readings/s", number(gauges.camera_fps)],
    [pipeline.camera ? "Processed fps" : "Processed/s", number((gauges.process_fps || 0) + (gauges.quiet_fps || 0))],
    total ? ["Latency p50", milliseconds(total.p50_ms)] : ["Events", String(pipeline.events_total)],
    ["Coverage", gauges.coverage === undefined ? "100 %" : share(gauges.coverage)],
  ];
  card.figures.replaceChildren(...figures.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

function showPast(card, past) {
  card.past.hidden = !past.length;
  card.reasons.replaceChildren(...past.reverse().map((reason) => {
    const [began, ended] = [reason.at, reason.until].map((at) => new Date(at * 1000));
    const length = age(Math.max(1, reason.until - reason.at));
    const often = reason.times > 1 ? `, ${reason.times} times so far` : "";
    return make("li", {}, make("time", { datetime: began.toISOString() }, `${began.toLocaleString()}, for ${length}${often}`),
      ` ${(TONES[reason.state] || ["", reason.state])[1]}: ${reason.text}`);
  }));
}

function showPipelines(unsorted) {
  const pipelines = [...unsorted].sort((one, other) => Number(other.camera) - Number(one.camera)); // cameras first
  const room = by("pipelines");
  if (!pipelines.length) {
    room.replaceChildren(make("p", { class: "empty" }, "No pipelines. Add a pipeline (*.toml) to the pipelines folder in agent.toml."));
    cards.clear();
    return;
  }
  const names = new Set(pipelines.map((pipeline) => pipeline.name));
  for (const [name, card] of cards) if (!names.has(name)) { card.element.remove(); cards.delete(name); }
  if (!cards.size) room.replaceChildren();
  for (const pipeline of pipelines) {
    if (!cards.has(pipeline.name)) {
      cards.set(pipeline.name, newCard(pipeline));
      room.append(cards.get(pipeline.name).element);
      by("filter").elements.pipeline.append(make("option", { value: pipeline.name }, pipeline.name));
    }
    showPipeline(cards.get(pipeline.name), pipeline);
  }
}

async function refreshStatus() {
  const pulse = by("pulse");
  try {
    const status = await ask("/api/status");
    document.title = `${status.device} · edgefleet`;
    by("device").textContent = status.device;
    by("version").textContent = status.version;
    by("uptime").textContent = age(status.uptime_s);
    const bad = status.pipelines.filter((pipeline) => ["source_lost", "failed", "stalled"].includes(pipeline.gauges.state)).length;
    pulse.dataset.tone = bad ? "warn" : "ok";
    pulse.textContent = bad ? `${bad} of ${status.pipelines.length} unhealthy` : "Healthy";
    by("faults").replaceChildren(...status.faults.map((fault) =>
      make("li", {}, make("strong", {}, fault.pipeline || "This device"), `  ${fault.text}`)));
    showPipelines(status.pipelines);
  } catch (error) {
    pulse.dataset.tone = "bad";
    pulse.textContent = "Disconnected";
  }
}

// --- events

let shownEvents = "";

function title(event) {
  const what = event.label || event.kind;
  if (event.kind === "line") return `${what} crossed ${event.line}: ${event.direction}`;
  if (event.kind === "zone") return `${what} in ${event.zone}`;
  if (event.kind === "combine") return event.rule;
  if (event.kind === "anomaly") return `Anomaly: ${(event.data && event.data.feature) || event.rule}`;
  return what;
}

function duration(event) {
  if (event.open) return "Ongoing";
  const length = (event.end_s || 0) - (event.start_s || 0);
  return length > 0.05 ? `${number(length)} s` : "";
}

function eventRow(event) {
  const picture = event.has_snapshot
    ? make("img", { class: "thumb", src: `/api/events/${event.id}/snapshot.jpg`, alt: "", loading: "lazy" })
    : make("div", { class: "thumb" }, event.kind);
  const when = new Date(event.began_at * 1000);
  const moment = make("time", { datetime: when.toISOString(), title: when.toLocaleString() }, when.toLocaleTimeString());
  const details = [event.pipeline, event.rule, duration(event), event.score ? `confidence ${number(event.score, 2)}` : ""];
  return make("li", {}, make("button", { class: "event", type: "button", onclick: () => open(event) }, picture,
    make("div", {},
      make("div", { class: "line" }, make("strong", {}, title(event)), moment),
      make("div", { class: "sub" }, details.filter(Boolean).join(" · ")))));
}

async function refreshEvents() {
  const asked = new URLSearchParams([...new FormData(by("filter"))].filter(([, value]) => value));
  asked.set("limit", "60");
  try {
    const { events } = await ask(`/api/events?${asked}`);
    const print = JSON.stringify(events.map((event) => [event.id, event.open, event.has_snapshot, event.score]));
    if (print === shownEvents) return;
    shownEvents = print;
    by("events").replaceChildren(...(events.length ? events.map(eventRow) : [make("li", { class: "empty" }, "No matching events")]));
  } catch (error) {
    shownEvents = "";
    by("events").replaceChildren(make("li", { class: "empty" }, `Failed to load events: ${error.message}`));
  }
}

// --- one event, or one camera, large

function facts(pairs) {
  by("viewer-facts").replaceChildren(...pairs.filter(([, value]) => value).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
}

function open(event) {
  by("viewer-title").textContent = title(event);
  const picture = event.has_clip
    ? make("video", { src: `/api/events/${event.id}/clip.mp4`, controls: "", autoplay: "", muted: "", playsinline: "" })
    : event.has_snapshot ? make("img", { src: `/api/events/${event.id}/snapshot.jpg`, alt: title(event) }) : "";
  by("viewer-body").replaceChildren(picture);
  const data = event.data || {};
  facts([
    ["Time", new Date(event.began_at * 1000).toLocaleString()], ["Duration", duration(event)], ["Pipeline", event.pipeline],
    ["Rule", event.rule], ["Zone", event.zone], ["Direction", event.direction],
    ["Max confidence", event.score && number(event.score, 3)], ["Median confidence", data.median_score && number(data.median_score, 3)],
    ["Coverage", event.coverage !== undefined && share(event.coverage)], ["Model", event.model],
    ["Model digest", event.model_digest && event.model_digest.slice(0, 16)],
    ["Configuration digest", event.config_digest && event.config_digest.slice(0, 16)], ["Event ID", event.id],
  ]);
  by("viewer").showModal();
}

function enlarge(name) {
  by("viewer-title").textContent = name;
  by("viewer-body").replaceChildren(make("img", { src: `/live/${name}.mjpg?fps=8`, alt: `Live view of ${name}` }));
  facts([]);
  by("viewer").showModal();
}

by("viewer-close").addEventListener("click", () => by("viewer").close());
by("viewer").addEventListener("close", () => by("viewer-body").replaceChildren()); // ends its live picture
by("filter").addEventListener("input", refreshEvents);
by("filter").addEventListener("submit", (event) => event.preventDefault());
refreshStatus();
refreshEvents();
setInterval(refreshStatus, STATUS_MS);
setInterval(refreshEvents, EVENTS_MS);
