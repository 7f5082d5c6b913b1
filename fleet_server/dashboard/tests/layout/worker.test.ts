import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Listener = (event: object) => void;

/** What the service worker answers to a request; undefined if it leaves it to the browser. isUp: the server answers. */
async function answered(request: { mode: string; url: string }, isUp: boolean): Promise<unknown> {
  const listeners = new Map<string, Listener>();
  const scope = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    fetch: ({ url }: { url: string }) => (isUp ? Promise.resolve(`fetched ${url}`) : Promise.reject(new TypeError("down"))),
    caches: { match: (path: string) => Promise.resolve(`kept ${path}`) },
  };
  new Function("self", readFileSync(new URL("../../public/push-worker.js", import.meta.url), "utf8"))(scope);
  let answer: unknown;
  listeners.get("fetch")?.({ request, respondWith: (found: unknown) => (answer = found) });
  return await answer;
}

const PAGE = { mode: "navigate", url: "https://fleet.example.org/events" };

describe("the service worker", () => {
  it("shows a page of its own when the server cannot be reached", async () => {
    expect(await answered(PAGE, true)).toBe("fetched https://fleet.example.org/events");
    expect(await answered(PAGE, false)).toBe("kept /offline.html");
    expect(await answered({ mode: "no-cors", url: "https://fleet.example.org/offline.css" }, false)).toBe("kept /offline.css");
  });

  it("keeps no data: it leaves every other request to the browser", async () => {
    expect(await answered({ mode: "cors", url: "https://fleet.example.org/api/v1/devices" }, false)).toBeUndefined();
  });
});
