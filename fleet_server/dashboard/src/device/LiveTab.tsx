import { Grid, Group, SegmentedControl, Select, Text } from "@mantine/core";
import IconActivity from "@tabler/icons-react/dist/esm/icons/IconActivity.mjs";
import { useEffect, useState } from "react";
import type { DeviceDetail } from "~/api/types";
import { Chart } from "~/charts/Chart";
import { ConfidenceBars } from "~/charts/ConfidenceBars";
import { dropLines, latencyLines, loadLines, memoryLines, rateLines } from "~/charts/lines";
import type { Series } from "~/live/series";
import { Panel } from "~/components/Panel";
import { Empty, Fault } from "~/components/States";
import { RANGES, type DeviceSearch } from "./search";
import { short } from "~/format/numbers";
import { SPANS_S, useTelemetry } from "./useTelemetry";
import { LiveViewPanel } from "./LiveViewPanel";

const STAGES_MAX = 3;

interface LiveTabProps {
  device: DeviceDetail;
  search: DeviceSearch;
  onChange: (next: DeviceSearch) => void;
}

export function LiveTab({ device, search, onChange }: LiveTabProps) {
  const range = search.range ?? "5m";
  const { series, error } = useTelemetry(device.id, SPANS_S[range]);
  const names = usePipelines(series, Object.keys(device.pipelines));
  const pipeline = search.pipeline && names.includes(search.pipeline) ? search.pipeline : names[0];
  if (error && !series?.points.length) return <Fault error={error} />;
  if (!series) return null;
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        {names.length > 1 ? (
          <Select
            aria-label="Pipeline"
            data={names}
            value={pipeline ?? null}
            onChange={(name) => onChange({ pipeline: name ?? undefined })}
            allowDeselect={false}
            w={200}
          />
        ) : (
          <Text fz="sm" c="dimmed">
            {pipeline && (
              <>
                Pipeline <b style={{ color: "var(--ink)" }}>{pipeline}</b>
              </>
            )}
          </Text>
        )}
        <SegmentedControl
          aria-label="Time range"
          size="xs"
          data={RANGES.map((value) => ({ value, label: value.replace("m", " min").replace("h", " h") }))}
          value={range}
          onChange={(value) => onChange({ range: value as DeviceSearch["range"] })}
        />
      </Group>
      {pipeline && <LiveViewPanel device={device} pipeline={pipeline} />}
      {pipeline ? <Charts series={series} pipeline={pipeline} span_s={SPANS_S[range]} /> : <NoTelemetry online={device.online} />}
    </>
  );
}

function NoTelemetry({ online }: { online: boolean }) {
  return (
    <Empty icon={IconActivity} title={online ? "No telemetry yet" : "No telemetry in this time range"}>
      {online
        ? "Telemetry appears within seconds after a pipeline starts."
        : "The device is offline. It buffers telemetry on disk and sends it when it reconnects."}
    </Empty>
  );
}

/** Names of pipelines, from the device's state and from telemetry. */
function usePipelines(series: Series | null, known: readonly string[]): string[] {
  const [seen, setSeen] = useState<string>("");
  useEffect(() => {
    if (!series) return;
    const update = () =>
      setSeen(
        Object.keys(series.measured?.pipelines ?? {})
          .sort()
          .join("\n"),
      );
    update();
    return series.watch(update);
  }, [series]);
  return [...new Set([...known, ...seen.split("\n").filter(Boolean)])].sort();
}

function useChartLines(series: Series, pipeline: string): { stages: string[]; causes: string[] } {
  const [text, setText] = useState("");
  useEffect(() => {
    const update = () => {
      const gauges = series.measured?.pipelines?.[pipeline];
      const latency = gauges?.latency ?? {};
      const slowest = Object.keys(latency)
        .sort((a, b) => Number(b === "total") - Number(a === "total") || (latency[b]?.p50_ms ?? 0) - (latency[a]?.p50_ms ?? 0))
        .slice(0, STAGES_MAX);
      setText((old) => {
        const before = old ? (JSON.parse(old) as { pipeline: string; stages: string[]; causes: string[] }) : null;
        const same =
          before?.pipeline === pipeline &&
          before.stages.length === slowest.length &&
          before.stages.every((stage) => stage in latency);
        const causes = [
          ...new Set([...(before?.pipeline === pipeline ? before.causes : []), ...Object.keys(gauges?.dropped ?? {})]),
        ].sort();
        return JSON.stringify({ pipeline, stages: same ? before.stages : slowest, causes });
      });
    };
    update();
    return series.watch(update);
  }, [series, pipeline]);
  return text ? (JSON.parse(text) as { stages: string[]; causes: string[] }) : { stages: [], causes: [] };
}

function Charts({ series, pipeline, span_s }: { series: Series; pipeline: string; span_s: number }) {
  const { stages, causes } = useChartLines(series, pipeline);
  const common = { series, span_s };
  const tiles = [
    { title: "Frames/s", lines: rateLines(pipeline), unit: "" },
    { title: "Latency by stage", note: "p50, dashed p95, ms", lines: latencyLines(pipeline, stages), unit: "" },
    { title: "Dropped frames", note: "Per second, by cause", lines: dropLines(pipeline, causes), unit: "" },
    { title: "CPU and temperature", lines: loadLines(), unit: "" },
    { title: "Memory", note: "MB", lines: memoryLines(), unit: "" },
  ];
  const third = { base: 12, md: 6, xl: 4 };
  return (
    <Grid gap="md">
      {tiles.map(({ title, note, lines, unit }) => (
        <Grid.Col key={title} span={third}>
          <Panel title={title} note={note} className="fill">
            <Chart {...common} label={title} lines={lines} unit={unit} format={short} />
          </Panel>
        </Grid.Col>
      ))}
      <Grid.Col span={third}>
        <Panel title="Confidence" note="Detections in the last window" className="fill">
          <ConfidenceBars series={series} pipeline={pipeline} />
        </Panel>
      </Grid.Col>
    </Grid>
  );
}
