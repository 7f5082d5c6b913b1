import { Stack, TextInput } from "@mantine/core";
import { Facts } from "~/parts/Plain";
import { many, percentOf } from "~/words/numbers";
import { span } from "~/words/time";
import { titleOf, type Plan } from "./plan";

interface StepProps {
  plan: Plan;
  onChange: (next: Partial<Plan>) => void;
}

export function ReviewStep({ plan, onChange }: StepProps) {
  const who = { all: "the whole fleet", labels: plan.labels.join(", "), ids: many(plan.ids.length, "named device") }[plan.who];
  const waves = plan.waves.map(({ name, amount, unit }, at) => {
    const size = at === plan.waves.length - 1 ? "the rest" : unit === "percent" ? percentOf(amount) : many(amount, "device");
    return `${name}: ${size}`;
  });
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
      <Facts
        rows={[
          ["what", `${plan.package} ${plan.version} into slot ${plan.slot}`],
          ["who", who],
          ["waves", waves.join(" → ")],
          ["stops when", `over ${percentOf(plan.error_percent_max)} of a wave fail, judged from ${many(plan.reported_min, "result")}; or all waves prove that more than ${percentOf(plan.tolerated_percent)} fail`],
          ["each device", `tries it for ${span(plan.trial_s)} and at least ${many(plan.trial_frames_min, "frame")}, then trusts it or goes back by itself`],
          ["each wave", `is watched ${span(plan.soak_s)} more; it may take ${span(plan.wave_timeout_s)}`],
          ["silence", `of ${span(plan.offline_s)} after the update counts as a failure`],
        ]}
      />
    </Stack>
  );
}
