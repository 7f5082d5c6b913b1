import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import type { Point } from "./spec";
import { panned, WHOLE, zoomed, type View } from "./view";

export const ZOOM_STEP = 1.4;
const PAN_STEP = 0.1;
const MIDDLE: Point = [0.5, 0.5];
const WHEEL_STEP = 0.0025;
const WAYS: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A view that is changed by wheel (with Ctrl, or by pinching on a touchpad), by two fingers, by dragging, and by keys. */
export function useView(canvas: RefObject<SVGSVGElement | null>, onPinch: () => void) {
  const [view, setView] = useState<View>(WHOLE);
  const fingers = useRef(new Map<number, Point>());
  const hand = useRef<Point | null>(null);
  const share = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = canvas.current?.getBoundingClientRect();
    return box ? [(clientX - box.left) / box.width, (clientY - box.top) / box.height] : [0, 0];
  };
  useEffect(() => {
    const element = canvas.current;
    const wheel = (event: WheelEvent) => {
      const box = element?.getBoundingClientRect();
      if (!box) return;
      const at: Point = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      const isZoom = event.ctrlKey || event.metaKey;
      if (isZoom) event.preventDefault(); // it would enlarge the page
      setView((old) => {
        if (isZoom) return zoomed(old, Math.exp(-event.deltaY * WHEEL_STEP), at);
        return panned(old, event.deltaX / box.width, event.deltaY / box.height);
      });
      if (element?.dataset.zoomed === "true") event.preventDefault();
    };
    element?.addEventListener("wheel", wheel, { passive: false }); // React's own listener may not prevent anything
    return () => element?.removeEventListener("wheel", wheel);
  }, [canvas]);

  /** True if the pointer moves the view from here on. isFree: nothing else is under it. */
  const press = (event: PointerEvent<SVGSVGElement>, isFree: boolean): boolean => {
    if (event.button !== 1 && (!isFree || view.zoom === 1)) return false;
    event.preventDefault();
    canvas.current?.setPointerCapture(event.pointerId);
    hand.current = share(event);
    return true;
  };
  /** Notes fingers before the shapes under them do; the second one ends what the first one began. */
  const touch = (event: PointerEvent<SVGSVGElement>) => {
    if (event.pointerType !== "touch") return;
    fingers.current.set(event.pointerId, share(event));
    if (fingers.current.size < 2) return;
    event.stopPropagation();
    hand.current = null;
    onPinch();
  };
  /** True if the pointer moved the view. */
  const move = (event: PointerEvent<SVGSVGElement>): boolean => {
    const to = share(event);
    const before = fingers.current.get(event.pointerId);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (before) fingers.current.set(event.pointerId, to);
    if (before && other) {
      setView((old) => pinched(old, other, before, to));
      return true;
    }
    const held = hand.current;
    if (!held) return false;
    hand.current = to;
    setView((old) => panned(old, held[0] - to[0], held[1] - to[1]));
    return true;
  };
  const release = (event: PointerEvent<SVGSVGElement>) => {
    fingers.current.delete(event.pointerId);
    hand.current = null;
  };
  /** True if the key changed the view. */
  const key = (event: KeyboardEvent<SVGSVGElement>): boolean => {
    const way = event.target === event.currentTarget && view.zoom > 1 ? WAYS[event.key] : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "+" || event.key === "=") setView((old) => zoomed(old, ZOOM_STEP, MIDDLE));
    else if (event.key === "-") setView((old) => zoomed(old, 1 / ZOOM_STEP, MIDDLE));
    else if (event.key === "0") setView(WHOLE);
    else if (way) setView((old) => panned(old, way[0] * PAN_STEP, way[1] * PAN_STEP));
    else return false;
    event.preventDefault();
    return true;
  };
  const zoomBy = (factor: number) => setView((old) => zoomed(old, factor, MIDDLE));
  return { view, share, press, touch, move, release, key, zoomBy, reset: () => setView(WHOLE) };
}

/** The view after one of two fingers moved. */
function pinched(view: View, other: Point, before: Point, after: Point): View {
  const apart = (point: Point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
  const middle: Point = [(before[0] + other[0]) / 2, (before[1] + other[1]) / 2];
  const next = zoomed(view, apart(after) / apart(before), middle);
  return panned(next, (before[0] - after[0]) / 2, (before[1] - after[1]) / 2);
}
