import { expect, it } from "vitest";
import type { Session } from "~/api/people";
import { may, rolesText } from "~/components/role";

const session = (grants: Session["grants"], role: Session["role"]): Session => ({
  mode: "required",
  user: "otto",
  via: "session",
  expires_at: null,
  openid: null,
  proposes: false,
  role,
  grants,
});

it("a role for a group is none for what belongs to the whole fleet", () => {
  const otto = session(
    [
      { role: "viewer", group: null },
      { role: "operator", group: "lyon" },
    ],
    "operator",
  );
  expect(may(otto, "operator")).toBe(true);
  expect(may(otto, "operator", "all")).toBe(false);
  expect(may(otto, "viewer", "all")).toBe(true);
  expect(may(otto, "admin")).toBe(false);
  expect(rolesText(otto.grants ?? [])).toBe("Viewer, operator for lyon");
});

it("servers without grants have roles for all devices", () => {
  expect(may(session(undefined, "operator"), "operator", "all")).toBe(true);
  expect(may(undefined, "viewer")).toBe(false);
});
