import { Tabs } from "@mantine/core";
import { useMay } from "~/components/role";
import type { DeviceDetail } from "~/api/types";
import { ConfigurationTab } from "./ConfigurationTab";
import { DiagnosticsTab } from "./DiagnosticsTab";
import { LogsTab } from "./LogsTab";

/** What the tabs of `DiagnosisTabs` show. */
export function DiagnosisPanels({ device }: { device: DeviceDetail }) {
  if (!useMay("operator")) return null;
  return (
    <>
      <Tabs.Panel value="logs">
        <LogsTab key={device.id} device={device} />
      </Tabs.Panel>
      <Tabs.Panel value="configuration">
        <ConfigurationTab key={device.id} device={device} />
      </Tabs.Panel>
      <Tabs.Panel value="diagnostics">
        <DiagnosticsTab key={device.id} device={device} />
      </Tabs.Panel>
    </>
  );
}
