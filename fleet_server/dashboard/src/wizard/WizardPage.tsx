import { Alert, Button, Grid, Group, Stepper } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, type FormEvent } from "react";
import { createRollout } from "~/api/actions";
import { overviewQuery, templatesQuery } from "~/api/queries";
import type { TemplateList } from "~/api/types";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { DiscardDraft, DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { many } from "~/format/numbers";
import { Forecast, useForecast } from "./Forecast";
import { useNotFound } from "./notFound";
import { HowStep } from "./HowStep";
import { emptyPlan, fromTemplate, missing, requestOf, type Plan } from "./plan";
import { ReviewStep } from "./ReviewStep";
import { linkOf, STEP_NAMES } from "./search";
import { useSteps } from "./useSteps";
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
  const link = linkOf(route.useSearch());
  return (
    <OnlyFor role="operator" what="start rollouts" title="New rollout">
      <Wizard key={link} link={link} />
    </OnlyFor>
  );
}

/** `link`: the choices of the link that opened the wizard. The plan begins with the server's defaults and its default template. */
function Wizard({ link }: { link: string }) {
  const { data: templates, error, refetch } = useQuery(templatesQuery);
  if (templates) return <Steps templates={templates} link={link} />;
  return error ? <Fault error={error} onRetry={() => void refetch()} /> : <Loading rows={8} />;
}

/** `link`: the draft is of that link. */
function Steps({ templates, link }: { templates: TemplateList; link: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const draft = useDraft<Plan>(
    "rollout",
    () => {
      const template = templates.items.find(({ name }) => name === templates.default);
      return {
        ...emptyPlan(templates.defaults, search.package, search.version, search.group),
        ...(template ? fromTemplate(template, templates.defaults) : {}),
        ...(search.slot ? { slot: search.slot } : {}),
      };
    },
    { of: link },
  );
  const { value: plan, preset } = draft;
  const notFound = useNotFound(plan);
  const { data: forecast } = useForecast(plan);
  const { data: overview } = useQuery(overviewQuery);
  const usual = search.slot ? undefined : overview?.versions.find((share) => share.package === search.package)?.slot;
  useEffect(() => {
    if (usual) preset({ slot: usual }); // the slot in which the fleet already runs this model
  }, [usual, preset]);
  const create = useMutation({
    mutationFn: (start: boolean) => createRollout(requestOf(plan, start)),
    onSuccess: (rollout) => {
      draft.discard();
      client.setQueryData(["rollout", rollout.id], rollout);
      void client.invalidateQueries({ queryKey: ["rollouts"] });
      void navigate({ to: "/rollouts/$id", params: { id: rollout.id } });
    },
  });
  const { step, fault, forget, go } = useSteps({
    names: STEP_NAMES,
    asked: search.step,
    faultOf: (each) => (each === 0 && notFound) || missing(plan, each),
    show: (name) => navigate({ search: (old) => ({ ...old, step: name }) }),
  });
  const change = (next: Partial<Plan>) => {
    forget();
    draft.change(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step < LAST) go(step + 1);
    else if (forecast?.eligible) create.mutate(true);
  };
  const { Step } = STEPS[step] ?? STEPS[0];
  const isEmpty = step === LAST && forecast?.eligible === 0;
  const problem =
    notFound || fault || create.error?.message || (isEmpty && "No devices to update. Change the version or the devices.");
  return (
    <>
      <PageHead title="New rollout" trail={[{ text: "Rollouts", to: "/rollouts" }]} />
      <DraftNote draft={draft} what="the rollout" within={["step"]} onDiscard={() => go(0)} />
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
                <Group gap="xs">
                  <Button variant="default" onClick={() => go(step - 1)} disabled={step === 0}>
                    Back
                  </Button>
                  {!draft.isRestored && <DiscardDraft draft={draft} onDiscard={() => go(0)} />}
                </Group>
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
