import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { timelineQuery } from "~/api/queries";
import type { TimelineItem } from "~/api/types";
import { Ago } from "~/components/Ago";
import { Fault, Loading } from "~/components/States";
import type { Tone } from "~/format/tones";
import classes from "./RolloutPage.module.css";

/** Timeline of the rollout, newest first. */
export function TimelineList({ rollout }: { rollout: number }) {
  const { data, error } = useQuery(timelineQuery(rollout));
  if (error && !data) return <Fault error={error} />;
  if (!data) return <Loading rows={4} />;
  if (!data.items.length) {
    return (
      <Text fz="sm" c="dimmed">
        No entries yet.
      </Text>
    );
  }
  return (
    <ol className={classes.timeline} tabIndex={0} aria-label="Timeline">
      {data.items.toReversed().map((item) => (
        <li key={`${item.at} ${item.kind} ${item.text}`} data-tone={toneOf(item)}>
          {item.device ? (
            <Link
              to="/devices/$id"
              params={{ id: item.device }}
              search={{ tab: "updates" }}
              className="strong-link"
              style={{ fontWeight: 450 }}
            >
              {item.text}
            </Link>
          ) : (
            item.text
          )}
          <small>
            <Ago at={item.at} />
          </small>
        </li>
      ))}
    </ol>
  );
}

function toneOf({ kind }: TimelineItem): Tone {
  if (/^device_|failed|rolled_back/.test(kind)) return "bad";
  if (/paused|abort|rolling/.test(kind)) return "warn";
  if (/passed|completed|resumed/.test(kind)) return "ok";
  return /running|soaking|started/.test(kind) ? "busy" : "off";
}
