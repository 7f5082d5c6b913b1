import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { api, read } from "./client";
import type { components, paths } from "./schema";
import type { EventPage, EventRow } from "./types";

export type EventConditions = NonNullable<paths["/api/v1/events"]["get"]["parameters"]["query"]>;
export type EventSummary = components["schemas"]["EventSummary"];
export type Verdict = components["schemas"]["EventReview"]["verdict"];
export type FacetName = keyof EventSummary["facets"];

export const ROWS_PER_PAGE = 50;
/** Most rows of one request. */
export const ROWS_MAX = 500;
const SUMMARY_EVERY_MS = 30_000;
/** For events that came while the stream was being opened. */
const NEW_EVERY_MS = 10_000;
/** Events are stored in the order of their ids, while their times of arrival may differ by this. */
const ARRIVAL_SLACK_S = 5;

const fetchEvents = (query: EventConditions, signal?: AbortSignal): Promise<EventPage> =>
  read(api.GET("/api/v1/events", { params: { query }, signal }));

/** Events of a review, newest first. Unlike `eventsQuery`, the live stream adds nothing to it. */
export const eventListQuery = (filter: EventConditions) =>
  infiniteQueryOptions({
    queryKey: ["event-list", filter],
    queryFn: ({ pageParam, signal }) => fetchEvents({ ...filter, before_id: pageParam, limit: ROWS_PER_PAGE }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next_before_id ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

/** Events that have come since `top` was the newest; messages of the live stream make it stale. */
export const newEventsQuery = (filter: EventConditions, top: EventRow | null) =>
  queryOptions({
    queryKey: ["event-new", filter, top?.id ?? 0],
    queryFn: async ({ signal }) => {
      const since_at = Math.max(filter.since_at ?? 0, (top?.received_at ?? 0) - ARRIVAL_SLACK_S);
      const { items } = await fetchEvents({ ...filter, since_at, limit: 100 }, signal);
      return items.filter(({ id }) => id > (top?.id ?? 0)).length;
    },
    refetchInterval: NEW_EVERY_MS,
  });

/** One event by its number; null if the server has it no longer. */
export const eventQuery = (id: number) =>
  queryOptions({
    queryKey: ["event", id],
    queryFn: async ({ signal }) => {
      const { items } = await fetchEvents({ before_id: id + 1, limit: 1 }, signal);
      return items[0]?.id === id ? items[0] : null;
    },
  });

/** Counts of a period in `parts`, from the time that `since_at` says at each request. `until_at` null: until now. */
export const summaryQuery = (
  filter: EventConditions,
  parts: number,
  since_at: () => number,
  until_at: number | null,
  key: string,
) =>
  queryOptions({
    queryKey: ["event-summary", filter, key],
    queryFn: ({ signal }) => {
      const times = { since_at: since_at(), until_at: until_at ?? Date.now() / 1000 };
      return read(api.GET("/api/v1/events/summary", { params: { query: { ...filter, ...times, parts } }, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: until_at === null ? SUMMARY_EVERY_MS : false,
  });

/** Marks events; null removes their marks. */
export async function reviewEvents(events: readonly number[], verdict: Verdict | null): Promise<void> {
  for (let from = 0; from < events.length; from += ROWS_MAX) {
    const body = { events: events.slice(from, from + ROWS_MAX), verdict };
    await read(api.POST("/api/v1/events/reviews", { body }));
  }
}

/** All events of a filter, page by page. */
export async function* everyEvent(filter: EventConditions, signal: AbortSignal): AsyncGenerator<EventRow[]> {
  let before_id: number | undefined;
  do {
    const page = await fetchEvents({ ...filter, before_id, limit: ROWS_MAX }, signal);
    yield page.items;
    before_id = page.next_before_id ?? undefined;
  } while (before_id !== undefined);
}

/** Writes other marks into the events that are already here. */
export function writeReviews(client: QueryClient, reviews: ReadonlyMap<number, EventRow["review"]>): void {
  const marked = (row: EventRow): EventRow => (reviews.has(row.id) ? { ...row, review: reviews.get(row.id) ?? null } : row);
  client.setQueriesData<{ pages: EventPage[]; pageParams: unknown[] }>(
    { queryKey: ["event-list"] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(marked) })) },
  );
  client.setQueriesData<EventRow | null>({ queryKey: ["event"] }, (row) => row && marked(row));
}
