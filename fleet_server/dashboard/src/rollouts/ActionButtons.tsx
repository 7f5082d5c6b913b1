import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconPlayerPause from "@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { actOnRollout, type RolloutAction } from "~/api/actions";
import type { Rollout, RolloutState } from "~/api/types";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { consequences, mainAction } from "./consequences";
import { cacheRollout, REASON } from "./cache";

const ICONS = {
  start: IconPlayerPlay,
  pause: IconPlayerPause,
  resume: IconPlayerPlay,
  abort: IconPlayerStop,
  rollback: IconArrowBackUp,
};
const NAMES: Record<RolloutAction, string> = {
  start: "Start",
  pause: "Pause",
  resume: "Resume",
  abort: "Abort",
  rollback: "Roll back",
};
const OFFERED: Record<RolloutState, readonly RolloutAction[]> = {
  draft: ["abort", "start"],
  awaiting_approval: ["abort"],
  running: ["rollback", "abort", "pause"],
  paused: ["rollback", "abort", "resume"],
  completed: ["rollback"],
  aborting: [],
  aborted: ["rollback"],
  rolling_back: [],
  rolled_back: [],
};

/** Operator actions possible in the current state, each after confirmation. */
export function ActionButtons({ rollout }: { rollout: Rollout }) {
  const may = useMay("operator");
  const [chosen, setChosen] = useState<RolloutAction | null>(null);
  const client = useQueryClient();
  const confirmationOf = (action: RolloutAction): Confirmation<Rollout> => ({
    title: `${NAMES[action]} ${rollout.name}?`,
    lines: consequences(rollout, action),
    yes: NAMES[action],
    isDestructive: action === "abort" || action === "rollback",
    why: REASON,
    act: (reason) => actOnRollout(rollout.id, action, reason),
    done: (fresh) => {
      cacheRollout(client, fresh);
      void client.invalidateQueries({ queryKey: ["rollouts"] });
      notifications.show({ message: `${NAMES[action]}: done`, color: "teal" });
    },
  });
  if (!may) return null;
  return (
    <>
      {OFFERED[rollout.state].map((action) => {
        const Sign = ICONS[action];
        return (
          <Button
            key={action}
            variant={action === mainAction(rollout) ? "filled" : "default"}
            leftSection={<Sign size={16} stroke={1.8} aria-hidden />}
            onClick={() => setChosen(action)}
          >
            {NAMES[action]}
          </Button>
        );
      })}
      <ConfirmDialog question={chosen && confirmationOf(chosen)} onClose={() => setChosen(null)} />
    </>
  );
}
