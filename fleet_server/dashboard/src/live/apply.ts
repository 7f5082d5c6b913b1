import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type {
  AttemptPage,
  AttemptRow,
  DeviceDetail,
  DevicePage,
  DeviceRow,
  EventPage,
  EventRow,
  Overview,
  Rollout,
  RolloutPage,
  TelemetryPoint,
} from "~/api/types";
import type { EventFilter } from "~/api/queries";
import type { Message } from "./connection";
import { addPoint } from "./series";

const LISTS_EVERY_MS = 4_000;
const EVENTS_CACHED_MAX = 500;

/** Writes messages of the live stream into the query cache, so that pages do not depend on the stream. */
export class CacheWriter {
  #stale = new Map<string, readonly unknown[]>();
  #timer: number | undefined;

  constructor(private readonly client: QueryClient) {}

  apply = (batch: Message[]): void => {
    const devices = new Map<string, DeviceRow>();
    const rollouts = new Map<number, Rollout>();
    const attempts = new Map<string, AttemptRow>();
    const events: EventRow[] = [];
    for (const { name, data } of batch) {
      if (name === "overview") this.#overview(data as Overview);
      else if (name === "device") devices.set((data as DeviceRow).id, data as DeviceRow);
      else if (name === "rollout") rollouts.set((data as Rollout).id, data as Rollout);
      else if (name === "attempt") attempts.set((data as AttemptRow).id, data as AttemptRow);
      else if (name === "event") events.push(data as EventRow);
      else {
        const { device, point } = data as { device: string; point: TelemetryPoint };
        addPoint(device, point);
      }
    }
    if (devices.size) this.#devices(devices);
    if (rollouts.size) this.#rollouts(rollouts);
    if (attempts.size) this.#attempts(attempts);
    if (events.length) this.#events(events);
  };

  /** Reloads device lists when a device was added or removed: messages only update rows that a list already has. */
  #overview(fresh: Overview): void {
    const old = this.client.getQueryData<Overview>(["overview"]);
    if (old && old.devices_total !== fresh.devices_total) this.#reloadLater("devices");
    this.client.setQueryData(["overview"], fresh);
  }

  #devices(fresh: Map<string, DeviceRow>): void {
    let moved = false;
    this.client.setQueriesData<DevicePage>({ queryKey: ["devices"] }, (page) => {
      if (!page) return page;
      let touched = false;
      const items = page.items.map((row) => {
        const next = fresh.get(row.id);
        if (!next) return row;
        touched = true;
        moved ||= next.status !== row.status;
        return next;
      });
      return touched ? { ...page, items } : page;
    });
    for (const [id, row] of fresh) {
      this.client.setQueryData<DeviceDetail>(["device", id], (old) => {
        if (old && (old.status !== row.status || phaseOf(old) !== phaseOf(row))) this.#reloadLater("device", id);
        return old && { ...old, ...row };
      });
    }
    if (moved) this.#reloadLater("devices");
  }

  #rollouts(fresh: Map<number, Rollout>): void {
    this.client.setQueriesData<RolloutPage>({ queryKey: ["rollouts"] }, (page) => {
      if (!page) return page;
      const known = new Set(page.items.map((row) => row.id));
      if ([...fresh.keys()].some((id) => !known.has(id))) this.#reloadLater("rollouts");
      return { ...page, items: page.items.map((row) => fresh.get(row.id) ?? row) };
    });
    for (const [id, next] of fresh) {
      const old = this.client.getQueryData<Rollout>(["rollout", id]);
      if (!old) continue;
      this.client.setQueryData(["rollout", id], next);
      if (phase(old) !== phase(next)) this.#reloadLater("timeline", id);
    }
  }

  #attempts(fresh: Map<string, AttemptRow>): void {
    this.client.setQueriesData<AttemptPage>({ queryKey: ["attempts"] }, (page) => {
      if (!page?.items.some((row) => fresh.has(row.id))) return page;
      return { ...page, items: page.items.map((row) => fresh.get(row.id) ?? row) };
    });
    for (const rollout of new Set([...fresh.values()].map((row) => row.rollout))) this.#reloadLater("attempts", rollout);
  }

  #events(fresh: EventRow[]): void {
    this.#reloadLater("event-new");
    for (const [key, data] of this.client.getQueriesData<InfiniteData<EventPage>>({ queryKey: ["events"] })) {
      const filter = key[1] as EventFilter;
      const first = data?.pages[0];
      if (!first) continue;
      const newest = first.items[0]?.id ?? 0;
      const mine = fresh.filter((row) => row.id > newest && fits(row, filter)).sort((a, b) => b.id - a.id);
      if (!mine.length) continue;
      const pages = [{ ...first, items: [...mine, ...first.items].slice(0, EVENTS_CACHED_MAX) }, ...data.pages.slice(1)];
      this.client.setQueryData(key, { ...data, pages });
    }
  }

  /** Schedules a reload, at most one per interval: the server owns order, totals and texts. */
  #reloadLater(...key: readonly unknown[]): void {
    this.#stale.set(JSON.stringify(key), key);
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      for (const queryKey of this.#stale.values()) void this.client.invalidateQueries({ queryKey });
      this.#stale.clear();
    }, LISTS_EVERY_MS);
  }
}

const phaseOf = (device: DeviceRow): string => device.slots.map((slot) => slot.phase).join();
const phase = (rollout: Rollout): string => rollout.state + rollout.waves.map((wave) => wave.state).join();

function fits(row: EventRow, filter: EventFilter): boolean {
  return (
    (!filter.device || row.device === filter.device) &&
    (!filter.kind || row.event.kind === filter.kind) &&
    (!filter.label || row.event.label === filter.label)
  );
}
