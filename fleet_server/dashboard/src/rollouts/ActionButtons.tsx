import { Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconPlayerPause from "@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs";
import IconPlayerPlay from "@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs";
import IconPlayerStop from "@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/account/role";
import { actOnRollout, type RolloutAction } from "~/api/actions";
import type { Rollout, RolloutState } from "~/api/types";
import { consequences } from "./consequences";

const ICONS = { start: IconPlayerPlay, pause: IconPlayerPause, resume: IconPlayerPlay, abort: IconPlayerStop, rollback: IconArrowBackUp };
const NAMES: Record<RolloutAction, string> = { start: "Start", pause: "Pause", resume: "Resume", abort: "Abort", rollback: "Roll back" };
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

/** What can be done now. Each asks first, and says what will happen to how many devices. */
export function ActionButtons({ rollout }: { rollout: Rollout }) {
  const may = useMay("operator");
  const [asked, setAsked] = useState<RolloutAction | null>(null);
  if (!may) return null;
  return (
    <>
      {OFFERED[rollout.state].map((action) => {
        const Sign = ICONS[action];
        const isMain = action === "start" || action === "resume" || action === "pause";
        return (
          <Button key={action} variant={isMain ? "filled" : "default"} leftSection={<Sign size={16} stroke={1.8} aria-hidden />} onClick={() => setAsked(action)}>
            {NAMES[action]}
          </Button>
        );
      })}
      <Modal opened={asked !== null} onClose={() => setAsked(null)} title={asked && <b>{`${NAMES[asked]} ${rollout.name}?`}</b>}>
        {asked && <Confirm key={asked} rollout={rollout} action={asked} onClose={() => setAsked(null)} />}
      </Modal>
    </>
  );
}

function Confirm({ rollout, action, onClose }: { rollout: Rollout; action: RolloutAction; onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const act = useMutation({
    mutationFn: () => actOnRollout(rollout.id, action, reason.trim()),
    onSuccess: (fresh) => {
      client.setQueryData(["rollout", rollout.id], fresh);
      void client.invalidateQueries({ queryKey: ["timeline", rollout.id] });
      void client.invalidateQueries({ queryKey: ["attempts", rollout.id] });
      void client.invalidateQueries({ queryKey: ["rollouts"] });
      notifications.show({ message: `${NAMES[action]}: done`, color: "teal" });
      onClose();
    },
  });
  const isHard = action === "abort" || action === "rollback";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      <Stack>
        <List fz="sm" spacing={6}>
          {consequences(rollout, action).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
        <TextInput label="Reason" description="Stands in the timeline, for those who come after you" maxLength={500} value={reason} onChange={(event) => setReason(event.currentTarget.value)} data-autofocus />
        {act.error && (
          <Text c="var(--bad)" fz="sm" role="alert">
            {act.error.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it as it is
          </Button>
          <Button type="submit" loading={act.isPending} color={isHard ? "red.8" : undefined}>
            {NAMES[action]}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
