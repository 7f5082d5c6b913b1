import { useMemo } from "react";
import type { Place } from "~/api/types";
import { compact, coordinate } from "~/format/numbers";
import type { Tone } from "~/format/tones";
import classes from "./FleetMap.module.css";
import { LAND } from "./coastlines";
import { degrees, HEIGHT, project, stepOf, WIDTH, type Cluster, type View } from "./projection";

interface CanvasProps {
  view: View;
  marks: readonly Cluster[];
  isPicked: (place: Place) => boolean;
  onOpen: (cluster: Cluster) => void;
}

const LABELLED_MAX = 14;

export function toneOf({
  attention,
  updating,
  offline,
  devices,
}: Pick<Cluster, "attention" | "updating" | "offline" | "devices">): Tone {
  if (attention > 0) return "bad";
  if (offline === devices) return "off";
  return updating > 0 ? "busy" : "ok";
}

export function Canvas({ view, marks, isPicked, onOpen }: CanvasProps) {
  const land = useMemo(
    () => LAND.map((ring) => `M${ring.map((at) => project(view, at).map(coordinate).join(" ")).join("L")}Z`).join(""),
    [view],
  );
  return (
    <g aria-hidden>
      <path d={land} className={classes.land} />
      <Graticule view={view} />
      {marks.map((mark) => {
        const radius = Math.min(22, 11 + Math.sqrt(mark.devices) * 0.55);
        const [only] = mark.places;
        const name = mark.places.length === 1 ? (only?.name ?? "") : `${mark.places.length} sites`;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: each site is a button of the list beside the map
          <g
            key={mark.key}
            className={classes.mark}
            data-tone={toneOf(mark)}
            data-picked={mark.places.every(isPicked)}
            transform={`translate(${coordinate(mark.x)} ${coordinate(mark.y)})`}
            onClick={() => onOpen(mark)}
            data-place={name}
          >
            <circle r={radius + 5} className={classes.halo} />
            <circle r={radius} className={classes.dot} />
            <text className={classes.number}>{compact(mark.devices)}</text>
            {marks.length <= LABELLED_MAX && (
              <text y={radius + 18} className={classes.name}>
                {name}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Lines of equal longitude and latitude, with their degrees at the border. */
function Graticule({ view }: { view: View }) {
  const step = stepOf(view.span);
  const tall = (view.span * HEIGHT) / WIDTH;
  const from = (middle: number, half: number, most: number) => {
    const first = Math.ceil(Math.max(-most, middle - half) / step) * step;
    const last = Math.min(most, middle + half);
    return Array.from(
      { length: Math.max(0, Math.floor((last - first) / step) + 1) },
      (_, at) => Math.round((first + at * step) * 1e4) / 1e4,
    );
  };
  return (
    <>
      {from(view.lon, view.span / 2, 180).map((lon) => {
        const [x] = project(view, [lon, 0]);
        return (
          <g key={`lon${lon}`}>
            <line x1={x} x2={x} y1={0} y2={HEIGHT} className={classes.grid} />
            <text x={x + 3} y={HEIGHT - 6} className={classes.degree}>
              {degrees(lon, "E", "W")}
            </text>
          </g>
        );
      })}
      {from(view.lat, tall / 2, 90).map((lat) => {
        const [, y] = project(view, [0, lat]);
        return (
          <g key={`lat${lat}`}>
            <line x1={0} x2={WIDTH} y1={y} y2={y} className={classes.grid} />
            <text x={6} y={y - 4} className={classes.degree}>
              {degrees(lat, "N", "S")}
            </text>
          </g>
        );
      })}
    </>
  );
}
