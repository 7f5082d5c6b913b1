import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useMay } from "~/components/role";
import { createRollout } from "~/api/actions";
import { ApiError } from "~/api/client";
import { createPipeline, pipelinesQuery, type PipelineCheck, type PipelineDocument } from "~/api/pipelines";
import { attemptsQuery, rolloutQuery } from "~/api/queries";
import type { DeviceDetail, RolloutState } from "~/api/types";
import { PartFor } from "~/components/OnlyFor";
import { Panel } from "~/components/Panel";
import { Tag } from "~/components/Tag";
import type { Tone } from "~/format/tones";
import { DiffView } from "./DiffView";
import classes from "./Drawing.module.css";
import { documentFor, plainOf, specOf, type Spec } from "./spec";
import type { Start } from "./start";

const TRIAL = { trial_s: 5, trial_frames_min: 5, shadow_s: 0, shadow_agreement_percent_min: 0 } as const;
const GATE = {
  error_percent_max: 0,
  reported_min: 1,
  offline_s: 120,
  soak_s: 0,
  test: "threshold",
  confidence_percent: 99,
  regressions: null,
} as const;
const POLL_MS = 1_000;
const ENDED: ReadonlySet<RolloutState> = new Set(["completed", "paused", "aborted", "rolled_back"]);

interface ApplyPanelProps {
  device: DeviceDetail;
  spec: Spec;
  start: Start;
  check: PipelineCheck | undefined;
  /** The server could not check it. */
  error: Error | null;
  fresh: boolean;
  onSaved: () => void;
}

/** The changes, and a bar with two ways to apply them: on this device now, or by a rollout. */
export function ApplyPanel({ device, spec, start, check, error: unchecked, fresh, onSaved }: ApplyPanelProps) {
  const may = useMay("operator", "all");
  const client = useQueryClient();
  const navigate = useNavigate();
  const { base } = start;
  const [alone, setAlone] = useState(base !== null);
  const [note, setNote] = useState("");
  const save = async (): Promise<PipelineDocument> => {
    const document = documentFor(base && specOf(base.spec), spec, device.id, alone && base !== null);
    const saved = await createPipeline({ spec: plainOf(document), note: note.trim() });
    onSaved();
    void client.invalidateQueries({ queryKey: pipelinesQuery.queryKey });
    if (!saved.signed) throw new ApiError(`${saved.name} ${saved.version} was saved but is not signed; run edgefleet sign`, 0);
    return saved;
  };
  const apply = useMutation({
    mutationFn: async () => {
      const { slot, version, name } = await save();
      const who = { all: false, ids: [device.id], labels: {} };
      return createRollout({
        name: `${name} ${version} on ${device.id}`.slice(0, 120),
        package: slot,
        version,
        slot,
        selector: who,
        waves: [{ name: "all", approval: false }],
        gate: GATE,
        policy: TRIAL,
        wave_timeout_s: 600,
        start: true,
      });
    },
  });
  const rollOut = useMutation({
    mutationFn: save,
    onSuccess: ({ slot, version }) => void navigate({ to: "/rollouts/new", search: { package: slot, version, slot } }),
  });
  const ready = may && fresh && check?.ok === true;
  const differs = check !== undefined && check.text !== start.runs;
  const error = apply.error ?? rollOut.error;
  const wrong = unchecked?.message ?? check?.problem?.text;
  const state = wrong ? "Invalid" : !fresh ? "Checking…" : differs ? "Valid, not applied yet" : "Nothing to apply";
  return (
    <>
      <Panel title="Changes" className={classes.changes}>
        <Stack gap="md">
          {start.runs ? (
            <DiffView before={start.runs} after={check?.text ?? start.runs} />
          ) : (
            <Text fz="sm">New pipeline on this device.</Text>
          )}
          {base && (
            <Radio.Group label="Apply changes to" value={alone ? "one" : "all"} onChange={(value) => setAlone(value === "one")}>
              <Group mt="xs">
                <Radio value="one" label={`${device.id} only`} />
                <Radio value="all" label="All devices with this pipeline" />
              </Group>
            </Radio.Group>
          )}
          <TextInput
            label="Note"
            placeholder="Describe the change; shown in the version list"
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            maxLength={500}
          />
        </Stack>
      </Panel>
      <div className={classes.bar} data-testid="apply-bar">
        <div className={classes.said}>
          {error || wrong ? (
            <Text fz="sm" c="var(--bad)" role="alert">
              {error?.message ?? wrong}
            </Text>
          ) : (
            <Text fz="sm" c="dimmed" role="status">
              {state}
            </Text>
          )}
        </div>
        <Button onClick={() => apply.mutate()} loading={apply.isPending} disabled={!ready || !differs || rollOut.isPending}>
          Apply to this device
        </Button>
        <Button
          variant="default"
          onClick={() => rollOut.mutate()}
          loading={rollOut.isPending}
          disabled={!ready || apply.isPending}
        >
          Roll out to…
        </Button>
        <PartFor role="operator" reach="all" what="change pipelines">
          {null}
        </PartFor>
        {apply.data && <Applied key={apply.data.id} rollout={apply.data.id} device={device.id} />}
      </div>
    </>
  );
}

/** Progress of the update on the device. */
function Applied({ rollout, device }: { rollout: number; device: string }) {
  const client = useQueryClient();
  const every = (state: RolloutState | undefined) => (state && ENDED.has(state) ? false : POLL_MS);
  const { data } = useQuery({ ...rolloutQuery(rollout), refetchInterval: (query) => every(query.state.data?.state) });
  const { data: attempts } = useQuery({ ...attemptsQuery(rollout, {}), refetchInterval: every(data?.state) });
  const ended = data !== undefined && ENDED.has(data.state);
  useEffect(() => {
    if (!ended) return;
    for (const key of [
      ["device", device],
      ["stored-pipelines", device],
      ["pipeline-start", device],
    ])
      void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: ["attempts", rollout] });
  }, [ended, client, device, rollout]);
  const attempt = attempts?.items[0];
  const good = attempt?.state === "committed" || attempt?.state === "already_installed";
  const tone: Tone = good ? "ok" : ended ? "bad" : "busy";
  const text = good ? "Running" : ended ? "Rejected; the previous version is still running" : "Updating";
  return (
    <Group gap="xs" role="status" data-testid="applied">
      <Tag tone={tone} text={text} live={!ended} />
      {!good && attempt?.explanation && <Text fz="sm">{attempt.explanation}</Text>}
      <Link to="/rollouts/$id" params={{ id: rollout }} className="link">
        Rollout {rollout}
      </Link>
    </Group>
  );
}
