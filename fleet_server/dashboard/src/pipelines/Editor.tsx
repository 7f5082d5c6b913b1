import { ActionIcon, Button, FileButton, Grid, Group, Tabs, Text } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconArrowForwardUp from "@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs";
import IconCamera from "@tabler/icons-react/dist/esm/icons/IconCamera.mjs";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { checkQuery, takeSnapshot, type StoredPipeline } from "~/api/pipelines";
import { modelsQuery } from "~/api/queries";
import type { DeviceDetail } from "~/api/types";
import { Panel } from "~/components/Panel";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { ApplyPanel } from "./ApplyPanel";
import { Drawing, type Picture } from "./Drawing";
import classes from "./Drawing.module.css";
import { RulesPanel } from "./RulesPanel";
import { ModelSourcePanel } from "./ModelSourcePanel";
import { ShapesPanel } from "./ShapesPanel";
import { noSteps, noted, redone, undone } from "./steps";
import { isSame, ONE, plainOf, withShape, type Point, type ShapeKind, type ShapeRef, type Spec } from "./spec";
import type { Start } from "./start";
import { TextPanel, type Typed } from "./TextPanel";

const CHECK_AFTER_MS = 300;
const TOOLS: readonly ShapeKind[] = ["lines", "zones", "masks"];
const HINT: Record<ShapeKind, string> = {
  lines: "Click the start and end of the line.",
  zones: "Click the corners of the zone. To finish, click the first corner or press Enter.",
  masks: "Click the corners of the area to hide. To finish, click the first corner or press Enter.",
};
const DEFAULT_SHAPES: Record<ShapeKind, Point[]> = {
  lines: [
    [0.25, 0.5],
    [0.75, 0.5],
  ],
  zones: [
    [0.35, 0.35],
    [0.65, 0.35],
    [0.65, 0.65],
    [0.35, 0.65],
  ],
  masks: [
    [0.05, 0.05],
    [0.3, 0.05],
    [0.3, 0.3],
    [0.05, 0.3],
  ],
};

interface EditorProps {
  device: DeviceDetail;
  start: Start;
  stored: readonly StoredPipeline[];
}

/** What differs from the start; nulls: nothing. */
interface EditorDraft {
  spec: Spec | null;
  typed: Typed | null;
}

