import { ActionIcon, Group, Select, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import IconArrowsDiff from "@tabler/icons-react/dist/esm/icons/IconArrowsDiff.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { historyQuery, type FigureHistory, type HistoryFigure } from "~/api/history";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { DevicePicker } from "~/events/DevicePicker";
import { count, NONE } from "~/format/numbers";
import { now_s } from "~/format/time";
import { RangePicker } from "~/range/RangePicker";
import { ShareButton } from "~/range/ShareButton";
import { rangeOf, timesOf } from "~/range/times";
import { curvesOf, marksOf } from "./curves";
import { amount, FIGURES, NAMES } from "./figures";
import { LineSample } from "./HistoryChart";
import { FigurePanel, StoredNote } from "./HistoryTab";
import { DEVICES_MAX, PERIODS, sharedHistory, type CompareSearch } from "./search";
import { UpdatesList } from "./UpdatesList";

const route = getRouteApi("/compare");

/** One figure of several devices in one chart, and what it was over the whole period. */
export function ComparePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { device: chosen, figure = "fps", range: preset, since, until } = search;
  const devices = useMemo(() => chosen ?? [], [chosen]);
  const times = useMemo(() => ({ range: preset, since, until }), [preset, since, until]);
  const range = useMemo(() => rangeOf(times, now_s()), [times]);
  const change = (next: CompareSearch) => void navigate({ search: (old) => ({ ...old, ...next }), resetScroll: false });
  const { data, error, isPlaceholderData, refetch } = useQuery(
    historyQuery(devices, [figure], times, () => rangeOf(times, now_s())),
  );
  const marks = useMemo(() => (data ? marksOf(data) : []), [data]);
  return (
    <>
      <PageHead
        title="Compare devices"
        trail={[{ text: "Fleet", to: "/" }]}
        actions={
          <ShareButton
            address={() => sharedHistory(search, range.since, range.until ?? now_s())}
            note="With the devices, the metric and the time range. Others need access to this server."
          />
        }
      />
      <Stack gap="md">
        <Group align="flex-end">
          <Select
            label="Metric"
            data={NAMES.map((name) => ({ value: name, label: FIGURES[name].text }))}
            value={figure}
            onChange={(name) => change({ figure: (name ?? undefined) as HistoryFigure | undefined })}
            allowDeselect={false}
          />
          {devices.length < DEVICES_MAX ? (
            <div>
              <Text fz="sm" fw={500} aria-hidden>
                Add a device
              </Text>
              <DevicePicker
                key={devices.join()}
                onPick={(device) => device && !devices.includes(device) && change({ device: [...devices, device] })}
              />
            </div>
          ) : (
            <Text fz="sm" c="dimmed">
              {DEVICES_MAX} devices at most
            </Text>
          )}
        </Group>
        <RangePicker presets={PERIODS} times={times} range={range} onChange={change} />
        {devices.length === 0 && (
          <Panel>
            <Empty icon={IconArrowsDiff} title="No devices chosen">
              Add up to {DEVICES_MAX} devices to see one metric of all of them.
            </Empty>
          </Panel>
        )}
        {devices.length > 0 && error && <Fault error={error} onRetry={() => void refetch()} />}
        {devices.length > 0 && !error && !data && <Loading rows={8} />}
        {devices.length > 0 && data && (
          <div style={{ opacity: isPlaceholderData ? 0.5 : 1 }}>
            <Stack gap="md">
              <StoredNote history={data} />
              <FigurePanel history={data} name={figure} marks={marks} onZoom={(from, to) => change(timesOf(from, to))} />
              <Totals
                history={data}
                name={figure}
                onRemove={(device) => change({ device: devices.filter((each) => each !== device) })}
              />
              <UpdatesList history={data} marks={marks} />
            </Stack>
          </div>
        )}
      </Stack>
    </>
  );
}

interface TotalsProps {
  history: FigureHistory;
  name: HistoryFigure;
  onRemove: (device: string) => void;
}

/** A figure of each device over the whole period. */
function Totals({ history, name, onRemove }: TotalsProps) {
  const curves = curvesOf(history, name);
  return (
    <Panel flush title="Over the whole time range">
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing="xs" horizontalSpacing="md" fz="sm" aria-label="Over the whole time range">
          <Table.Thead>
            <Table.Tr>
              {["Device", "Mean", "Median", "p95", "Lowest", "Highest", "Samples"].map((each) => (
                <Table.Th key={each}>{each}</Table.Th>
              ))}
              <Table.Th>
                <VisuallyHidden>Remove</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {history.devices.map(({ device, figures }) => {
              const summary = figures.find((figure) => figure.name === name)?.summary;
              const curve = curves.find((each) => each.device === device);
              const values = summary && [summary.mean, summary.p50, summary.p95, summary.low, summary.high];
              return (
                <Table.Tr key={device}>
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      {curve && <LineSample curve={curve} />}
                      <Link className="strong-link" to="/devices/$id" params={{ id: device }}>
                        {device}
                      </Link>
                    </Group>
                  </Table.Td>
                  {(values ?? [null, null, null, null, null]).map((value, at) => (
                    <Table.Td key={at}>{value === null ? NONE : amount(name, value)}</Table.Td>
                  ))}
                  <Table.Td>{summary ? count(summary.count) : NONE}</Table.Td>
                  <Table.Td>
                    <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${device}`} onClick={() => onRemove(device)}>
                      <IconX size={16} aria-hidden />
                    </ActionIcon>
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}
