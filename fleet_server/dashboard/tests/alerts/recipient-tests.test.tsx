import { readFileSync } from "node:fs";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sessionQuery } from "~/api/people";
import type { Recipient, RecipientKind } from "~/api/recipients";
import { FIELDS, KINDS } from "~/alerts/recipients";
import { Recipients } from "~/alerts/RecipientsPanel";

const tested = vi.fn((_id: number) => Promise.resolve({ delivered: true, error: "" }));
vi.mock("~/api/recipients", async (original) => ({
  ...(await original<typeof import("~/api/recipients")>()),
  testRecipient: (id: number) => tested(id),
}));

/** The kinds that the server takes. */
const served = JSON.parse(readFileSync("../../docs/openapi.json", "utf8")).components.schemas.AlertRecipientRequest.properties
  .kind.enum as RecipientKind[];

function recipient(kind: RecipientKind, id: number): Recipient {
  const empty = { url: "", secret: "", emails: [], topic: "", key: "", groups: [], severities: [] };
  return { ...empty, id, name: `my ${kind}`, kind, enabled: true } as unknown as Recipient;
}

function shown(role: "viewer" | "operator") {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(sessionQuery.queryKey, { role } as never);
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <Recipients recipients={served.map(recipient)} mayChange={false} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

describe("recipients of every kind that the server knows", () => {
  beforeEach(() => tested.mockClear());

  it("are some", () => {
    expect(served.length).toBeGreaterThan(5);
  });

  it.each(served)("%s has a name, and a form or the button of this browser", (kind) => {
    expect(KINDS[kind]).toBeTruthy();
    expect(kind === "push" || kind in FIELDS).toBe(true);
  });

  it.each(served)("%s has a button that sends its test", async (kind) => {
    shown("operator");
    fireEvent.click(screen.getByRole("button", { name: `Test my ${kind}` }));
    await waitFor(() => expect(tested).toHaveBeenCalledTimes(1));
    expect(tested).toHaveBeenCalledWith(served.indexOf(kind));
  });

  it("have none for those who may not test", () => {
    shown("viewer");
    expect(screen.queryAllByRole("button")).toEqual([]);
  });
});
