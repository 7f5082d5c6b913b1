import { Button, Grid, Group, Stack, Text } from "@mantine/core";
import IconArrowsDiff from "@tabler/icons-react/dist/esm/icons/IconArrowsDiff.mjs";
import IconChartLine from "@tabler/icons-react/dist/esm/icons/IconChartLine.mjs";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { historyQuery, type FigureHistory, type HistoryFigure } from "~/api/history";
import { ButtonLink } from "~/components/links";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { now_s } from "~/format/time";
import { RangePicker } from "~/range/RangePicker";
import { ShareButton } from "~/range/ShareButton";
import { rangeOf, timesOf, type Times } from "~/range/times";
import { FIGURES, NAMES } from "./figures";
import { HistoryChart } from "./HistoryChart";
import { marksOf, type Mark } from "./curves";
import { PERIODS, sharedHistory } from "./search";
import { UpdatesList } from "./UpdatesList";
import { ValuesTable } from "./ValuesTable";

interface HistoryTabProps {
  device: string;
  times: Times;
  onChange: (times: Times) => void;
}

/** The figures of a device over hours to months, with its updates. */
export function HistoryTab({ device, times, onChange }: HistoryTabProps) {
  const range = useMemo(() => rangeOf(times, now_s()), [times]);
  const { data, error, isPlaceholderData, refetch } = useQuery(historyQuery([device], [], times, () => rangeOf(times, now_s())));
  const marks = useMemo(() => (data ? marksOf(data) : []), [data]);
  const zoom = (since: number, until: number) => onChange(timesOf(since, until));
  const names = data ? NAMES.filter((name) => data.devices[0]?.figures.some((figure) => figure.name === name)) : [];
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <RangePicker presets={PERIODS} times={times} range={range} onChange={onChange} />
        <Group gap="xs">
          <ButtonLink
            to="/compare"
            search={{ device: [device], ...times }}
            variant="default"
            leftSection={<IconArrowsDiff size={16} stroke={1.8} aria-hidden />}
          >
            Compare devices
          </ButtonLink>
          <ShareButton
            address={() => sharedHistory({ tab: "history" }, range.since, range.until ?? now_s())}
            note="With the time range. Others need access to this server."
          />
        </Group>
      </Group>
      {error && !data && <Fault error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={8} />}
      {data && (
        <div style={{ opacity: isPlaceholderData ? 0.5 : 1 }}>
          <Stack gap="md">
            <StoredNote history={data} />
            {names.length === 0 && (
              <Panel>
                <Empty icon={IconChartLine} title="No data in this time range">
                  The device sent nothing in it, or its figures of that time have been deleted.
                </Empty>
              </Panel>
            )}
            <Grid gap="md">
              {names.map((name) => (
                <Grid.Col key={name} span={{ base: 12, lg: 6 }}>
                  <FigurePanel history={data} name={name} marks={marks} onZoom={zoom} />
                </Grid.Col>
              ))}
            </Grid>
            <UpdatesList history={data} marks={marks} />
          </Stack>
        </div>
      )}
    </Stack>
  );
}

interface FigurePanelProps {
  history: FigureHistory;
  name: HistoryFigure;
  marks: readonly Mark[];
  onZoom: (since: number, until: number) => void;
}

/** One figure: its chart, or its values as a table. */
export function FigurePanel({ history, name, marks, onZoom }: FigurePanelProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      className="fill"
      title={FIGURES[name].text}
      side={
        <Button
          size="compact-xs"
          variant="subtle"
          aria-pressed={asTable}
          aria-label={`Table of ${FIGURES[name].text}`}
          onClick={() => setAsTable(!asTable)}
        >
          Table
        </Button>
      }
    >
      {asTable ? (
        <ValuesTable history={history} name={name} />
      ) : (
        <HistoryChart history={history} name={name} marks={marks} onZoom={onZoom} />
      )}
    </Panel>
  );
}

/** Says how charts are used, and from when on there are figures of this resolution. */
export function StoredNote({ history }: { history: FigureHistory }) {
  return (
    <Text fz="xs" c="dimmed">
      Drag over a chart to zoom in, or move along it with the arrow keys and press +.{" "}
      {history.since_at < history.stored_since_at && "Part of this time range is older than what the server keeps."}
    </Text>
  );
}
