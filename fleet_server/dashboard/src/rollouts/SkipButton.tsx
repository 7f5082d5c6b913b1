import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { skipWave } from "~/api/actions";
import type { Rollout, Wave } from "~/api/types";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { skipConsequences } from "./consequences";
import { cacheRollout, REASON } from "./cache";

/** Whether a wave can be left out now: the rollout is at work, the wave is of the plan and not over. */
const canSkip = (rollout: Rollout, wave: Wave) =>
  (rollout.state === "running" || rollout.state === "paused") && !wave.lane && wave.state !== "passed" && wave.state !== "skipped";

/** Leave a wave out; asks first, and says what becomes of how many devices. */
export function SkipButton({ rollout, wave }: { rollout: Rollout; wave: Wave }) {
  const may = useMay("operator");
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const question: Confirmation<Rollout> = {
    title: `Skip wave ${wave.name}?`,
    lines: skipConsequences(rollout, wave),
    yes: "Skip the wave",
    no: "Leave it as it is",
    isHard: true,
    why: REASON,
    act: (reason) => skipWave(rollout.id, wave.index, reason),
    done: (fresh) => cacheRollout(client, fresh),
  };
  if (!may || !canSkip(rollout, wave)) return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" color="gray" onClick={() => setAsking(true)} aria-label={`Skip wave ${wave.name}`}>
        Skip
      </Button>
      <ConfirmDialog question={asking ? question : null} onClose={() => setAsking(false)} />
    </>
  );
}
