import { describe, expect, it } from "vitest";
import { ApiError, fieldsOf } from "~/api/client";
import { fieldErrors } from "~/components/fieldErrors";

const problem = {
  detail: "rule.above: must be a number; name: is missing",
  errors: [
    { detail: "must be a number", pointer: "#/rule/above" },
    { detail: "is missing", pointer: "#/name" },
    { detail: "must be text", pointer: "#/labels/a%20b" },
    { detail: "must be at least 1", parameter: "page" },
  ],
};
const error = new ApiError(problem.detail, 422, fieldsOf(problem));

describe("errors of fields", () => {
  it("are found at their place and within it", () => {
    const { at, rest } = fieldErrors(error, { limit: ["/rule/above", "/rule/below"], name: "/name", labels: "/labels" });
    expect(at).toEqual({ limit: "Must be a number", name: "Is missing", labels: "Must be text" });
    expect(rest).toBeNull();
  });

  it("that no field shows stay for the end of the form", () => {
    const { at, rest } = fieldErrors(error, { name: "/name", other: "/nam" });
    expect([at, rest]).toEqual([{ name: "Is missing" }, error]);
  });

  it("are none in any other error", () => {
    const plain = new Error("offline");
    expect(fieldErrors(plain, { name: "/name" })).toEqual({ at: {}, rest: plain });
    expect(fieldErrors(null, { name: "/name" })).toEqual({ at: {}, rest: null });
    expect([fieldsOf(null), fieldsOf({ errors: "x" }), fieldsOf({ detail: "x" })]).toEqual([[], [], []]);
  });
});
