import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { stopExperiment, takeExperiment } from "~/api/actions";
import type { Experiment } from "~/api/types";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { consequences } from "./format";

/** End an experiment: with the version of an arm for all, or without a winner. Each asks first. */
export function FinishActions({ experiment }: { experiment: Experiment }) {
  const may = useMay("operator");
  const client = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const confirmationOf = (arm: string): Confirmation<Experiment> => ({
    title: arm ? `Take ${arm}?` : "Stop the experiment?",
    lines: consequences(experiment, arm),
    yes: arm ? `Take ${arm} for all` : "Stop",
    no: "Leave it as it is",
    act: () => (arm ? takeExperiment(experiment.id, arm) : stopExperiment(experiment.id)),
    done: (fresh) => {
      client.setQueryData(["experiment", experiment.id], fresh);
      void client.invalidateQueries({ queryKey: ["experiments"] });
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
      <ConfirmDialog question={asked === null ? null : confirmationOf(asked)} onClose={() => setAsked(null)} />
    </>
  );
}
