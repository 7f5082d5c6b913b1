import { Alert, Stack, TextInput, Title } from "@mantine/core";
import { titleOf, type Plan } from "./plan";
import { sentencesOf } from "./sentences";
import classes from "./Wizard.module.css";
import { useForecast } from "./Forecast";

interface StepProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

/** One page to read before it begins. */
export function ReviewStep({ plan, onChange }: StepProps) {
  const { data } = useForecast(plan);
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="How colleagues find it"
        placeholder={titleOf({ ...plan, name: "" })}
        value={plan.name}
        maxLength={120}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        data-autofocus
      />
      {data?.needs_second_person && (
        <Alert color="yellow" variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
          A second person has to agree before any device hears of it: some of its devices are labelled so.
        </Alert>
      )}
      <div className={classes.review} role="group" aria-label="The plan in words">
        {sentencesOf(plan).map(({ title, lines }) => (
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
