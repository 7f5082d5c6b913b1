import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { skipWave } from "~/api/actions";
import type { Rollout, Wave } from "~/api/types";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { skipConsequences } from "./consequences";
import { cacheRollout, REASON } from "./cache";

/** True if the rollout is active, and the wave is planned and not finished. */
const canSkip = (rollout: Rollout, wave: Wave) =>
  (rollout.state === "running" || rollout.state === "paused") &&
  !wave.late_joiners &&
  wave.state !== "passed" &&
  wave.state !== "skipped";

/** Skips a wave, after confirmation. */
export function SkipButton({ rollout, wave }: { rollout: Rollout; wave: Wave }) {
  const may = useMay("operator");
  const client = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const question: Confirmation<Rollout> = {
    title: `Skip wave ${wave.name}?`,
    lines: skipConsequences(rollout, wave),
    yes: "Skip wave",
    isDestructive: true,
    why: REASON,
    act: (reason) => skipWave(rollout.id, wave.index, reason),
    done: (fresh) => cacheRollout(client, fresh),
  };
  if (!may || !canSkip(rollout, wave)) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        color="gray"
        onClick={() => setConfirming(true)}
        aria-label={`Skip wave ${wave.name}`}
      >
        Skip
      </Button>
      <ConfirmDialog question={confirming ? question : null} onClose={() => setConfirming(false)} />
    </>
  );
}
