import { describe, expect, it } from "vitest";
import { ApiError, done, lineOf, read, whole } from "~/api/client";

const ok = new Response(null, { status: 200 });
const status = (code: number): Response => new Response(null, { status: code });

describe("the line of an error", () => {
  it.each([
    [{ detail: "no such device: line-7" }, 404, "no such device: line-7"],
    ["disk full", 507, "disk full"],
    [{ detail: "" }, 500, "the server responded with 500"],
    [null, 502, "the server responded with 502"],
    [undefined, 503, "the server responded with 503"],
    [{ error: "x" }, 418, "the server responded with 418"],
    [{ detail: { nested: true } }, 400, "the server responded with 400"],
  ])("%j with %d", (body, code, line) => {
    expect(lineOf(body, code)).toBe(line);
  });

  it("names each field of a validation error", () => {
    const detail = [
      { loc: ["body", "waves", 0, "percent"], msg: "must be below 100" },
      { loc: ["query", "page"] },
      { msg: "no field" },
    ];
    expect(lineOf({ detail }, 422)).toBe("waves.0.percent: must be below 100; page: not valid; : no field");
  });
});

describe("a response", () => {
  it("gives its data", async () => {
    expect(await read(Promise.resolve({ data: { id: 7 }, response: ok }))).toEqual({ id: 7 });
    expect(await read(Promise.resolve({ data: null, response: ok }))).toBeNull();
  });

  it("is an error with the server's text and status", async () => {
    const failed = read(Promise.resolve({ error: { detail: "not allowed" }, response: status(403) }));
    await expect(failed).rejects.toThrow(new ApiError("not allowed", 403));
    await expect(failed).rejects.toMatchObject({ status: 403, name: "ApiError" });
  });

  it("that never came has status 0; a request that the page gave up stays what it is", async () => {
    await expect(read(Promise.reject(new TypeError("fetch failed")))).rejects.toMatchObject({
      status: 0,
      message: /does not respond/,
    });
    await expect(read(Promise.reject(new DOMException("left", "AbortError")))).rejects.toMatchObject({ name: "AbortError" });
  });

  it("without a body is done, or an error", async () => {
    await expect(done(Promise.resolve({ response: status(204) }))).resolves.toBeUndefined();
    await expect(done(Promise.resolve({ error: { detail: "busy" }, response: status(409) }))).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe("a list that comes page by page", () => {
  it("is asked for until it is whole", async () => {
    const pages: Record<string, { items: number[]; next_after: string | null }> = {
      "": { items: [1, 2], next_after: "b" },
      b: { items: [3], next_after: null },
    };
    expect((await whole(async (after) => pages[after ?? ""] ?? { items: [], next_after: null })).items).toEqual([1, 2, 3]);
    expect(await whole(async () => ({ items: [1] }))).toEqual({ items: [1] });
  });
});
