import type { KeyboardEvent, PointerEvent } from "react";
import classes from "./Drawing.module.css";
import { at, movedPoint, ONE, pointsOf, type Point, type ShapeRef, type Spec } from "./spec";

const STEP = 0.005;
const STRIDE = 0.05;
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface ShapeProps {
  spec: Spec;
  shape: ShapeRef;
  /** The pixel of a point of the frame, and how wide the drawing is. */
  pixel: (point: Point) => Point;
  wide: number;
  chosen: boolean;
  onGrab: (event: PointerEvent<SVGElement>, place: number | null) => void;
  /** `gesture`: what the change is part of. */
  onPoints: (points: Point[], gesture: string) => void;
}

/** One shape of a drawing. Its points have the same size however much it is enlarged. */
export function Shape({ spec, shape, pixel, wide, chosen, onGrab, onPoints }: ShapeProps) {
  const points = pointsOf(spec, shape);
  const name = spec[shape.kind]?.[shape.index]?.name ?? "";
  const shown = points.map(pixel);
  const text = shown.join(" ");
  const [first] = shown;
  const gesture = `${shape.kind} ${shape.index}`;
  if (!first) return null;
  const step = (event: KeyboardEvent, place: number) => {
    const way = ARROWS[event.key];
    const point = points[place];
    if (way && point) {
      event.preventDefault();
      const far = event.shiftKey ? STRIDE : STEP;
      onPoints(movedPoint(points, place, at(point[0] + way[0] * far, point[1] + way[1] * far)), `${gesture} keys ${place}`);
    } else if ((event.key === "Delete" || event.key === "Backspace") && shape.kind !== "lines" && points.length > 3) {
      event.preventDefault();
      onPoints(
        points.filter((_, each) => each !== place),
        "",
      );
    }
  };
  return (
    <g className={classes.shape} data-kind={shape.kind} data-chosen={chosen}>
      <g onPointerDown={(event) => onGrab(event, null)}>
        {shape.kind === "lines" ? (
          <>
            <polyline className={classes.under} points={text} />
            <polyline className={classes.edge} points={text} />
            <polyline className={classes.grab} points={text} />
            <Direction points={shown} line={spec.lines?.[shape.index]} />
          </>
        ) : (
          <>
            <polygon className={classes.under} points={text} />
            <polygon className={classes.area} points={text} />
          </>
        )}
        <text
          className={classes.name}
          x={first[0] > 0.8 * wide ? first[0] - 10 : first[0] + 10}
          textAnchor={first[0] > 0.8 * wide ? "end" : "start"}
          y={first[1] < 0 ? first[1] : Math.max(18, first[1] - 10)}
        >
          {name}
        </text>
      </g>
      {chosen &&
        shape.kind !== "lines" &&
        points.map((point, index) => (
          <Between
            key={index}
            point={point}
            next={points[(index + 1) % points.length] ?? point}
            pixel={pixel}
            onAdd={(middle) => onPoints([...points.slice(0, index + 1), middle, ...points.slice(index + 1)], "")}
          />
        ))}
      {chosen &&
        points.map((point, index) => (
          <g key={index} onPointerDown={(event) => onGrab(event, index)}>
            <circle className={classes.touch} cx={shown[index]?.[0]} cy={shown[index]?.[1]} r={22} />
            <circle
              className={classes.handle}
              cx={shown[index]?.[0]}
              cy={shown[index]?.[1]}
              r={7}
              tabIndex={0}
              role="button"
              aria-label={`Point ${index + 1} of ${ONE[shape.kind]} ${name}: ${point[0]}, ${point[1]}. Move with arrow keys`}
              onKeyDown={(event) => step(event, index)}
            />
          </g>
        ))}
    </g>
  );
}

interface BetweenProps {
  point: Point;
  next: Point;
  pixel: (point: Point) => Point;
  onAdd: (middle: Point) => void;
}

function Between({ point, next, pixel, onAdd }: BetweenProps) {
  const middle = at((point[0] + next[0]) / 2, (point[1] + next[1]) / 2);
  const [x, y] = pixel(middle);
  return (
    <circle
      className={classes.between}
      cx={x}
      cy={y}
      r={6}
      onPointerDown={(event) => {
        event.stopPropagation();
        onAdd(middle);
      }}
    />
  );
}

interface DirectionProps {
  points: Point[];
  line: { forward?: string; backward?: string } | undefined;
}

/** Arrow to the right of the line, which is forward. points: in pixels. */
function Direction({ points, line }: DirectionProps) {
  const [first, second] = points;
  if (!first || !second) return null;
  const [dx, dy] = [second[0] - first[0], second[1] - first[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [right, down] = [-dy / length, dx / length];
  const [x, y] = [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2];
  const [along, across] = [dx / length, dy / length];
  const tip = `${x + right * 28},${y + down * 28}`;
  const wings = `${x + right * 8 + along * 10},${y + down * 8 + across * 10} ${x + right * 8 - along * 10},${y + down * 8 - across * 10}`;
  return (
    <>
      <polygon className={classes.arrow} points={`${tip} ${wings}`} />
      <text
        className={classes.words}
        x={x + right * 38}
        y={y + down * 38 + 6}
        textAnchor={right < -0.3 ? "end" : right > 0.3 ? "start" : "middle"}
      >
        {line?.forward || "forward"}
      </text>
      <text
        className={classes.words}
        x={x - right * 18}
        y={y - down * 18 + 6}
        textAnchor={right < -0.3 ? "start" : right > 0.3 ? "end" : "middle"}
      >
        {line?.backward || "backward"}
      </text>
    </>
  );
}
