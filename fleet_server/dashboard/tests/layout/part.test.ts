import { describe, expect, it, vi } from "vitest";
import { MissingPart, part } from "~/layout/part";

describe("a part of the dashboard", () => {
  it("is loaded, and stays failed once it could not be", async () => {
    const load = vi.fn().mockResolvedValueOnce("page").mockRejectedValue(new TypeError("404"));
    const page = part(load);
    expect(await page()).toBe("page");
    await expect(page()).rejects.toBeInstanceOf(MissingPart);
    await expect(page()).rejects.toMatchObject({ cause: new TypeError("404"), message: /server was updated/ });
    expect(load).toHaveBeenCalledTimes(2);
  });
});
