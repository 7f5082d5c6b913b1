import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { stopExperiment, takeExperiment } from "~/api/actions";
import type { Experiment } from "~/api/types";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { consequences } from "./format";

/** Ends an experiment, with the version of an arm for all devices or without a winner, after confirmation. */
export function FinishActions({ experiment }: { experiment: Experiment }) {
  const may = useMay("operator", "all");
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const confirmationOf = (arm: string): Confirmation<Experiment> => ({
    title: arm ? `Choose ${arm}?` : "Stop experiment?",
    lines: consequences(experiment, arm),
    yes: arm ? `Choose ${arm} for all` : "Stop experiment",
    act: () => (arm ? takeExperiment(experiment.id, arm) : stopExperiment(experiment.id)),
    done: (fresh) => {
      client.setQueryData(["experiment", experiment.id], fresh);
      void client.invalidateQueries({ queryKey: ["experiments"] });
    },
  });
  if (!may || experiment.state !== "running") return null;
  return (
    <>
      <Button variant="default" onClick={() => setChosen("")}>
        Stop
      </Button>
      {experiment.arms.map((arm) => (
        <Button key={arm.name} onClick={() => setChosen(arm.name)}>
          Choose {arm.name}
        </Button>
      ))}
      <ConfirmDialog question={chosen === null ? null : confirmationOf(chosen)} onClose={() => setChosen(null)} />
    </>
  );
}
