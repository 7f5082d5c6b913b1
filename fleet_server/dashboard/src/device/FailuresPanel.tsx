import { Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Ago } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { Tag } from "~/components/Tag";
import { many } from "~/format/numbers";
import { reasonText, remedyText } from "~/format/reasons";
import type { FailureGroup } from "./failures";

/** Why updates of a device failed, what to do, and in which rollouts. */
export function FailuresPanel({ groups }: { groups: readonly FailureGroup[] }) {
  return (
    <Panel title="Failures by reason" note="Most frequent first">
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {groups.map(({ reason, count, rollouts, latest }) => (
          <li key={reason}>
            <Tag tone="bad" text={many(count, "failure")} />{" "}
            <b>{reasonText(reason) || latest.explanation || "No reason reported"}</b>
            <Text fz="sm">{remedyText(reason)}</Text>
            <Text fz="xs" c="dimmed">
              Latest <Ago at={latest.updated_at} /> ·{" "}
              {rollouts.map((rollout) => (
                <Link key={rollout} to="/rollouts/$id" params={{ id: rollout }} className="link" style={{ marginRight: 6 }}>
                  Rollout {rollout}
                </Link>
              ))}
            </Text>
          </li>
        ))}
      </Stack>
    </Panel>
  );
}
