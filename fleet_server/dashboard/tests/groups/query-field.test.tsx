import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { api } from "~/api/client";
import { selectorText } from "~/groups/GroupsPage";
import { QueryField } from "~/groups/QueryField";

const FAULT = "query, position 8: expected a value, found the end";

function Field() {
  const [query, setQuery] = useState("");
  return <QueryField value={query} onChange={setQuery} />;
}

describe("the field of a query", () => {
  afterEach(() => vi.restoreAllMocks());

  it("shows how many devices match, or where it is wrong", async () => {
    const requests: string[] = [];
    vi.spyOn(api, "GET").mockImplementation(((_path: string, { params }: { params: { query: { query: string } } }) => {
      const { query } = params.query;
      requests.push(query);
      return Promise.resolve(
        query.endsWith("=")
          ? { error: { detail: FAULT }, response: new Response(null, { status: 422 }) }
          : { data: { items: [], total: 7 }, response: new Response() },
      );
    }) as never);
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider env="test">
          <Field />
        </MantineProvider>
      </QueryClientProvider>,
    );
    const field = screen.getByLabelText("Query");
    fireEvent.change(field, { target: { value: "site = lyon" } });
    expect((await screen.findByRole("status")).textContent).toBe("7 devices match the query");
    fireEvent.change(field, { target: { value: "site =" } });
    expect(await screen.findByText(FAULT)).toBeTruthy();
    expect(screen.queryByRole("status")).toBeNull();
    expect(requests).toEqual(["site = lyon", "site ="]);
  });
});

it("is part of the text of a selector", () => {
  const selector = { all: false, ids: ["line-7"], labels: { site: "lyon" }, query: "agent < 0.3" };
  expect(selectorText({ selector })).toBe("site=lyon and (agent < 0.3), and 1 device by ID");
  expect(selectorText({ selector: { ...selector, labels: {}, ids: [] } })).toBe("agent < 0.3");
});
