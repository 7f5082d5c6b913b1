import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { timelineQuery } from "~/api/queries";
import type { TimelineItem } from "~/api/types";
import { Ago } from "~/parts/Ago";
import { Fault, Loading } from "~/parts/Plain";
import type { Tone } from "~/words/tones";
import classes from "./RolloutPage.module.css";

/** What happened, newest first. */
export function TimelineList({ rollout }: { rollout: number }) {
  const { data, error } = useQuery(timelineQuery(rollout));
  if (error && !data) return <Fault error={error} />;
  if (!data) return <Loading rows={4} />;
  if (!data.items.length) {
    return (
      <Text fz="sm" c="dimmed">
        Nothing yet.
      </Text>
    );
  }
  return (
    <ol className={classes.timeline} tabIndex={0} aria-label="Timeline">
      {data.items.toReversed().map((item) => (
        <li key={`${item.at} ${item.kind} ${item.text}`} data-tone={toneOf(item)}>
          {item.device ? (
            <Link to="/devices/$id" params={{ id: item.device }} search={{ tab: "updates" }} className="strong-link" style={{ fontWeight: 450 }}>
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

function toneOf({ kind, text }: TimelineItem): Tone {
  const said = `${kind} ${text}`.toLowerCase();
  if (/fail|breach|over the limit|rolled back|rolled_back|refused|timed out/.test(said)) return "bad";
  if (/paus|abort|rolling/.test(said)) return "warn";
  if (/pass|complet|resum/.test(said)) return "ok";
  return /start|began|soak/.test(said) ? "busy" : "off";
}
