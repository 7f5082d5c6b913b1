import { INIT, type VideoPart } from "./messages";

/** Farthest the picture may be behind the newest one, and where it jumps to. */
const BEHIND_S_MAX = 1.5;
const EDGE_S = 0.25;
/** Above this distance it plays a little faster. */
const NEAR_S = 0.6;
const FASTER = 1.1;
/** Played video that is kept. */
const RETAINED_S = 10;
const WAITING_MAX = 200;

type SourceKind = typeof MediaSource;

/** Media Source Extensions of this browser: iPhones have the managed kind only. */
export function mediaSource(): SourceKind | undefined {
  const found = window as unknown as { ManagedMediaSource?: SourceKind; MediaSource?: SourceKind };
  return found.ManagedMediaSource ?? found.MediaSource;
}

export const plays = (mime: string): boolean => mediaSource()?.isTypeSupported(mime) ?? false;

/** Plays the parts of a stream in a video element, close to its newest picture. `onFault`: the browser cannot go on. */
export class Player {
  private readonly source: MediaSource;
  private readonly url: string;
  private buffer: SourceBuffer | null = null;
  private waiting: VideoPart[] = [];
  private mime = "";
  private newest_at = 0;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly onFault: (reason: string) => void,
  ) {
    const Source = mediaSource();
    if (!Source) throw new Error("This browser does not play live video.");
    this.source = new Source();
    this.source.addEventListener("sourceopen", () => this.feed());
    video.disableRemotePlayback = true;
    this.url = URL.createObjectURL(this.source);
    video.src = this.url;
  }

  /** The type of the parts that follow. */
  begin(mime: string): void {
    this.mime = mime;
  }

  add(part: VideoPart): void {
    this.waiting.push(part);
    if (this.waiting.length > WAITING_MAX) this.onFault("This browser is too slow for this video.");
    else this.feed();
  }

  /** Seconds between the newest picture that has arrived and the one shown, and its server time. */
  get shown(): { lag_s: number; newest_at: number } | null {
    const { buffered, currentTime } = this.video;
    if (!buffered.length || this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
    return { lag_s: Math.max(0, buffered.end(buffered.length - 1) - currentTime), newest_at: this.newest_at };
  }

  /** Keep close to the newest picture; called a few times a second. */
  keepUp(): void {
    const { buffered, currentTime } = this.video;
    if (!buffered.length) return;
    const last = buffered.length - 1;
    const end = buffered.end(last);
    if (currentTime < buffered.start(last) || end - currentTime > BEHIND_S_MAX) {
      this.video.currentTime = Math.max(buffered.start(last), end - EDGE_S);
    }
    this.video.playbackRate = end - this.video.currentTime > NEAR_S ? FASTER : 1;
    if (this.video.paused) void this.video.play().catch(() => undefined);
  }

  close(): void {
    this.waiting = [];
    this.video.removeAttribute("src");
    this.video.load();
    URL.revokeObjectURL(this.url);
  }

  private feed(): void {
    if (this.source.readyState !== "open" || this.buffer?.updating) return;
    const part = this.waiting[0];
    if (!part) {
      this.trim();
      return;
    }
    try {
      this.append(part);
      this.waiting.shift();
      if (part.kind !== INIT) this.newest_at = part.at;
    } catch (error) {
      if (error instanceof DOMException && error.name === "QuotaExceededError" && this.trim()) return;
      this.onFault(error instanceof Error ? error.message : "The browser cannot play the video.");
    }
  }

  private append(part: VideoPart): void {
    if (!this.buffer) {
      this.buffer = this.source.addSourceBuffer(this.mime);
      this.buffer.addEventListener("updateend", () => {
        this.keepUp();
        this.feed();
      });
      this.buffer.addEventListener("error", () => this.onFault("The browser cannot decode the video."));
    } else if (part.kind === INIT) {
      const { buffered } = this.video;
      this.buffer.changeType(this.mime);
      this.buffer.timestampOffset = buffered.length ? buffered.end(buffered.length - 1) : 0;
    }
    this.buffer.appendBuffer(part.data);
  }

  /** Drop what was played; false if there is nothing to drop. */
  private trim(): boolean {
    const { buffered, currentTime } = this.video;
    const until = currentTime - RETAINED_S;
    if (!this.buffer || !buffered.length || buffered.start(0) + RETAINED_S > until) return false;
    this.buffer.remove(0, until);
    return true;
  }
}
