import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import classes from "./Drawing.module.css";
import { at, movedPoint, ONE, pointsOf, shifted, withPoints, type Point, type ShapeKind, type ShapeRef, type Spec } from "./spec";

const WIDE_BEFORE = 1000;
const STEP = 0.005;
const STRIDE = 0.05;
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const CLOSE = 0.02;

export interface Picture {
  url: string;
  width: number;
  height: number;
}

interface DrawingProps {
  spec: Spec;
  picture: Picture | null;
  chosen: ShapeRef | null;
  tool: ShapeKind | null;
  onChoose: (shape: ShapeRef | null) => void;
  onChange: (spec: Spec) => void;
  onDrawn: (kind: ShapeKind, points: Point[]) => void;
  onCancel: () => void;
}

interface Drag {
  from: Point;
  points: Point[];
  place: number | null;
}

/** Shapes over the picture. Mouse and touch draw, drag points and whole shapes; every point can be reached and moved by keyboard. */
export function Drawing({ spec, picture, chosen, tool, onChoose, onChange, onDrawn, onCancel }: DrawingProps) {
  const canvas = useRef<SVGSVGElement>(null);
  const [pen, setPen] = useState<Point[]>([]);
  const [tip, setTip] = useState<Point | null>(null);
  const drag = useRef<Drag | null>(null);
  const [width, height] = [picture?.width ?? 16, picture?.height ?? 9];
  const { ref: stage, width: measured } = useElementSize();
  const wide = measured || WIDE_BEFORE; // screen pixels, so that points have the same size on every display
  const high = (wide * height) / width;
  useEffect(() => setPen([]), [tool]);

  const place = (event: { clientX: number; clientY: number }): Point => {
    const box = canvas.current?.getBoundingClientRect();
    return box ? at((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height) : [0, 0];
  };
  const finish = (points: Point[]) => {
    setPen([]);
    if (tool) onDrawn(tool, points);
  };
  const press = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return;
    const point = place(event);
    if (!tool) return onChoose(null);
    event.preventDefault();
    canvas.current?.focus({ preventScroll: true }); // keys go to the drawing from here on, not to the button that started it
    const first = pen[0];
    if (tool === "lines" && first) return finish([first, point]);
    if (tool !== "lines" && first && pen.length > 2 && Math.hypot(point[0] - first[0], point[1] - first[1]) < CLOSE)
      return finish(pen);
    setPen([...pen, point]);
  };
  const grab = (event: PointerEvent<SVGElement>, shape: ShapeRef, index: number | null) => {
    if (tool || event.button !== 0) return;
    event.stopPropagation();
    onChoose(shape);
    canvas.current?.setPointerCapture(event.pointerId);
    drag.current = { from: place(event), points: pointsOf(spec, shape), place: index };
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (tool) setTip(place(event));
    const held = drag.current;
    if (!held || !chosen) return;
    const to = place(event);
    const points =
      held.place === null
        ? shifted(held.points, to[0] - held.from[0], to[1] - held.from[1])
        : movedPoint(held.points, held.place, to);
    onChange(withPoints(spec, chosen, points));
  };
  const keys = (event: KeyboardEvent<SVGSVGElement>) => {
    if (!tool) return;
    if (event.key === "Escape") onCancel();
    if (event.key === "Enter" && tool !== "lines" && pen.length > 2) finish(pen);
    if (event.key === "Backspace") setPen(pen.slice(0, -1));
  };
  const svg = ([x, y]: Point): string => `${x * wide},${y * high}`;
  const shapes = (["masks", "zones", "lines"] as const).flatMap((kind) =>
    (spec[kind] ?? []).map((_, index) => ({ kind, index })),
  );
  return (
    <div ref={stage} className={classes.stage} style={{ aspectRatio: `${width} / ${height}` }}>
      {picture ? (
        <img src={picture.url} alt={`Snapshot of ${spec.name}`} draggable={false} />
      ) : (
        <div className={classes.none}>No snapshot yet. Take a snapshot, or draw on the empty frame.</div>
      )}
      <svg
        ref={canvas}
        className={classes.canvas}
        viewBox={`0 0 ${wide} ${high}`}
        preserveAspectRatio="none"
        role="group"
        aria-label="Drawing"
        data-testid="drawing"
        data-drawing={tool !== null}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
        onDoubleClick={() =>
          tool && tool !== "lines" && pen.length > 2 && finish(pen.slice(0, -1).length > 2 ? pen.slice(0, -1) : pen)
        }
        onKeyDown={keys}
        tabIndex={tool ? 0 : -1}
      >
        {shapes.map((shape) => (
          <Shape
            key={`${shape.kind}-${shape.index}`}
            spec={spec}
            shape={shape}
            wide={wide}
            high={high}
            chosen={chosen?.kind === shape.kind && chosen.index === shape.index}
            onGrab={(event, index) => grab(event, shape, index)}
            onPoints={(points) => onChange(withPoints(spec, shape, points))}
          />
        ))}
        {pen.length > 0 && (
          <>
            <polyline className={classes.pen} points={[...pen, ...(tip ? [tip] : [])].map(svg).join(" ")} />
            {pen.map((point, index) => (
              <circle key={index} className={classes.handle} cx={point[0] * wide} cy={point[1] * high} r={5} />
            ))}
          </>
        )}
      </svg>
    </div>
  );
}

