import { Stack } from "@mantine/core";
import IconRocket from "@tabler/icons-react/dist/esm/icons/IconRocket.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rolloutsQuery } from "~/api/queries";
import { useTopics } from "~/live/LiveProvider";
import { NewRolloutLink } from "~/rollouts/NewRolloutLink";
import { Empty, Fault, Loading } from "~/components/States";
import { RolloutSummary } from "~/rollouts/RolloutSummary";
import { isLive } from "~/format/rollouts";

const SHOWN_MAX = 3;

/** Rollouts that run, and those that need a decision. */
export function RolloutsNow() {
  useTopics("rollouts");
  const { data, error, refetch } = useQuery(
    rolloutsQuery({ state: ["running", "paused", "aborting", "rolling_back"], size: 20 }),
  );
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={4} />;
  const busy = data.items.filter((rollout) => isLive(rollout.state) || rollout.state === "paused");
  if (!busy.length) {
    return (
      <Empty icon={IconRocket} title="No active rollouts" action={<NewRolloutLink />}>
        A rollout updates the fleet in waves and stops automatically if too many devices fail.
      </Empty>
    );
  }
  return (
    <Stack gap="lg">
      {busy.slice(0, SHOWN_MAX).map((rollout) => (
        <RolloutSummary key={rollout.id} rollout={rollout} />
      ))}
      {busy.length > SHOWN_MAX && (
        <Link to="/rollouts" className="link">
          {busy.length - SHOWN_MAX} more
        </Link>
      )}
    </Stack>
  );
}
