import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { eventListQuery, newEventsQuery, type EventConditions } from "~/api/events";

/**
 * Events of a filter, newest first, as they were when it was opened: what comes later is counted, and shown on `showNew`.
 * `isOpen`: whether new events can match.
 */
export function useEventList(filter: EventConditions, isOpen: boolean) {
  const client = useQueryClient();
  const query = eventListQuery(filter);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData } = useInfiniteQuery(query);
  const key = JSON.stringify(filter);
  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const [top, setTop] = useState<{ key: string; id: number } | null>(null);
  const isMine = data !== undefined && !isPlaceholderData;
  if (isMine && top?.key !== key) setTop({ key, id: loaded[0]?.id ?? 0 });
  const known = isMine && top?.key === key ? top.id : undefined;
  const rows = useMemo(() => (known === undefined ? loaded : loaded.filter(({ id }) => id <= known)), [loaded, known]);
  const { data: fresh } = useQuery({
    ...newEventsQuery(filter, rows[0] ?? null),
    enabled: isOpen && known !== undefined,
  });
  const showNew = async () => {
    setTop({ key, id: Number.POSITIVE_INFINITY });
    const newest = () => client.getQueryData(query.queryKey)?.pages[0]?.items[0]?.id ?? 0;
    await client.fetchInfiniteQuery({ ...query, staleTime: 0, pages: 1 }).finally(() => setTop({ key, id: newest() }));
    void client.invalidateQueries({ queryKey: ["event-summary"] });
  };
  return {
    rows,
    fresh: isOpen && known !== undefined ? (fresh ?? 0) : 0,
    showNew,
    isLoading: data === undefined,
    isStale: isPlaceholderData,
    error,
    refetch,
    older: { has: hasNextPage, isLoading: isFetchingNextPage, load: () => void fetchNextPage() },
  };
}
