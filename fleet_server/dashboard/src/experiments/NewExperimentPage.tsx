import { Alert, Button, Grid, Group, Stepper } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { createExperiment } from "~/api/actions";
import { templatesQuery } from "~/api/queries";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { DiscardDraft, DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { many } from "~/format/numbers";
import { useNotFound } from "~/wizard/notFound";
import { useSteps } from "~/wizard/useSteps";
import { emptyDraft, missing, requestOf, type Draft } from "./draft";
import { Outcome, useOutcome } from "./Outcome";
import { STEP_NAMES } from "./search";
import { HowStep, ReviewStep, SplitStep, VersionsStep } from "./steps";

const route = getRouteApi("/experiments/new");
const STEPS = [
  { name: "Versions", text: "To compare", Step: VersionsStep },
  { name: "Devices", text: "Selection and split", Step: SplitStep },
  { name: "Method", text: "Metrics, time, rollout", Step: HowStep },
  { name: "Review", text: "Check and start", Step: ReviewStep },
] as const;
const LAST = STEPS.length - 1;

export function NewExperimentPage() {
  return (
    <OnlyFor role="operator" reach="all" what="start experiments" title="New experiment">
      <Wizard />
    </OnlyFor>
  );
}

function Wizard() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const drafted = useDraft<Draft>("experiment", emptyDraft);
  const draft = drafted.value;
  const notFound = useNotFound({ package: draft.package, version: "", slot: draft.slot });
  const { step, fault, forget, go } = useSteps({
    names: STEP_NAMES,
    asked: search.step,
    faultOf: (each) => (each === 0 && notFound) || missing(draft, each),
    show: (name) => navigate({ search: (old) => ({ ...old, step: name }) }),
  });
  const { data: templates } = useQuery(templatesQuery);
  const template = templates?.items.find(({ name }) => name === (draft.template || templates.default));
  const outcome = useOutcome(draft, template);
  const create = useMutation({
    mutationFn: () => createExperiment(requestOf(draft, template)),
    onSuccess: (made) => {
      drafted.discard();
      void client.invalidateQueries({ queryKey: ["experiments"] });
      void client.invalidateQueries({ queryKey: ["rollouts"] });
      void navigate({ to: "/experiments/$id", params: { id: made.id } });
    },
  });
  const change = (next: Partial<Draft>) => {
    forget();
    drafted.change(next);
  };
  const devices = outcome.data?.arms.reduce((sum, arm) => sum + arm.devices, 0) ?? 0;
  const empty = outcome.data?.arms.find((arm) => arm.devices === 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step < LAST) go(step + 1);
    else if (!empty) create.mutate();
  };
  const { Step } = STEPS[step] ?? STEPS[0];
  const problem =
    notFound ||
    fault ||
    create.error?.message ||
    (step === LAST && empty && `Arm ${empty.name} has no devices. Change the devices or the split.`);
  return (
    <>
      <PageHead
        title="New experiment"
        trail={[{ text: "Experiments", to: "/experiments" }]}
        under="A/B test of model versions on devices in the field"
      />
      <DraftNote draft={drafted} what="the experiment" within={["step"]} onDiscard={() => go(0)} />
      <Stepper active={step} onStepClick={go} size="sm" iconSize={32} mb="md" allowNextStepsSelect>
        {STEPS.map(({ name, text }) => (
          <Stepper.Step key={name} label={name} description={text} />
        ))}
      </Stepper>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Panel title={STEPS[step]?.name}>
            <form onSubmit={submit}>
              <Step draft={draft} template={template} templates={templates?.items ?? []} onChange={change} />
              {problem && (
                <Alert color="red" variant="light" mt="md" p="sm" role="alert" styles={{ message: { color: "var(--ink)" } }}>
                  {problem}
                </Alert>
              )}
              <Group justify="space-between" mt="xl">
                <Group gap="xs">
                  <Button variant="default" onClick={() => go(step - 1)} disabled={step === 0}>
                    Back
                  </Button>
                  {!drafted.isRestored && <DiscardDraft draft={drafted} onDiscard={() => go(0)} />}
                </Group>
                <Button type="submit" loading={create.isPending} disabled={step === LAST && (!outcome.data || Boolean(empty))}>
                  {step < LAST ? "Next" : `Start with ${many(devices, "device")}`}
                </Button>
              </Group>
            </form>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Outcome draft={draft} template={template} />
        </Grid.Col>
      </Grid>
    </>
  );
}
