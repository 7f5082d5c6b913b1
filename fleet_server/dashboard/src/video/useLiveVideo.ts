import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { aheadBy, partOf, type VideoFormat, type VideoText } from "./messages";
import { plays, Player } from "./player";

const TICK_MS = 250;
const TIME_MS = 10_000;
const STALLED_S = 3;

export interface LiveState {
  state: "off" | "connecting" | "live" | "stalled" | "ended";
  /** Why it has ended. */
  reason: string;
  /** Whether stills can be shown instead. */
  stills: boolean;
  /** Seconds between the moment a picture arrived at the device and now, while it is shown. */
  behind_s: number | null;
  format: VideoFormat | null;
  /** Whether the server asks if the viewer is still there. */
  asked: boolean;
}

const OFF: LiveState = { state: "off", reason: "", stills: false, behind_s: null, format: null, asked: false };
const now_s = () => Date.now() / 1000;

const address = (device: string, pipeline: string) =>
  `${location.origin.replace("http", "ws")}/api/v1/devices/${encodeURIComponent(device)}/live/${encodeURIComponent(pipeline)}/video`;

/** Plays live video of a camera in `video` while `on`. `confirm` answers the server: the viewer is still there. */
export function useLiveVideo(
  video: RefObject<HTMLVideoElement | null>,
  device: string,
  pipeline: string,
  on: boolean,
): LiveState & { confirm: () => void } {
  const [state, setState] = useState<LiveState>(OFF);
  const socket = useRef<WebSocket | null>(null);
  useEffect(() => {
    const element = video.current;
    if (!on || !element) return setState((old) => (old.state === "ended" ? old : { ...OFF, format: old.format }));
    const stop = play(element, address(device, pipeline), socket, (change) => setState((old) => ({ ...old, ...change })));
    return () => {
      stop();
      socket.current = null;
    };
  }, [on, device, pipeline, video]);
  const confirm = useCallback(() => {
    if (socket.current?.readyState === WebSocket.OPEN) socket.current.send(JSON.stringify({ type: "watching" }));
    setState((old) => ({ ...old, asked: false }));
  }, []);
  return { ...state, confirm };
}

/** Play until the returned function is called, or the stream ends. */
function play(
  element: HTMLVideoElement,
  url: string,
  holder: RefObject<WebSocket | null>,
  show: (change: Partial<LiveState>) => void,
): () => void {
  let player: Player | null = null;
  let ahead_s = 0;
  let came_s = now_s();
  let over = false;
  show({ state: "connecting", reason: "", stills: false, behind_s: null, asked: false });
  const line = new WebSocket(url);
  line.binaryType = "arraybuffer";
  holder.current = line;
  const close = () => {
    over = true;
    window.clearInterval(tick);
    window.clearInterval(asking);
    line.close();
    player?.close();
    player = null;
  };
  const end = (reason: string, stills: boolean) => {
    if (over) return;
    close();
    show({ state: "ended", reason, stills, behind_s: null, asked: false });
  };
  const begin = (format: VideoFormat) => {
    if (!plays(format.mime)) {
      const codec = format.mime.includes("hvc1") ? "H.265" : (format.mime.split('"')[1] ?? format.mime);
      return end(`This browser does not play ${codec}.`, true);
    }
    player ??= new Player(element, (reason) => end(reason, true));
    player.begin(format.mime);
    show({ format });
  };
  const take = (message: VideoText) => {
    if (message.type === "format") begin(message);
    else if (message.type === "end") end(message.reason, message.stills ?? false);
    else if (message.type === "still_there") show({ asked: true });
    else ahead_s = aheadBy(message.at, now_s(), message.server_at);
  };
  const askTime = () => {
    if (line.readyState === WebSocket.OPEN) line.send(JSON.stringify({ type: "time", at: now_s() }));
  };
  line.onopen = askTime;
  line.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (over) return;
    if (typeof data === "string") return take(JSON.parse(data) as VideoText);
    came_s = now_s();
    player?.add(partOf(data));
  };
  line.onclose = () => end("The connection to the server has ended.", true);
  const tick = window.setInterval(() => {
    player?.keepUp();
    const shown = player?.shown;
    if (!shown) return;
    const silent = now_s() - came_s > STALLED_S;
    show({ state: silent ? "stalled" : "live", behind_s: Math.max(0, now_s() + ahead_s - shown.newest_at + shown.lag_s) });
  }, TICK_MS);
  const asking = window.setInterval(askTime, TIME_MS);
  return close;
}