/** Editor of one pipeline of one device, over a snapshot of its camera. */
export function Editor({ device, start, stored }: EditorProps) {
  const drafted = useDraft<EditorDraft>("pipeline", () => ({ spec: null, typed: null }), {
    of: `${device.id} ${start.edited.name}`,
  });
  const { change } = drafted;
  const { typed } = drafted.value;
  const spec = drafted.value.spec ?? start.edited;
  const put = (next: Spec) => change({ spec: isSame(next, start.edited) ? null : next });
  const [steps, setSteps] = useState(noSteps<Spec>);
  const setSpec = (next: Spec, gesture = "") => {
    setSteps(noted(steps, spec, gesture));
    put(next);
  };
  const go = (to: ReturnType<typeof undone<Spec>>) => {
    if (!to) return;
    setSteps(to.steps);
    put(to.value);
    setChosen((old) => (old && to.value[old.kind]?.[old.index] ? old : null));
  };
  useHotkeys([
    ["mod+Z", () => go(undone(steps, spec))],
    ["mod+shift+Z", () => go(redone(steps, spec))],
    ["mod+Y", () => go(redone(steps, spec))],
  ]);
  const [chosen, setChosen] = useState<ShapeRef | null>(null);
  const [tool, setTool] = useState<ShapeKind | null>(null);
  const [tab, setTab] = useState<string | null>("shapes");
  const [picture, setPicture] = useState<Picture | null>(null);
  const [later] = useDebouncedValue(spec, CHECK_AFTER_MS);
  const check = useQuery(checkQuery(plainOf(later), device.id));
  const problem = check.data?.problem;
  const labels = useLabels(device);
  const text = check.data?.text ?? "";
  useEffect(() => change((old) => (old.typed?.isApplied ? { typed: null } : {})), [text, change]);
  const saved = useRef(start.edited);
  const isUnsaved = () => (typed !== null && !typed.isApplied) || !isSame(spec, saved.current);
  const drawn = (kind: ShapeKind, points: Point[]) => {
    const { spec: next, shape } = withShape(spec, kind, points);
    setSpec(next);
    setChosen(shape);
    setTool(null);
    setTab("shapes");
  };
  const tabOf = problem ? TAB_OF[String(problem.path[0])] : undefined;
  return (
    <div>
      <Grid gap="md">
        <Grid.Col span={12} py={0}>
          <DraftNote draft={{ ...drafted, isUnsaved }} what={spec.name} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <Panel
            title={spec.name}
            note={start.runs ? undefined : "New on this device"}
            side={<SnapshotButtons device={device} pipeline={spec.name} onPicture={setPicture} />}
          >
            <div className={classes.tools}>
              {TOOLS.map((kind) => (
                <Button
                  key={kind}
                  size="xs"
                  variant={tool === kind ? "filled" : "default"}
                  aria-pressed={tool === kind}
                  onClick={() => setTool(tool === kind ? null : kind)}
                >
                  Draw {ONE[kind]}
                </Button>
              ))}
              <ActionIcon
                variant="default"
                size="md"
                aria-label="Undo"
                title="Undo (Ctrl Z)"
                disabled={!steps.past.length}
                onClick={() => go(undone(steps, spec))}
              >
                <IconArrowBackUp size={17} stroke={1.7} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size="md"
                aria-label="Redo"
                title="Redo (Ctrl Shift Z)"
                disabled={!steps.future.length}
                onClick={() => go(redone(steps, spec))}
              >
                <IconArrowForwardUp size={17} stroke={1.7} aria-hidden />
              </ActionIcon>
              {tool && (
                <>
                  <Text fz="sm" role="status">
                    {HINT[tool]}
                  </Text>
                  <Button size="compact-xs" variant="subtle" onClick={() => drawn(tool, DEFAULT_SHAPES[tool])}>
                    Add default shape
                  </Button>
                </>
              )}
            </div>
            <Drawing
              spec={spec}
              picture={picture}
              chosen={chosen}
              tool={tool}
              onChoose={setChosen}
              onChange={setSpec}
              onDrawn={drawn}
              onCancel={() => setTool(null)}
            />
            <Text fz="xs" c="dimmed" mt="xs">
              The arrow of a line points forward. Drag points, or select them with Tab and use the arrow keys (Shift: larger
              steps); Delete removes one. Zoom with Ctrl and the wheel, two fingers, or +, − and 0.
            </Text>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
          <Panel>
            <Tabs value={tab} onChange={setTab} keepMounted={false}>
              <Tabs.List mb="md" grow>
                {Object.entries(PANELS).map(([value, text]) => (
                  <Tabs.Tab key={value} value={value} px="xs" c={tabOf === value ? "var(--bad)" : undefined}>
                    {text}
                    {tabOf === value && (
                      <span role="img" aria-label="has an error">
                        {" !"}
                      </span>
                    )}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="shapes">
                <ShapesPanel spec={spec} chosen={chosen} problem={problem} onChoose={setChosen} onChange={setSpec} />
              </Tabs.Panel>
              <Tabs.Panel value="rules">
                <RulesPanel spec={spec} labels={labels} problem={problem} onChange={setSpec} />
              </Tabs.Panel>
              <Tabs.Panel value="source">
                <ModelSourcePanel spec={spec} device={device} own={stored} labels={labels} problem={problem} onChange={setSpec} />
              </Tabs.Panel>
              <Tabs.Panel value="text">
                <TextPanel
                  text={text}
                  typed={typed}
                  device={device.id}
                  onType={(next) => change({ typed: next })}
                  onChange={setSpec}
                />
              </Tabs.Panel>
            </Tabs>
          </Panel>
        </Grid.Col>
      </Grid>
      <ApplyPanel
        device={device}
        spec={spec}
        start={start}
        check={check.data}
        error={check.error}
        fresh={later === spec && !check.isPlaceholderData}
        onSaved={() => {
          saved.current = spec;
          drafted.settle();
        }}
      />
    </div>
  );
}

const PANELS = { shapes: "Shapes", rules: "Rules", source: "Model and source", text: "Text" } as const;
const TAB_OF: Record<string, keyof typeof PANELS> = {
  zones: "shapes",
  lines: "shapes",
  masks: "shapes",
  rules: "rules",
  stages: "source",
  source: "source",
};

interface SnapshotButtonsProps {
  device: DeviceDetail;
  pipeline: string;
  onPicture: (picture: Picture) => void;
}

/** Takes a snapshot of the camera, or loads a local image. */
function SnapshotButtons({ device, pipeline, onPicture }: SnapshotButtonsProps) {
  const take = useMutation({ mutationFn: () => takeSnapshot(device.id, pipeline), onSuccess: onPicture });
  const { mutate } = take;
  const possible = device.online && pipeline in device.pipeline_states;
  useEffect(() => {
    if (possible) mutate();
  }, [possible, mutate]);
  const load = (file: File | null) => {
    if (!file) return;
    const image = new Image();
    image.onload = () => onPicture({ url: image.src, width: image.naturalWidth, height: image.naturalHeight });
    image.src = URL.createObjectURL(file);
  };
  return (
    <Group gap="xs">
      {take.error && (
        <Text fz="xs" c="var(--bad)" role="alert">
          {take.error.message}
        </Text>
      )}
      <FileButton onChange={load} accept="image/jpeg,image/png">
        {(props) => (
          <Button {...props} size="xs" variant="subtle">
            Use image file
          </Button>
        )}
      </FileButton>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCamera size={16} stroke={1.7} aria-hidden />}
        onClick={() => mutate()}
        loading={take.isPending}
        disabled={!possible}
      >
        Take snapshot
      </Button>
    </Group>
  );
}

/** Labels of the models of a device that are in the registry. */
function useLabels(device: DeviceDetail): string[] {
  const { data } = useQuery(modelsQuery);
  const running = device.slots.flatMap(({ running }) => (running ? [`${running.package}@${running.version}`] : []));
  const known =
    data?.items.flatMap(({ versions }) => versions).filter(({ name, version }) => running.includes(`${name}@${version}`)) ?? [];
  return [...new Set(known.flatMap(({ labels }) => labels))];
}