interface ShapeProps {
  spec: Spec;
  shape: ShapeRef;
  wide: number;
  high: number;
  chosen: boolean;
  onGrab: (event: PointerEvent<SVGElement>, place: number | null) => void;
  onPoints: (points: Point[]) => void;
}

function Shape({ spec, shape, wide, high, chosen, onGrab, onPoints }: ShapeProps) {
  const points = pointsOf(spec, shape);
  const name = spec[shape.kind]?.[shape.index]?.name ?? "";
  const text = points.map(([x, y]) => `${x * wide},${y * high}`).join(" ");
  const [first] = points;
  if (!first) return null;
  const step = (event: KeyboardEvent, place: number) => {
    const way = ARROWS[event.key];
    const point = points[place];
    if (way && point) {
      event.preventDefault();
      const far = event.shiftKey ? STRIDE : STEP;
      onPoints(movedPoint(points, place, at(point[0] + way[0] * far, point[1] + way[1] * far)));
    } else if ((event.key === "Delete" || event.key === "Backspace") && shape.kind !== "lines" && points.length > 3) {
      event.preventDefault();
      onPoints(points.filter((_, each) => each !== place));
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
            <Direction points={points} wide={wide} high={high} line={spec.lines?.[shape.index]} />
          </>
        ) : (
          <>
            <polygon className={classes.under} points={text} />
            <polygon className={classes.area} points={text} />
          </>
        )}
        <text
          className={classes.name}
          x={first[0] > 0.8 ? first[0] * wide - 10 : first[0] * wide + 10}
          textAnchor={first[0] > 0.8 ? "end" : "start"}
          y={Math.max(18, first[1] * high - 10)}
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
            wide={wide}
            high={high}
            onAdd={(middle) => onPoints([...points.slice(0, index + 1), middle, ...points.slice(index + 1)])}
          />
        ))}
      {chosen &&
        points.map((point, index) => (
          <g key={index} onPointerDown={(event) => onGrab(event, index)}>
            <circle className={classes.touch} cx={point[0] * wide} cy={point[1] * high} r={22} />
            <circle
              className={classes.handle}
              cx={point[0] * wide}
              cy={point[1] * high}
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

function Between({
  point,
  next,
  wide,
  high,
  onAdd,
}: {
  point: Point;
  next: Point;
  wide: number;
  high: number;
  onAdd: (middle: Point) => void;
}) {
  const middle = at((point[0] + next[0]) / 2, (point[1] + next[1]) / 2);
  return (
    <circle
      className={classes.between}
      cx={middle[0] * wide}
      cy={middle[1] * high}
      r={6}
      onPointerDown={(event) => {
        event.stopPropagation();
        onAdd(middle);
      }}
    />
  );
}

/** Arrow to the right of the line, which is forward. */
function Direction({
  points,
  wide,
  high,
  line,
}: {
  points: Point[];
  wide: number;
  high: number;
  line: { forward?: string; backward?: string } | undefined;
}) {
  const [first, second] = points;
  if (!first || !second) return null;
  const [dx, dy] = [(second[0] - first[0]) * wide, (second[1] - first[1]) * high];
  const length = Math.hypot(dx, dy) || 1;
  const [right, down] = [-dy / length, dx / length];
  const [x, y] = [((first[0] + second[0]) / 2) * wide, ((first[1] + second[1]) / 2) * high];
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
