import { Button, Group, List, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Refusal } from "~/account/Gatehouse";
import { useMay } from "~/account/role";
import { skipWave } from "~/api/actions";
import type { Rollout, Wave } from "~/api/types";
import { skipConsequences } from "./consequences";

/** Whether a wave can be left out now: the rollout is at work, the wave is of the plan and not over. */
const canSkip = (rollout: Rollout, wave: Wave) =>
  (rollout.state === "running" || rollout.state === "paused") && !wave.lane && wave.state !== "passed" && wave.state !== "skipped";

/** Leave a wave out; asks first, and says what becomes of how many devices. */
export function SkipButton({ rollout, wave }: { rollout: Rollout; wave: Wave }) {
  const may = useMay("operator");
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const skip = useMutation({
    mutationFn: () => skipWave(rollout.id, wave.index, reason.trim()),
    onSuccess: (fresh) => {
      client.setQueryData(["rollout", rollout.id], fresh);
      void client.invalidateQueries({ queryKey: ["timeline", rollout.id] });
      void client.invalidateQueries({ queryKey: ["attempts", rollout.id] });
      setAsking(false);
    },
  });
  if (!may || !canSkip(rollout, wave)) return null;
  return (
    <>
      <Button variant="subtle" size="compact-xs" color="gray" onClick={() => setAsking(true)} aria-label={`Skip wave ${wave.name}`}>
        Skip
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={<b>{`Skip wave ${wave.name}?`}</b>}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            skip.mutate();
          }}
        >
          <Stack>
            <List fz="sm" spacing={6}>
              {skipConsequences(rollout, wave).map((line) => (
                <List.Item key={line}>{line}</List.Item>
              ))}
            </List>
            <TextInput label="Reason" description="Stands in the timeline, for those who come after you" maxLength={500} value={reason} onChange={(event) => setReason(event.currentTarget.value)} data-autofocus />
            <Refusal error={skip.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(false)}>
                Leave it as it is
              </Button>
              <Button type="submit" loading={skip.isPending} color="red.8">
                Skip the wave
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
