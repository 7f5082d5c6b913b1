import { numberIn, textsIn, type RawSearch } from "~/search";

export const CAMERAS_MAX = 16;
export const COLUMNS = [1, 2, 3, 4] as const;

/** What the address of the wall holds. `camera`: `device/pipeline` of each. */
export interface WallSearch {
  camera?: string[];
  columns?: number;
}

export const wallSearch = (raw: RawSearch): WallSearch => ({
  camera: textsIn(raw.camera)
    ?.filter((name) => cameraOf(name) !== null)
    .slice(0, CAMERAS_MAX),
  columns: COLUMNS.find((count) => count === numberIn(raw.columns)),
});

/** Device and pipeline of a camera of the wall; null if it is none. */
export function cameraOf(name: string): { device: string; pipeline: string } | null {
  const [device, pipeline, more] = name.split("/");
  return device && pipeline && more === undefined ? { device, pipeline } : null;
}
