import type { Point } from "./spec";

/** The part of the frame that is shown: how often it is enlarged, and its upper left corner in shares of the frame. */
export interface View {
  zoom: number;
  x: number;
  y: number;
}

export const WHOLE: View = { zoom: 1, x: 0, y: 0 };
export const ZOOM_MAX = 8;

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);
const fitted = ({ zoom, x, y }: View): View => ({ zoom, x: between(x, 0, 1 - 1 / zoom), y: between(y, 0, 1 - 1 / zoom) });

/** Enlarges around a point of the window, in shares of the window; that point stays where it is. */
export function zoomed(view: View, factor: number, [across, down]: Point): View {
  const zoom = between(view.zoom * factor, 1, ZOOM_MAX);
  const [x, y] = inFrame(view, [across, down]);
  return fitted({ zoom, x: x - across / zoom, y: y - down / zoom });
}

/** Moves the view by shares of the window; it stays within the frame. */
export const panned = (view: View, across: number, down: number): View =>
  fitted({ ...view, x: view.x + across / view.zoom, y: view.y + down / view.zoom });

/** The point of the frame at a point of the window. */
export const inFrame = (view: View, [across, down]: Point): Point => [view.x + across / view.zoom, view.y + down / view.zoom];

/** The point of the window at a point of the frame. */
export const inWindow = (view: View, [x, y]: Point): Point => [(x - view.x) * view.zoom, (y - view.y) * view.zoom];
