import { Button, Group, List, Modal, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Refusal } from "~/account/Gatehouse";
import { useMay } from "~/account/role";
import { stopExperiment, takeExperiment } from "~/api/actions";
import type { Experiment } from "~/api/types";
import { consequences } from "./words";

/** End an experiment: with the version of an arm for all, or without a winner. Each asks first. */
export function EndButtons({ experiment }: { experiment: Experiment }) {
  const may = useMay("operator");
  const client = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const end = useMutation({
    mutationFn: (arm: string) => (arm ? takeExperiment(experiment.id, arm) : stopExperiment(experiment.id)),
    onSuccess: (fresh) => {
      client.setQueryData(["experiment", experiment.id], fresh);
      void client.invalidateQueries({ queryKey: ["experiments"] });
      setAsked(null);
    },
  });
  if (!may || experiment.state !== "running") return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsked("")}>
        Stop
      </Button>
      {experiment.arms.map((arm) => (
        <Button key={arm.name} onClick={() => setAsked(arm.name)}>
          Take {arm.name}
        </Button>
      ))}
      <Modal opened={asked !== null} onClose={() => setAsked(null)} title={<b>{asked ? `Take ${asked}?` : "Stop the experiment?"}</b>}>
        {asked !== null && (
          <Stack>
            <List fz="sm" spacing={6}>
              {consequences(experiment, asked).map((line) => (
                <List.Item key={line}>{line}</List.Item>
              ))}
            </List>
            <Refusal error={end.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsked(null)}>
                Leave it as it is
              </Button>
              <Button loading={end.isPending} onClick={() => end.mutate(asked)}>
                {asked ? `Take ${asked} for all` : "Stop"}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
