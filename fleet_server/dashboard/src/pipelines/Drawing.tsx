import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from "react";
import classes from "./Drawing.module.css";
import { Shape } from "./Shape";
import { at, movedPoint, pointsOf, shifted, withPoints, type Point, type ShapeKind, type ShapeRef, type Spec } from "./spec";
import { useView } from "./useView";
import { inFrame, inWindow } from "./view";
import { ZoomButtons } from "./ZoomButtons";

const WIDE_BEFORE = 1000;
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
  /** `gesture`: the same for all changes of one drag, or of one point by keys. */
  onChange: (spec: Spec, gesture: string) => void;
  onDrawn: (kind: ShapeKind, points: Point[]) => void;
  onCancel: () => void;
}

interface Drag {
  gesture: string;
  from: Point;
  points: Point[];
  place: number | null;
}

/** Shapes over the picture, which can be enlarged. Mouse and touch draw, drag points and whole shapes; every point can be reached
 * and moved by keyboard. */
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
  const drags = useRef(0);
  const control = useView(canvas, () => {
    setPen((old) => old.slice(0, -1)); // the first finger set it, before the second one came
    drag.current = null;
  });
  const { view } = control;

  const place = (event: { clientX: number; clientY: number }): Point => at(...inFrame(view, control.share(event)));
  const finish = (points: Point[]) => {
    setPen([]);
    if (tool) onDrawn(tool, points);
  };
  const press = (event: PointerEvent<SVGSVGElement>) => {
    if (control.press(event, !tool) || event.button !== 0) return;
    const point = place(event);
    if (!tool) return onChoose(null);
    event.preventDefault();
    canvas.current?.focus({ preventScroll: true }); // keys go to the drawing from here on, not to the button that started it
    const first = pen[0];
    if (tool === "lines" && first) return finish([first, point]);
    if (tool !== "lines" && first && pen.length > 2 && Math.hypot(point[0] - first[0], point[1] - first[1]) < CLOSE / view.zoom)
      return finish(pen);
    setPen([...pen, point]);
  };
  const grab = (event: PointerEvent<SVGElement>, shape: ShapeRef, index: number | null) => {
    if (tool || event.button !== 0) return;
    event.stopPropagation();
    onChoose(shape);
    canvas.current?.setPointerCapture(event.pointerId);
    drags.current += 1;
    drag.current = { gesture: `drag ${drags.current}`, from: place(event), points: pointsOf(spec, shape), place: index };
  };
  const move = (event: PointerEvent<SVGSVGElement>) => {
    if (control.move(event)) return;
    if (tool) setTip(place(event));
    const held = drag.current;
    if (!held || !chosen) return;
    const to = place(event);
    const points =
      held.place === null
        ? shifted(held.points, to[0] - held.from[0], to[1] - held.from[1])
        : movedPoint(held.points, held.place, to);
    onChange(withPoints(spec, chosen, points), held.gesture);
  };
  const release = (event: PointerEvent<SVGSVGElement>) => {
    control.release(event);
    drag.current = null;
  };
  const keys = (event: KeyboardEvent<SVGSVGElement>) => {
    if (control.key(event) || !tool) return;
    if (event.key === "Escape") onCancel();
    if (event.key === "Enter" && tool !== "lines" && pen.length > 2) finish(pen);
    if (event.key === "Backspace") setPen(pen.slice(0, -1));
  };
  const pixel = (point: Point): Point => {
    const [across, down] = inWindow(view, point);
    return [across * wide, down * high];
  };
  const shapes = (["masks", "zones", "lines"] as const).flatMap((kind) =>
    (spec[kind] ?? []).map((_, index) => ({ kind, index })),
  );
  return (
    <div
      ref={stage}
      className={classes.stage}
      style={{ aspectRatio: `${width} / ${height}`, "--ratio": width / height } as CSSProperties}
    >
      {picture ? (
        <img
          src={picture.url}
          alt={`Snapshot of ${spec.name}`}
          draggable={false}
          style={{
            width: percent(view.zoom),
            height: percent(view.zoom),
            left: percent(-view.x * view.zoom),
            top: percent(-view.y * view.zoom),
          }}
        />
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
        data-zoomed={view.zoom > 1}
        onPointerDownCapture={control.touch}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
        onDoubleClick={() =>
          tool && tool !== "lines" && pen.length > 2 && finish(pen.slice(0, -1).length > 2 ? pen.slice(0, -1) : pen)
        }
        onKeyDown={keys}
        tabIndex={0}
      >
        {shapes.map((shape) => (
          <Shape
            key={`${shape.kind}-${shape.index}`}
            spec={spec}
            shape={shape}
            pixel={pixel}
            wide={wide}
            chosen={chosen?.kind === shape.kind && chosen.index === shape.index}
            onGrab={(event, index) => grab(event, shape, index)}
            onPoints={(points, gesture) => onChange(withPoints(spec, shape, points), gesture)}
          />
        ))}
        {pen.length > 0 && (
          <>
            <polyline className={classes.pen} points={[...pen, ...(tip ? [tip] : [])].map(pixel).join(" ")} />
            {pen.map(pixel).map(([x, y], index) => (
              <circle key={index} className={classes.handle} cx={x} cy={y} r={5} />
            ))}
          </>
        )}
      </svg>
      <ZoomButtons zoom={view.zoom} onZoom={control.zoomBy} onReset={control.reset} />
    </div>
  );
}

const percent = (share: number): string => `${100 * share}%`;
