import { Alert, Button, NumberInput, Select, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import type { PipelineProblem, StoredPipeline } from "~/api/pipelines";
import type { DeviceDetail } from "~/api/types";
import { pipelineOf } from "~/format/devices";
import { problemAt } from "./problem";
import type { Spec, Stage } from "./spec";

const OWN = "device";
const ANALYSIS_KINDS: ReadonlySet<string> = new Set(["detect", "classify", "crops"]);

interface ModelSourcePanelProps {
  spec: Spec;
  device: DeviceDetail;
  own: readonly StoredPipeline[];
  labels: readonly string[];
  problem: PipelineProblem | null | undefined;
  onChange: (spec: Spec) => void;
}

/** Choice of the video source and of the models, from those of the device. */
export function ModelSourcePanel({ spec, device, own, labels, problem, onChange }: ModelSourcePanelProps) {
  const stages = spec.stages ?? [];
  const slots = device.slots.filter(({ slot, running }) => running && !pipelineOf(slot) && slot !== "edgefleet-agent");
  const models = slots.map(({ slot, running }) => ({
    value: `slot:${slot}`,
    label: `${slot}: ${running?.package} ${running?.version}`,
  }));
  const change = (index: number, part: Partial<Stage>) =>
    onChange({ ...spec, stages: stages.map((stage, place) => (place === index ? { ...stage, ...part } : stage)) });
  const addDetector = (model: string) =>
    onChange({
      ...spec,
      stages: [
        { name: "find", kind: "detect", model, min_score: 0.5 },
        { name: "follow", kind: "track", from: "find" },
      ],
    });
  return (
    <Stack gap="md">
      <SourceForm spec={spec} own={own} problem={problem} onChange={onChange} />
      {!stages.length && models[0] && (
        <Alert variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
          No model yet.{" "}
          <Button size="compact-xs" variant="default" onClick={() => addDetector(models[0]?.value ?? "")}>
            Detect and track with {models[0].label}
          </Button>
        </Alert>
      )}
      {stages.map((stage, index) => (
        <StageForm
          key={index}
          stage={stage}
          models={models}
          labels={labels}
          wrong={(...path) => problemAt(problem, "stages", index, ...path)}
          onChange={(part) => change(index, part)}
        />
      ))}
    </Stack>
  );
}

interface StageFormProps {
  stage: Stage;
  models: readonly { value: string; label: string }[];
  labels: readonly string[];
  /** The error at a key of the stage, or within it. */
  wrong: (...path: string[]) => string | undefined;
  onChange: (part: Partial<Stage>) => void;
}

const SHOWN = ["model", "labels", "min_score"];

function StageForm({ stage, models, labels, wrong, onChange }: StageFormProps) {
  const isAnalysis = ANALYSIS_KINDS.has(stage.kind);
  const elsewhere = wrong() && !(isAnalysis && SHOWN.some((key) => wrong(key))) ? wrong() : undefined;
  return (
    <Stack gap="xs">
      <Text fz="sm" fw={600} c={wrong() ? "var(--bad)" : undefined}>
        {stage.name}{" "}
        <Text span c="dimmed" fz="xs">
          {stage.kind}
          {!isAnalysis && stage.from ? ` of ${stage.from}` : ""}
        </Text>
      </Text>
      {stage.options && Object.keys(stage.options).length > 0 && (
        <Text fz="xs" c="dimmed" className="mono">
          {Object.entries(stage.options)
            .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
            .join(", ")}
        </Text>
      )}
      {elsewhere && (
        <Text fz="xs" c="var(--bad)">
          {elsewhere}
        </Text>
      )}
      {isAnalysis && (
        <>
          <Select
            label="Model"
            data={
              models.some(({ value }) => value === stage.model) || !stage.model
                ? [...models]
                : [...models, { value: stage.model, label: `${stage.model} (not on this device)` }]
            }
            value={stage.model ?? null}
            onChange={(model) => onChange({ model: model ?? undefined })}
            error={wrong("model")}
            allowDeselect={false}
          />
          <TagsInput
            label="Labels"
            description="Empty = all labels of the model"
            data={[...labels]}
            value={stage.labels ?? []}
            onChange={(chosen) => onChange({ labels: chosen.length ? chosen : undefined })}
            error={wrong("labels")}
          />
          <NumberInput
            label="Confidence threshold"
            value={stage.min_score ?? 0.5}
            onChange={(score) => typeof score === "number" && onChange({ min_score: score })}
            min={0}
            max={1}
            step={0.05}
            decimalScale={2}
            error={wrong("min_score")}
          />
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
    ...mine.map(({ name }) => ({ value: `${OWN}:${name}`, label: `Local: ${name}` })),
    ...(source.kind === OWN && !mine.some(({ name }) => `${OWN}:${name}` === chosen)
      ? [{ value: chosen, label: `Local: ${source.uri || spec.name}` }]
      : []),
    { value: "other", label: "URL in this document" },
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
      <Select
        label="Source"
        description="Local sources and their credentials stay on the device"
        data={choices}
        value={chosen}
        onChange={choose}
        allowDeselect={false}
        error={problem?.path.length === 1 ? problemAt(problem, "source") : undefined}
      />
      {source.kind !== OWN && (
        <>
          <Select
            label="Kind"
            data={["rtsp", "mjpeg", "camera", "file", "images", "synthetic", "ffmpeg", "gstreamer"]}
            value={source.kind}
            onChange={(kind) => kind && onChange({ ...spec, source: { ...source, kind } })}
            allowDeselect={false}
            error={problemAt(problem, "source", "kind")}
          />
          <TextInput
            label="URL"
            value={source.uri ?? ""}
            onChange={({ currentTarget }) => onChange({ ...spec, source: { ...source, uri: currentTarget.value } })}
            error={problemAt(problem, "source", "uri")}
          />
          <TextInput
            label="Credentials"
            description="Name of the credentials stored on the device"
            value={source.credentials ?? ""}
            onChange={({ currentTarget }) =>
              onChange({ ...spec, source: { ...source, credentials: currentTarget.value || undefined } })
            }
            error={problemAt(problem, "source", "credentials")}
          />
        </>
      )}
      <NumberInput
        label="Max frames analyzed/s"
        description="0 = all frames"
        value={source.fps ?? 0}
        onChange={(fps) => onChange({ ...spec, source: { ...source, fps: Number(fps) || undefined } })}
        min={0}
        max={240}
        error={problemAt(problem, "source", "fps")}
      />
    </Stack>
  );
}
