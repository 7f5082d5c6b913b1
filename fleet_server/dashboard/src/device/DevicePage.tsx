import { Alert, Stack, Tabs } from "@mantine/core";
import IconActivity from "@tabler/icons-react/dist/esm/icons/IconActivity.mjs";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconChartLine from "@tabler/icons-react/dist/esm/icons/IconChartLine.mjs";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { deviceQuery } from "~/api/queries";
import type { DeviceDetail } from "~/api/types";
import { useTopics } from "~/live/LiveProvider";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { Labels, Tag } from "~/components/Tag";
import type { DeviceSearch } from "./search";
import { part } from "~/layout/part";
import { statusLabel } from "~/format/devices";
import { DiagnosisTabs } from "~/diagnosis/DiagnosisTabs";
import { AboutTab } from "./AboutTab";
import { MaintenanceMenu } from "./MaintenanceMenu";
import { MaintenanceNotes } from "./MaintenanceNotes";
import { CommandsMenu } from "./CommandsMenu";
import { LabelsButton } from "./LabelsButton";
import { LiveTab } from "./LiveTab";
import { Vitals } from "./Vitals";
import { SlotCards } from "./SlotCard";
import { UpdatesTab } from "./UpdatesTab";

const DeviceHistoryTab = lazy(
  part(() => import("~/history/DeviceHistoryTab").then((module) => ({ default: module.DeviceHistoryTab }))),
);
const PipelinesTab = lazy(part(() => import("~/pipelines/PipelinesTab").then((module) => ({ default: module.PipelinesTab }))));
const DeviceEvents = lazy(part(() => import("~/events/EventsPage").then((module) => ({ default: module.DeviceEvents }))));
const DiagnosisPanels = lazy(
  part(() => import("~/diagnosis/DiagnosisPanels").then((module) => ({ default: module.DiagnosisPanels }))),
);
const route = getRouteApi("/devices/$id");

export function DevicePage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTopics(`device:${id}`, "events");
  const { data: device, error, refetch } = useQuery(deviceQuery(id));
  if (error && !device) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!device) return <Loading rows={8} />;
  const isDrawing = search.tab === "pipelines" && search.pipeline !== undefined; // it needs the height of the window
  const change = (next: DeviceSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  return (
    <>
      <DeviceHead device={device} />
      <Stack gap="md">
        {device.attention.map((line) => (
          <Alert
            key={line}
            color="red"
            variant="light"
            icon={<IconAlertTriangle size={18} />}
            p="sm"
            styles={{ message: { color: "var(--ink)" } }}
          >
            {line}
          </Alert>
        ))}
        <MaintenanceNotes device={device} />
        {!isDrawing && <Vitals device={device} />}
        {!isDrawing && <SlotCards slots={device.slots} />}
        <Tabs
          value={search.tab ?? "live"}
          onChange={(tab) => change({ tab: (tab ?? "live") as DeviceSearch["tab"], pipeline: undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="live" leftSection={<IconActivity size={16} aria-hidden />}>
              Live
            </Tabs.Tab>
            <Tabs.Tab value="history" leftSection={<IconChartLine size={16} aria-hidden />}>
              History
            </Tabs.Tab>
            <Tabs.Tab value="pipelines" leftSection={<IconRoute size={16} aria-hidden />}>
              Pipelines
            </Tabs.Tab>
            <Tabs.Tab value="updates" leftSection={<IconHistory size={16} aria-hidden />}>
              Updates
            </Tabs.Tab>
            <Tabs.Tab value="events" leftSection={<IconBell size={16} aria-hidden />}>
              Events
            </Tabs.Tab>
            <DiagnosisTabs />
            <Tabs.Tab value="about" leftSection={<IconInfoCircle size={16} aria-hidden />}>
              About
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="live">
            <LiveTab device={device} search={search} onChange={change} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <Suspense fallback={<Loading rows={8} />}>
              <DeviceHistoryTab device={device.id} search={search} onChange={change} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="pipelines">
            <Suspense fallback={<Loading rows={5} />}>
              <PipelinesTab device={device} pipeline={search.pipeline} onOpen={(pipeline) => change({ pipeline })} />
            </Suspense>
          </Tabs.Panel>
          <Tabs.Panel value="updates">
            <UpdatesTab attempts={device.attempts} />
          </Tabs.Panel>
          <Tabs.Panel value="events">
            <Panel flush>
              <Suspense fallback={<Loading rows={8} height={54} />}>
                <DeviceEvents id={device.id} />
              </Suspense>
            </Panel>
          </Tabs.Panel>
          <Suspense fallback={<Loading rows={5} />}>
            <DiagnosisPanels device={device} />
          </Suspense>
          <Tabs.Panel value="about">
            <AboutTab device={device} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </>
  );
}

function DeviceHead({ device }: { device: DeviceDetail }) {
  const { text, tone, help } = statusLabel(device);
  const reported = device.reported_labels ?? {};
  return (
    <PageHead
      title={device.id}
      trail={[{ text: "Fleet", to: "/" }]}
      heading={<Tag tone={tone} text={text} help={help} live={device.status === "updating"} />}
      under={
        <>
          {device.profile && <span>{device.profile}</span>}
          <Labels labels={device.labels} />
          {Object.keys(reported).length > 0 && (
            <span title="The device gives itself these labels. They select nothing, unless the server's setting trust_reported names their keys">
              Reported: <Labels labels={reported} />
            </span>
          )}
        </>
      }
      actions={
        <>
          <LabelsButton device={device} />
          <CommandsMenu device={device.id} online={device.online} />
          <MaintenanceMenu device={device} />
        </>
      }
    />
  );
}
