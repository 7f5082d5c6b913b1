import { Alert, Button, Grid, Group, Stepper } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState, type FormEvent } from "react";
import { createRollout } from "~/api/actions";
import { overviewQuery, templatesQuery } from "~/api/queries";
import type { TemplateList } from "~/api/types";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";
import { Forecast, useForecast } from "./Forecast";
import { HowStep } from "./HowStep";
import { emptyPlan, fromTemplate, missing, requestOf, type Plan } from "./plan";
import { ReviewStep } from "./ReviewStep";
import { WhatStep } from "./WhatStep";
import { WhoStep } from "./WhoStep";

const route = getRouteApi("/rollouts/new");
const STEPS = [
  { name: "Version", text: "Model and version", Step: WhatStep },
  { name: "Devices", text: "Selection", Step: WhoStep },
  { name: "Strategy", text: "Waves and gates", Step: HowStep },
  { name: "Review", text: "Check and start", Step: ReviewStep },
] as const;
const LAST = STEPS.length - 1;

export function WizardPage() {
  return (
    <OnlyFor role="operator" what="start rollouts" title="New rollout">
      <Wizard />
    </OnlyFor>
  );
}

/** The plan begins with the server's defaults and its default template. */
function Wizard() {
  const { data: templates, error, refetch } = useQuery(templatesQuery);
  if (templates) return <Steps templates={templates} />;
  return error ? <Fault error={error} onRetry={() => void refetch()} /> : <Loading rows={8} />;
}

function Steps({ templates }: { templates: TemplateList }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const [step, setStep] = useState(0);
  const [plan, setPlan] = useState<Plan>(() => {
    const template = templates.items.find(({ name }) => name === templates.default);
    return {
      ...emptyPlan(templates.defaults, search.package, search.version, search.group),
      ...(template ? fromTemplate(template, templates.defaults) : {}),
      ...(search.slot ? { slot: search.slot } : {}),
    };
  });
  const [stepError, setStepError] = useState("");
  const { data: forecast } = useForecast(plan);
  const { data: overview } = useQuery(overviewQuery);
  const usual = search.slot ? undefined : overview?.versions.find((share) => share.package === search.package)?.slot;
  useEffect(() => {
    if (usual) setPlan((old) => ({ ...old, slot: usual })); // the slot in which the fleet already runs this model
  }, [usual]);
  const create = useMutation({
    mutationFn: (start: boolean) => createRollout(requestOf(plan, start)),
    onSuccess: (rollout) => {
      client.setQueryData(["rollout", rollout.id], rollout);
      void client.invalidateQueries({ queryKey: ["rollouts"] });
      void navigate({ to: "/rollouts/$id", params: { id: rollout.id } });
    },
  });
  const change = (next: Partial<Plan>) => {
    setStepError("");
    setPlan((old) => ({ ...old, ...next }));
  };
  const go = (to: number) => {
    const open = [0, 1, 2].find((each) => each < to && missing(plan, each));
    setStepError(open === undefined ? "" : missing(plan, open));
    setStep(open ?? to);
    window.scrollTo({ top: 0 });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step < LAST) go(step + 1);
    else if (forecast?.eligible) create.mutate(true);
  };
  const { Step } = STEPS[step] ?? STEPS[0];
  const isEmpty = step === LAST && forecast?.eligible === 0;
  const problem = stepError || create.error?.message || (isEmpty && "No devices to update. Change the version or the devices.");
  return (
    <>
      <PageHead title="New rollout" trail={[{ text: "Rollouts", to: "/rollouts" }]} />
      <Stepper active={step} onStepClick={go} size="sm" iconSize={32} mb="md" allowNextStepsSelect>
        {STEPS.map(({ name, text }) => (
          <Stepper.Step key={name} label={name} description={text} />
        ))}
      </Stepper>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Panel title={STEPS[step]?.name}>
            <form onSubmit={submit}>
              <Step plan={plan} onChange={change} />
              {problem && (
                <Alert color="red" variant="light" mt="md" p="sm" role="alert" styles={{ message: { color: "var(--ink)" } }}>
                  {problem}
                </Alert>
              )}
              <Group justify="space-between" mt="xl">
                <Button variant="default" onClick={() => go(step - 1)} disabled={step === 0}>
                  Back
                </Button>
                <Group gap="xs">
                  {step === LAST && (
                    <Button
                      variant="default"
                      onClick={() => create.mutate(false)}
                      disabled={create.isPending || !forecast?.eligible}
                    >
                      Save as draft
                    </Button>
                  )}
                  <Button type="submit" loading={create.isPending} disabled={step === LAST && !forecast?.eligible}>
                    {step < LAST ? "Next" : `Start on ${many(forecast?.eligible ?? 0, "device")}`}
                  </Button>
                </Group>
              </Group>
            </form>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Forecast plan={plan} />
        </Grid.Col>
      </Grid>
    </>
  );
}
