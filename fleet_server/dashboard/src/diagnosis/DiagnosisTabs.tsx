import { Tabs } from "@mantine/core";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconGitCompare from "@tabler/icons-react/dist/esm/icons/IconGitCompare.mjs";
import IconStethoscope from "@tabler/icons-react/dist/esm/icons/IconStethoscope.mjs";
import { useMay } from "~/components/role";

/** The tabs of a device's page that operators have. */
export function DiagnosisTabs() {
  if (!useMay("operator")) return null;
  return (
    <>
      <Tabs.Tab value="logs" leftSection={<IconFileText size={16} aria-hidden />}>
        Logs
      </Tabs.Tab>
      <Tabs.Tab value="configuration" leftSection={<IconGitCompare size={16} aria-hidden />}>
        Configuration
      </Tabs.Tab>
      <Tabs.Tab value="diagnostics" leftSection={<IconStethoscope size={16} aria-hidden />}>
        Diagnostics
      </Tabs.Tab>
    </>
  );
}
