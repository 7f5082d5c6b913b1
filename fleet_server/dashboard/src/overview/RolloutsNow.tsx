import { Group, Stack, Text } from "@mantine/core";
import IconRocket from "@tabler/icons-react/dist/esm/icons/IconRocket.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rolloutsQuery } from "~/api/queries";
import type { Rollout } from "~/api/types";
import { useTopics } from "~/live/LiveProvider";
import { Since } from "~/parts/Ago";
import { ButtonLink } from "~/parts/links";
import { Empty, Fault, Loading } from "~/parts/Plain";
import { SegmentBar } from "~/parts/SegmentBar";
import { Tag } from "~/parts/Tag";
import { count, percent } from "~/words/numbers";
import { doneOf, isLive, phaseCounts, ROLLOUT_STATE } from "~/words/rollouts";

const SHOWN_MAX = 3;

/** What is on its way, and what waits for a decision. */
export function RolloutsNow() {
  useTopics("rollouts");
  const { data, error, refetch } = useQuery(rolloutsQuery({ state: ["running", "paused", "aborting", "rolling_back"], size: 20 }));
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  const busy = data.items.filter((rollout) => isLive(rollout.state) || rollout.state === "paused");
  if (!busy.length) {
    return (
      <Empty icon={IconRocket} title="Nothing is being rolled out" action={<ButtonLink to="/rollouts/new">New rollout</ButtonLink>}>
        A rollout brings a version to the fleet in waves, and stops by itself when devices refuse it.
      </Empty>
    );
  }
  return (
    <Stack gap="lg">
      {busy.slice(0, SHOWN_MAX).map((rollout) => (
        <RolloutNow key={rollout.id} rollout={rollout} />
      ))}
      {busy.length > SHOWN_MAX && (
        <Link to="/rollouts" className="link">
          {busy.length - SHOWN_MAX} more
        </Link>
      )}
    </Stack>
  );
}

function RolloutNow({ rollout }: { rollout: Rollout }) {
  const word = ROLLOUT_STATE[rollout.state];
  const wave = rollout.waves.find((each) => each.state === "running" || each.state === "soaking" || each.state === "failed");
  return (
    <div>
      <Group gap="xs" mb={8} wrap="nowrap">
        <Link to="/rollouts/$id" params={{ id: rollout.id }} className="strong-link" style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>
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
      <SegmentBar label={rollout.name} segments={phaseCounts(rollout.counts)} keys />
      <Text fz="sm" c="dimmed" mt={6}>
        {rollout.state === "paused"
          ? rollout.state_reason || "Paused by an operator"
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
