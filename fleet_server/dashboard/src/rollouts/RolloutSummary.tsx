import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Rollout } from "~/api/types";
import { Since } from "~/components/Ago";
import { SegmentBar } from "~/components/SegmentBar";
import { Tag } from "~/components/Tag";
import { capital, count, percent } from "~/format/numbers";
import { doneOf, isLive, phaseCounts, ROLLOUT_STATE } from "~/format/rollouts";

/** A rollout in a few lines: progress, wave and gate. */
export function RolloutSummary({ rollout }: { rollout: Rollout }) {
  const word = ROLLOUT_STATE[rollout.state];
  const wave = rollout.waves.find((each) => each.state === "running" || each.state === "soaking" || each.state === "failed");
  return (
    <div>
      <Group gap="xs" mb={8} wrap="nowrap">
        <Link
          to="/rollouts/$id"
          params={{ id: rollout.id }}
          className="strong-link"
          style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
        >
          {rollout.name}
        </Link>
        <Tag tone={word.tone} text={word.text} live={isLive(rollout.state)} />
        <Text fz="sm" ml="auto" className="num" style={{ whiteSpace: "nowrap" }}>
          <b>{count(doneOf(rollout))}</b>
          <Text span c="dimmed" fz="sm">
            {" "}
            / {count(rollout.total)} · {percent(doneOf(rollout), rollout.total)}
          </Text>
        </Text>
      </Group>
      <SegmentBar label={rollout.name} segments={phaseCounts(rollout.outcomes)} keys />
      <Text fz="sm" c="dimmed" mt={6}>
        {rollout.state === "paused"
          ? capital(rollout.state_reason || "paused by an operator")
          : wave && `Wave ${wave.index + 1} of ${rollout.waves.length}, ${wave.name}: ${wave.gate.text}`}
        {rollout.started_at && rollout.state === "running" && (
          <>
            {" · "}
            <Since at={rollout.started_at} prefix="for " />
          </>
        )}
      </Text>
    </div>
  );
}
