import { describe, expect, it } from "vitest";
import { reasonText, remedyText } from "~/format/reasons";
import page from "../../../../docs/rollouts.md?raw";

/** Those of the server: its table is tested against this page. */
const codes = [...page.matchAll(/^\| `([a-z_]+)` \| (?:version|device|line|operator) \|/gm)].flatMap(([, code]) =>
  code ? [code] : [],
);

describe("reasons", () => {
  it("are those of the server", () => {
    expect(codes.length).toBeGreaterThan(40);
    expect(codes).toEqual(expect.arrayContaining(["golden_mismatch", "disk_read_only", "rollback_failed"]));
  });

  it.each(codes)("%s has a sentence of its own", (code) => {
    expect(reasonText(code)).not.toBe(code.replaceAll("_", " "));
    expect(reasonText(code)).toMatch(/^[A-Z].*[^.]$/);
  });

  it("of a newer agent are shown by their names, and none is shown by nothing", () => {
    expect([reasonText("cosmic_ray"), remedyText("cosmic_ray")]).toEqual(["cosmic ray", ""]);
    expect([reasonText(""), reasonText("none"), remedyText("none")]).toEqual(["", "", ""]);
    expect(remedyText("golden_mismatch")).toContain("kept its previous version");
  });
});
