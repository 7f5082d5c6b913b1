import { Button, Group, Kbd } from "@mantine/core";
import type { Verdict } from "~/api/events";
import type { EventRow } from "~/api/types";
import { Tag } from "~/components/Tag";
import { toggled, VERDICT, VERDICTS } from "./marks";

/** The mark of an event, if it has one. */
export function MarkTag({ row }: { row: EventRow }) {
  if (!row.review) return null;
  const { tone, text } = VERDICT[row.review.verdict];
  return <Tag tone={tone} text={text} />;
}

/** A button for each mark; those that all events have are pressed, and a second click removes them. */
export function MarkButtons({ rows, onMark }: { rows: readonly EventRow[]; onMark: (verdict: Verdict | null) => void }) {
  return (
    <Group gap={6} role="group" aria-label="Mark">
      {VERDICTS.map((verdict) => {
        const isSet = rows.length > 0 && toggled(rows, verdict) === null;
        return (
          <Button
            key={verdict}
            size="compact-sm"
            variant={isSet ? "filled" : "default"}
            aria-pressed={isSet}
            title={`Key ${VERDICT[verdict].key.toUpperCase()}`}
            onClick={() => onMark(toggled(rows, verdict))}
          >
            {VERDICT[verdict].does}
          </Button>
        );
      })}
    </Group>
  );
}

const KEYS: readonly (readonly [string, string])[] = [
  ["J / K", "Next, previous event"],
  ["↓ / ↑", "The same, in the list"],
  ["Enter", "Open"],
  ["Esc", "Close"],
  ["S", "Seen, or unseen again"],
  ["C", "Confirm"],
  ["F", "False alarm"],
  ["U", "Remove the mark"],
  ["X", "Select"],
  ["Z", "Undo the last mark"],
  ["?", "This list"],
];

/** The keys of the list. */
export function KeyList({ may }: { may: boolean }) {
  const shown = may ? KEYS : KEYS.filter(([key]) => !["S", "C", "F", "U", "X", "Z"].includes(key));
  return (
    <table aria-label="Keys">
      <tbody>
        {shown.map(([key, text]) => (
          <tr key={key}>
            <td>
              <Kbd size="xs">{key}</Kbd>
            </td>
            <td style={{ paddingLeft: 12, fontSize: "0.8125rem" }}>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
