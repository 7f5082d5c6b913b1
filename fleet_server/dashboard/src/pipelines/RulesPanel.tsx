import { Accordion, Button, Group, NumberInput, Select, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { DurationInput } from "~/components/DurationInput";
import type { PipelineProblem } from "~/api/pipelines";
import { problemAt } from "./problem";
import { ANCHORS, MODES, NUMBERS, RULE_KINDS, ZONE_NEEDED, type RuleField } from "./rules";
import { freeName, type Rule, type Spec } from "./spec";

interface RulesPanelProps {
  spec: Spec;
  labels: readonly string[];
  problem: PipelineProblem | null | undefined;
  onChange: (spec: Spec) => void;
}

/** Forms of the rules that create events. */
export function RulesPanel({ spec, labels, problem, onChange }: RulesPanelProps) {
  const rules = spec.rules ?? [];
  const add = () =>
    onChange({
      ...spec,
      rules: [
        ...rules,
        {
          name: freeName(
            rules.map((rule) => rule.name),
            "rule",
          ),
          kind: "visit",
        },
      ],
    });
  return (
    <Stack gap="sm">
      {!rules.length && (
        <Text fz="sm" c="dimmed">
          No rules yet. To create events, draw a line or a zone, or add a rule for the whole frame.
        </Text>
      )}
      <Accordion variant="contained" multiple defaultValue={rules.length === 1 ? ["0"] : []}>
        {rules.map((rule, index) => (
          <Accordion.Item key={index} value={String(index)}>
            <Accordion.Control>
              <Text fz="sm" fw={560} c={problemAt(problem, "rules", index) ? "var(--bad)" : undefined}>
                {rule.name}
              </Text>
              <Text fz="xs" c="dimmed">
                {about(rule)}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <RuleForm
                spec={spec}
                rule={rule}
                labels={labels}
                wrong={(key) =>
                  problemAt(problem, "rules", index, key) ??
                  (key === "name" && problem?.path.length === 2 ? problemAt(problem, "rules", index) : undefined)
                }
                onChange={(next) => onChange({ ...spec, rules: rules.map((each, place) => (place === index ? next : each)) })}
                onDelete={() => onChange({ ...spec, rules: rules.filter((_, place) => place !== index) })}
              />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <Group>
        <Button variant="default" size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={add}>
          Add rule
        </Button>
      </Group>
    </Stack>
  );
}

function about(rule: Rule): string {
  const kind = RULE_KINDS.find((each) => each.kind === rule.kind);
  return [kind?.text ?? rule.kind, rule.line ?? rule.zone, rule.labels?.join(", ")].filter(Boolean).join(" · ");
}

interface RuleFormProps {
  spec: Spec;
  rule: Rule;
  labels: readonly string[];
  wrong: (key: string) => string | undefined;
  onChange: (rule: Rule) => void;
  onDelete: () => void;
}

function RuleForm({ spec, rule, labels, wrong, onChange, onDelete }: RuleFormProps) {
  const known = RULE_KINDS.find((each) => each.kind === rule.kind);
  const fields: readonly RuleField[] = known?.fields ?? ["labels"];
  const kinds = RULE_KINDS.map(({ kind, text }) => ({ value: kind, label: text }));
  const has = (field: RuleField): boolean => fields.includes(field);
  const kindOf = (kind: string): Rule => {
    const next = RULE_KINDS.find((each) => each.kind === kind)?.fields ?? [];
    const common = Object.entries(rule).filter(([key]) => key === "name" || (next as readonly string[]).includes(key));
    const line = next.includes("line") ? { line: rule.line ?? spec.lines?.[0]?.name } : {};
    const zone = ZONE_NEEDED.has(kind) ? { zone: rule.zone ?? spec.zones?.[0]?.name } : {};
    return { ...(Object.fromEntries(common) as Rule), kind, ...line, ...zone };
  };
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        value={rule.name}
        onChange={({ currentTarget }) => onChange({ ...rule, name: currentTarget.value })}
        error={wrong("name")}
      />
      <Select
        label="Kind"
        data={known ? kinds : [...kinds, { value: rule.kind, label: rule.kind }]}
        value={rule.kind}
        onChange={(kind) => kind && onChange(kindOf(kind))}
        allowDeselect={false}
        error={wrong("kind")}
      />
      {has("line") && (
        <Select
          label="Line"
          data={(spec.lines ?? []).map(({ name }) => name)}
          value={rule.line ?? null}
          onChange={(line) => onChange({ ...rule, line: line ?? undefined })}
          placeholder="Draw a line first"
          error={wrong("line")}
        />
      )}
      {has("zone") && (
        <Select
          label="Zone"
          data={(spec.zones ?? []).map(({ name }) => name)}
          value={rule.zone ?? null}
          onChange={(zone) => onChange({ ...rule, zone: zone ?? undefined })}
          placeholder={ZONE_NEEDED.has(rule.kind) ? "Draw a zone first" : "Whole frame"}
          clearable={!ZONE_NEEDED.has(rule.kind)}
          error={wrong("zone")}
        />
      )}
      {has("labels") && (
        <TagsInput
          label="Labels"
          description="Empty = all"
          data={[...labels]}
          value={rule.labels ?? []}
          onChange={(chosen) => onChange({ ...rule, labels: chosen.length ? chosen : undefined })}
          error={wrong("labels")}
        />
      )}
      {has("mode") && (
        <Select
          label="Crossing mode"
          data={MODES}
          value={rule.mode ?? "balanced"}
          onChange={(mode) => onChange({ ...rule, mode: mode === "balanced" ? undefined : (mode ?? undefined) })}
          allowDeselect={false}
          error={wrong("mode")}
        />
      )}
      <Group grow align="flex-start">
        {fields.map((field) => {
          const number = NUMBERS[field];
          if (!number) return null;
          const value = rule[field];
          const shared = {
            label: number.label,
            value: typeof value === "number" ? value : number.initial,
            min: number.min,
            max: number.max,
            error: wrong(field),
          };
          return number.unit === " s" ? (
            <DurationInput key={field} {...shared} onChange={(next) => onChange({ ...rule, [field]: next })} />
          ) : (
            <NumberInput
              key={field}
              {...shared}
              suffix={number.unit}
              onChange={(next) => typeof next === "number" && onChange({ ...rule, [field]: next })}
            />
          );
        })}
      </Group>
      {has("anchor") && (
        <Select
          label="Anchor point"
          data={ANCHORS}
          value={rule.anchor ?? "bottom"}
          onChange={(anchor) => onChange({ ...rule, anchor: anchor === "center" ? anchor : undefined })}
          allowDeselect={false}
        />
      )}
      <Group>
        <Button variant="default" size="xs" c="var(--bad)" leftSection={<IconTrash size={15} aria-hidden />} onClick={onDelete}>
          Delete rule {rule.name}
        </Button>
      </Group>
    </Stack>
  );
}
