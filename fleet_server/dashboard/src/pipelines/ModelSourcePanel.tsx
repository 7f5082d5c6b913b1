import { Alert, Button, NumberInput, Select, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import type { PipelineProblem, StoredPipeline } from "~/api/pipelines";
import type { DeviceDetail } from "~/api/types";
import { pipelineOf } from "~/format/devices";
import { problemAt } from "./problem";
import type { Spec, Stage } from "./spec";

const OWN = "device";
const LOOKS: ReadonlySet<string> = new Set(["detect", "classify", "crops"]);

interface ModelSourcePanelProps {
  spec: Spec;
  device: DeviceDetail;
  own: readonly StoredPipeline[];
  labels: readonly string[];
  problem: PipelineProblem | null | undefined;
  onChange: (spec: Spec) => void;
}

/** Where pictures come from and which models look at them, chosen from what the device has. */
export function ModelSourcePanel({ spec, device, own, labels, problem, onChange }: ModelSourcePanelProps) {
  const stages = spec.stages ?? [];
  const slots = device.slots.filter(({ slot, running }) => running && !pipelineOf(slot) && slot !== "edgefleet-agent");
  const models = slots.map(({ slot, running }) => ({ value: `slot:${slot}`, label: `${slot}: ${running?.package} ${running?.version}` }));
  const change = (index: number, part: Partial<Stage>) => onChange({ ...spec, stages: stages.map((stage, place) => (place === index ? { ...stage, ...part } : stage)) });
  const begin = (model: string) =>
    onChange({ ...spec, stages: [{ name: "find", kind: "detect", model, min_score: 0.5 }, { name: "follow", kind: "track", from: "find" }] });
  return (
    <Stack gap="md">
      <SourceForm spec={spec} own={own} problem={problem} onChange={onChange} />
      {!stages.length && models[0] && (
        <Alert variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
          Nothing looks at the pictures yet.{" "}
          <Button size="compact-xs" variant="default" onClick={() => begin(models[0]?.value ?? "")}>
            Find and follow with {models[0].label}
          </Button>
        </Alert>
      )}
      {stages.map((stage, index) => (
        <StageForm key={index} stage={stage} models={models} labels={labels} wrong={(...path) => problemAt(problem, "stages", index, ...path)} onChange={(part) => change(index, part)} />
      ))}
    </Stack>
  );
}

interface StageFormProps {
  stage: Stage;
  models: readonly { value: string; label: string }[];
  labels: readonly string[];
  /** What is wrong at a key of the stage, or within it. */
  wrong: (...path: string[]) => string | undefined;
  onChange: (part: Partial<Stage>) => void;
}

const SHOWN = ["model", "labels", "min_score"];

function StageForm({ stage, models, labels, wrong, onChange }: StageFormProps) {
  const looks = LOOKS.has(stage.kind);
  const elsewhere = wrong() && !(looks && SHOWN.some((key) => wrong(key))) ? wrong() : undefined;
  return (
    <Stack gap="xs">
      <Text fz="sm" fw={600} c={wrong() ? "var(--bad)" : undefined}>
        {stage.name}{" "}
        <Text span c="dimmed" fz="xs">
          {stage.kind}
          {!looks && stage.from ? ` of what ${stage.from} finds` : ""}
        </Text>
      </Text>
      {stage.options && Object.keys(stage.options).length > 0 && (
        <Text fz="xs" c="dimmed" className="mono">
          {Object.entries(stage.options).map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(", ")}
        </Text>
      )}
      {elsewhere && (
        <Text fz="xs" c="var(--bad)">
          {elsewhere}
        </Text>
      )}
      {looks && (
        <>
          <Select
            label="Model"
            data={models.some(({ value }) => value === stage.model) || !stage.model ? [...models] : [...models, { value: stage.model, label: `${stage.model} (not on this device)` }]}
            value={stage.model ?? null}
            onChange={(model) => onChange({ model: model ?? undefined })}
            error={wrong("model")}
            allowDeselect={false}
          />
          <TagsInput label="Labels" description="None: all that the model knows" data={[...labels]} value={stage.labels ?? []} onChange={(chosen) => onChange({ labels: chosen.length ? chosen : undefined })} error={wrong("labels")} />
          <NumberInput label="Least score" value={stage.min_score ?? 0.5} onChange={(score) => typeof score === "number" && onChange({ min_score: score })} min={0} max={1} step={0.05} decimalScale={2} error={wrong("min_score")} />
        </>
      )}
    </Stack>
  );
}

function SourceForm({ spec, own, problem, onChange }: Pick<ModelSourcePanelProps, "spec" | "own" | "problem" | "onChange">) {
  const { source } = spec;
  const mine = own.filter(({ version }) => !version);
  const chosen = source.kind === OWN ? `${OWN}:${source.uri || spec.name}` : "other";
  const choices = [
    ...mine.map(({ name }) => ({ value: `${OWN}:${name}`, label: `the device's own: ${name}` })),
    ...(source.kind === OWN && !mine.some(({ name }) => `${OWN}:${name}` === chosen) ? [{ value: chosen, label: `the device's own: ${source.uri || spec.name}` }] : []),
    { value: "other", label: "an address in this document" },
  ];
  const choose = (value: string | null) => {
    if (!value) return;
    const name = value.slice(OWN.length + 1);
    const fps = source.fps ? { fps: source.fps } : {};
    if (value === "other") onChange({ ...spec, source: { kind: "rtsp", uri: "rtsp://", ...fps } });
    else onChange({ ...spec, source: { kind: OWN, ...(name === spec.name ? {} : { uri: name }), ...fps } });
  };
  return (
    <Stack gap="xs">
      <Select label="Source" description="The device's own source, with its password, never leaves the device" data={choices} value={chosen} onChange={choose} allowDeselect={false} error={problem?.path.length === 1 ? problemAt(problem, "source") : undefined} />
      {source.kind !== OWN && (
        <>
          <Select label="Kind" data={["rtsp", "mjpeg", "camera", "file", "images", "synthetic", "ffmpeg", "gstreamer"]} value={source.kind} onChange={(kind) => kind && onChange({ ...spec, source: { ...source, kind } })} allowDeselect={false} error={problemAt(problem, "source", "kind")} />
          <TextInput label="Address" value={source.uri ?? ""} onChange={({ currentTarget }) => onChange({ ...spec, source: { ...source, uri: currentTarget.value } })} error={problemAt(problem, "source", "uri")} />
          <TextInput label="Credentials" description="The name of a user and password that the device has" value={source.credentials ?? ""} onChange={({ currentTarget }) => onChange({ ...spec, source: { ...source, credentials: currentTarget.value || undefined } })} error={problemAt(problem, "source", "credentials")} />
        </>
      )}
      <NumberInput label="Looks a second, at most" description="0: every frame" value={source.fps ?? 0} onChange={(fps) => onChange({ ...spec, source: { ...source, fps: Number(fps) || undefined } })} min={0} max={240} error={problemAt(problem, "source", "fps")} />
    </Stack>
  );
}
