// The race as a small picture, below the results it led to.
import type { Lane, Timeline } from "../search/timeline";
import { element } from "./dom";

export function raceOf(timeline: Timeline): HTMLElement[] {
  const lanes = timeline.lanes.map(laneOf);
  const cut = timeline.cut.map((each) => element("li", {}, each));
  return [
    element("ol", { className: "lanes", aria: { label: "What each way of searching did" } }, ...lanes),
    ...(cut.length > 0 ? [element("ul", { className: "cut", aria: { label: "Left out" } }, ...cut)] : []),
  ];
}

function laneOf(lane: Lane): HTMLElement {
  const track = element("span", { className: "track" });
  if (lane.bar) {
    const bar = element("span", { className: `ran ${lane.outcome === "won" ? "won" : ""}` });
    bar.style.left = `${lane.bar.left}%`;
    bar.style.width = `${lane.bar.width}%`;
    track.append(bar);
  }
  return element(
    "li",
    { className: `lane ${lane.outcome.replaceAll(" ", "-")}`, title: lane.label, aria: { label: lane.label } },
    element("span", { className: "name" }, lane.name),
    track,
    element("span", { className: "outcome" }, lane.outcome),
  );
}
