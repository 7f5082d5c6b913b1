import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Listener = (event: object) => void;

/** Runs the service worker with the parts of its global scope that it uses. */
function worker(open: { url: string; focus: () => string }[] = []) {
  const listeners = new Map<string, Listener>();
  const shown: [string, object][] = [];
  const scope = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    location: { origin: "https://fleet.example.org" },
    registration: { showNotification: (title: string, options: object) => shown.push([title, options]) },
    clients: { matchAll: () => Promise.resolve(open), openWindow: (url: string) => `opened ${url}` },
  };
  const source = readFileSync(new URL("../../public/push-worker.js", import.meta.url), "utf8");
  new Function("self", source)(scope);
  const send = async (name: string, event: object): Promise<unknown> => {
    let waited: unknown;
    listeners.get(name)?.({ ...event, waitUntil: (work: unknown) => (waited = work) });
    return await waited;
  };
  return { send, shown };
}

const clicked = (path: string) => ({ notification: { close: () => undefined, data: { path } } });

describe("the service worker", () => {
  it("shows a notice, in place of an earlier one about the same alert", async () => {
    const { send, shown } = worker();
    const notice = { title: "Critical: hot, dev-1", body: "91", tag: "alert-17", path: "/devices/dev-1", over: false };
    await send("push", { data: { json: () => notice } });
    await send("push", { data: null });
    expect(shown).toEqual([
      ["Critical: hot, dev-1", { body: "91", tag: "alert-17", icon: "/favicon.svg", data: { path: "/devices/dev-1" } }],
      ["edgefleet", { body: "", tag: "edgefleet", icon: "/favicon.svg", data: { path: "/alerts" } }],
    ]);
  });

  it("opens the page of a notice, or brings the one that is open to the front", async () => {
    expect(await worker().send("notificationclick", clicked("/devices/d"))).toBe("opened https://fleet.example.org/devices/d");
    const page = { url: "https://fleet.example.org/alerts", focus: () => "focused" };
    expect(await worker([page]).send("notificationclick", clicked("/alerts"))).toBe("focused");
  });
});
