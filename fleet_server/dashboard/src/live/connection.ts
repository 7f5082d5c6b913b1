/**
 * The stream of server-sent events of this tab.
 *
 * Pages subscribe to topics; the stream carries their union and is reopened when that changes. It is closed while the tab is
 * hidden: on HTTP/1.1 a browser has six connections per server, and every open stream occupies one.
 */
export type ConnectionState =
  | { is: "connecting"; sinceAt: number }
  | { is: "live"; sinceAt: number }
  | { is: "down"; sinceAt: number }
  | { is: "suspended"; sinceAt: number };

export type Message = { name: MessageName; data: unknown };
export const MESSAGE_NAMES = ["overview", "device", "telemetry", "rollout", "attempt", "event"] as const;
export type MessageName = (typeof MESSAGE_NAMES)[number];

const SETTLE_MS = 60;
const SILENCE_S_MAX = 25;
const RETRY_MS_MAX = 15_000;
const BATCH_MS = 150;
const BATCH_MAX = 5_000;

export class LiveConnection {
  #topics = new Map<string, number>();
  #source: EventSource | null = null;
  #opened = "";
  #state: ConnectionState = { is: "connecting", sinceAt: Date.now() / 1000 };
  #watchers = new Set<() => void>();
  #batch: Message[] = [];
  #settle: number | undefined;
  #retry: number | undefined;
  #flush: number | undefined;
  #failures = 0;
  #lastMessageAt_ms = 0;
  #wasLive = false;

  constructor(
    private readonly onMessages: (batch: Message[]) => void,
    private readonly onReconnect: () => void,
  ) {
    document.addEventListener("visibilitychange", () => this.#reopenSoon());
    window.addEventListener("offline", () => this.#lost());
    window.addEventListener("online", () => this.retry());
    window.setInterval(() => this.#checkSilence(), 5_000);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Subscribes to topics until the returned function is called. */
  subscribe(topics: readonly string[]): () => void {
    for (const topic of topics) this.#topics.set(topic, (this.#topics.get(topic) ?? 0) + 1);
    this.#reopenSoon();
    return () => {
      for (const topic of topics) {
        const left = (this.#topics.get(topic) ?? 1) - 1;
        if (left > 0) this.#topics.set(topic, left);
        else this.#topics.delete(topic);
      }
      this.#reopenSoon();
    };
  }

  /** Reconnects now, without waiting for the back-off. */
  retry(): void {
    this.#failures = 0;
    this.#close();
    this.#reopenSoon();
  }

  #reopenSoon(): void {
    window.clearTimeout(this.#settle);
    this.#settle = window.setTimeout(() => this.#open(), SETTLE_MS);
  }

  #open(): void {
    if (document.hidden) {
      this.#close();
      this.#setState("suspended");
      return;
    }
    const topics = [...this.#topics.keys()].sort().join(",");
    if (!topics) {
      this.#close();
      return;
    }
    if (this.#source && topics === this.#opened) return;
    this.#close();
    this.#opened = topics;
    if (this.#state.is === "suspended") this.#setState("connecting");
    const source = new EventSource(`/api/v1/stream?topics=${encodeURIComponent(topics)}`);
    this.#source = source;
    source.onopen = () => this.#opened === topics && this.#up();
    source.onerror = () => this.#source === source && this.#lost();
    for (const name of MESSAGE_NAMES) {
      source.addEventListener(name, (message: MessageEvent<string>) => this.#onMessage(name, message.data));
    }
  }

  #up(): void {
    this.#failures = 0;
    this.#lastMessageAt_ms = Date.now();
    const wasDown = this.#state.is !== "live";
    this.#setState("live");
    if (wasDown && this.#wasLive) this.onReconnect();
    this.#wasLive = true;
  }

  #lost(): void {
    this.#close();
    if (document.hidden) return;
    if (this.#wasLive || this.#failures > 0) this.#setState("down");
    this.#failures += 1;
    window.clearTimeout(this.#retry);
    const wait = Math.min(RETRY_MS_MAX, 500 * 2 ** this.#failures) * (0.5 + Math.random() / 2);
    this.#retry = window.setTimeout(() => this.#open(), wait);
  }

  #close(): void {
    window.clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #onMessage(name: MessageName, text: string): void {
    this.#lastMessageAt_ms = Date.now();
    if (this.#batch.length < BATCH_MAX) this.#batch.push({ name, data: JSON.parse(text) as unknown });
    this.#flush ??= window.setTimeout(() => {
      this.#flush = undefined;
      const batch = this.#batch;
      this.#batch = [];
      this.onMessages(batch);
    }, BATCH_MS);
  }

  /** A broken network does not close the stream: after a silence, checks whether the server still responds. */
  async #checkSilence(): Promise<void> {
    if (this.#state.is !== "live" || Date.now() - this.#lastMessageAt_ms < SILENCE_S_MAX * 1000) return;
    try {
      const response = await fetch("/api/v1/health", { signal: AbortSignal.timeout(5_000), cache: "no-store" });
      if (!response.ok) throw new Error(`health check: ${response.status}`);
      this.#lastMessageAt_ms = Date.now();
    } catch {
      this.#lost();
    }
  }

  #setState(is: ConnectionState["is"]): void {
    if (this.#state.is === is) return;
    const sinceAt = is === "down" && this.#lastMessageAt_ms ? this.#lastMessageAt_ms / 1000 : Date.now() / 1000;
    this.#state = { is, sinceAt };
    for (const watcher of this.#watchers) watcher();
  }
}
