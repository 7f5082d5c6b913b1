import { Alert, Stack, TextInput, Title } from "@mantine/core";
import { titleOf, type Plan } from "./plan";
import { sentencesOf } from "./sentences";
import classes from "./Wizard.module.css";
import { useForecast } from "./Forecast";

interface StepProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

/** Summary of the plan before it starts. */
export function ReviewStep({ plan, onChange }: StepProps) {
  const { data } = useForecast(plan);
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="Shown in lists; default: model and version"
        placeholder={titleOf({ ...plan, name: "" })}
        value={plan.name}
        maxLength={120}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        data-autofocus
      />
      {data?.warnings?.map((warning) => (
        <Alert key={warning} color="red" variant="light" p="sm" styles={{ message: { color: "var(--bad)" } }}>
          {warning}.
        </Alert>
      ))}
      {data?.needs_second_person && (
        <Alert color="yellow" variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
          Some devices require approval: a second person must approve the rollout before it starts.
        </Alert>
      )}
      <div className={classes.review} role="group" aria-label="Plan summary">
        {sentencesOf(plan, data?.rules ?? []).map(({ title, lines }) => (
          <section key={title}>
            <Title order={3}>{title}</Title>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </section>
        ))}
      </div>
    </Stack>
  );
}
