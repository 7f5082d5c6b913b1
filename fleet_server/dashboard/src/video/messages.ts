/** Messages of live video between server and viewer (docs/protocol.md). */

export interface VideoFormat {
  type: "format";
  mime: string;
  width: number;
  height: number;
  matrix?: [number, number, number, number];
  encoded?: boolean;
}
export interface VideoEnd {
  type: "end";
  reason: string;
  stills?: boolean;
}
interface StillThere {
  type: "still_there";
  seconds: number;
}
interface TimeAnswer {
  type: "time";
  at: number;
  server_at: number;
}
export type VideoText = VideoFormat | VideoEnd | StillThere | TimeAnswer;

export const INIT = 0;
const HEAD_BYTES = 9;

/** A part of the stream. `at`: server time in seconds at which its newest picture arrived at the device. */
export interface VideoPart {
  kind: number;
  at: number;
  data: Uint8Array<ArrayBuffer>;
}

export function partOf(message: ArrayBuffer): VideoPart {
  const view = new DataView(message);
  return { kind: view.getUint8(0), at: view.getFloat64(1), data: new Uint8Array(message, HEAD_BYTES) };
}

/** Seconds by which the server's clock is ahead, from a question at `asked` and its answer at `answered` (own clock). */
export const aheadBy = (asked: number, answered: number, server_at: number): number => server_at - (asked + answered) / 2;

/** The CSS of a video within a box of its upright size, turned by `matrix`. */
export function turned({ width, height, matrix = [1, 0, 0, 1] }: VideoFormat) {
  const [a, b, c, d] = matrix;
  const sideways = Math.abs(b) > Math.abs(a);
  const size = sideways ? `${height} / ${width}` : `${width} / ${height}`;
  return {
    box: { aspectRatio: size },
    video: {
      width: sideways ? `${(width / height) * 100}%` : "100%",
      transform: `translate(-50%, -50%) matrix(${a}, ${b}, ${c}, ${d}, 0, 0)`,
    },
  };
}
