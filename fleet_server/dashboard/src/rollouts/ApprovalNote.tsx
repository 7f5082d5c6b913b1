import { Button } from "@mantine/core";
import IconHandStop from "@tabler/icons-react/dist/esm/icons/IconHandStop.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ErrorText } from "~/components/States";
import { useMay } from "~/components/role";
import { approveRollout } from "~/api/actions";
import type { Rollout } from "~/api/types";
import classes from "./RolloutPage.module.css";

/** The pending approval: of the rollout by a second person, or of its next wave. Null if none. */
function pendingApproval(rollout: Rollout): { wave: number | null; text: string } | null {
  if (rollout.state === "awaiting_approval")
    return {
      wave: null,
      text: "A second person must approve the rollout before it starts; its creator cannot. The approval selects the devices anew.",
    };
  if (rollout.state !== "running") return null;
  const next = rollout.waves.find((wave) => wave.state === "pending");
  const busy = rollout.waves.some((wave) => wave.state === "running" || wave.state === "soaking");
  return next?.approval && !next.approved_by && !busy
    ? { wave: next.index, text: `Wave ${next.name} starts after approval.` }
    : null;
}

export function ApprovalNote({ rollout }: { rollout: Rollout }) {
  const client = useQueryClient();
  const mayAct = useMay("operator");
  const approval = pendingApproval(rollout);
  const approve = useMutation({
    mutationFn: (wave: number | null) => approveRollout(rollout.id, wave),
    onSuccess: (fresh) => {
      client.setQueryData(["rollout", rollout.id], fresh);
      void client.invalidateQueries({ queryKey: ["timeline", rollout.id] });
    },
  });
  if (!approval) return null;
  return (
    <div className={classes.note} data-tone="warn" role="status">
      <IconHandStop size={20} stroke={1.8} aria-hidden />
      <div style={{ flex: 1 }}>
        <b>Awaiting approval.</b> {approval.text}
        <ErrorText error={approve.error} />
      </div>
      {mayAct && (
        <Button size="compact-md" loading={approve.isPending} onClick={() => approve.mutate(approval.wave)}>
          Approve
        </Button>
      )}
    </div>
  );
}
