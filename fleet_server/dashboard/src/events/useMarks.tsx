import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { reviewEvents, writeReviews, type Verdict } from "~/api/events";
import { sessionQuery } from "~/api/people";
import type { EventRow } from "~/api/types";
import { now_s } from "~/format/time";
import { backOf, marksText, type Review } from "./marks";

const NOTICE = "event-marks";

export interface Marks {
  mark: (rows: readonly EventRow[], verdict: Verdict | null) => void;
  undo: () => void;
}

/** Marks events, and takes the steps back one by one. Marks are shown at once, and as they were if the server refuses. */
export function useMarks(): Marks {
  const client = useQueryClient();
  const steps = useRef<(readonly EventRow[])[]>([]);

  const show = (rows: readonly EventRow[], review: (row: EventRow) => Review) =>
    writeReviews(client, new Map(rows.map((row) => [row.id, review(row)])));
  const failed = (rows: readonly EventRow[], error: Error) => {
    void client.invalidateQueries({ queryKey: ["event-list"] });
    show(rows, ({ review }) => review);
    notifications.show({ message: error.message, color: "red" });
  };
  const counted = () => void client.invalidateQueries({ queryKey: ["event-summary"] });

  const mark = (rows: readonly EventRow[], verdict: Verdict | null) => {
    const by = client.getQueryData(sessionQuery.queryKey)?.user ?? "";
    const review = verdict && { verdict, by, at: now_s() };
    show(rows, () => review);
    reviewEvents(
      rows.map(({ id }) => id),
      verdict,
    ).then(
      () => {
        steps.current.push(rows);
        counted();
        notifications.hide(NOTICE);
        notifications.show({
          id: NOTICE,
          message: (
            <Group justify="space-between" wrap="nowrap">
              {marksText(rows.length, verdict)}
              <Button size="compact-sm" variant="light" onClick={undo}>
                Undo
              </Button>
            </Group>
          ),
        });
      },
      (error: Error) => failed(rows, error),
    );
  };

  const undo = () => {
    const rows = steps.current.pop();
    if (!rows) return;
    notifications.hide(NOTICE);
    show(rows, ({ review }) => review);
    Promise.all([...backOf(rows)].map(([verdict, ids]) => reviewEvents(ids, verdict))).then(counted, (error: Error) =>
      failed([], error),
    );
  };
  return { mark, undo };
}
