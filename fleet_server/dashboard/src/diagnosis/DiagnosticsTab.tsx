import { Alert, Button, Group, Stack, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { runCheck, type CheckRow } from "~/api/diagnosis";
import type { DeviceDetail } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Tag } from "~/components/Tag";
import { BundlesPanel } from "./BundlesPanel";

const CHECKS = [
  { name: "doctor", title: "Accelerators", help: "Runs each runtime and accelerator once, and lists what is missing" },
  {
    name: "selftest",
    title: "Self-test of models",
    help: "Golden samples, latency and memory of each running model; takes up to a minute",
  },
  { name: "network", title: "Network", help: "Interfaces, route, name servers, and a connection to the broker" },
  { name: "disk", title: "Disk", help: "Free space, a test of writing, and the size of each folder" },
  { name: "cameras", title: "Cameras", help: "One frame of each camera; the frames stay on the device" },
] as const;

/** The fixed checks of a device, and its support bundles. */
export function DiagnosticsTab({ device }: { device: DeviceDetail }) {
  return (
    <Stack gap="md">
      {!device.online && (
        <Alert color="yellow" variant="light" p="sm" styles={{ message: { color: "var(--ink)" } }}>
          The device is offline: checks run when it is online. Support bundles that have arrived can be downloaded.
        </Alert>
      )}
      {CHECKS.map((check) => (
        <Check key={check.name} device={device} check={check} />
      ))}
      <BundlesPanel device={device} />
    </Stack>
  );
}

function Check({ device, check }: { device: DeviceDetail; check: (typeof CHECKS)[number] }) {
  const cut = useRef<AbortController | null>(null);
  useEffect(() => () => cut.current?.abort(), []);
  const run = useMutation({
    mutationFn: () => {
      cut.current = new AbortController();
      return runCheck(device.id, check.name, cut.current.signal);
    },
  });
  const tooOld = run.error?.message.startsWith("unknown command");
  return (
    <Panel
      title={check.title}
      note={check.help}
      side={
        <Button
          size="xs"
          variant="default"
          onClick={() => run.mutate()}
          disabled={!device.online}
          loading={run.isPending}
          aria-label={`Run ${check.title.toLowerCase()}`}
        >
          Run
        </Button>
      }
      flush
    >
      {run.error ? (
        <Text fz="sm" c="var(--bad)" role="alert" p="md">
          {tooOld ? "This agent is too old for checks. Update it to version 0.3.0 or later." : run.error.message}
        </Text>
      ) : run.data ? (
        <Rows rows={run.data} title={check.title} />
      ) : null}
    </Panel>
  );
}

function Rows({ rows, title }: { rows: readonly CheckRow[]; title: string }) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label={`Result: ${title}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Check</Table.Th>
            <Table.Th>Result</Table.Th>
            <Table.Th>Details</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={index}>
              <Table.Td>{row.what}</Table.Td>
              <Table.Td>
                <Group wrap="nowrap">
                  <Tag
                    tone={row.ok ? "ok" : row.needed ? "bad" : "off"}
                    text={row.ok ? "OK" : row.needed ? "Failed" : "Not available"}
                  />
                </Group>
              </Table.Td>
              <Table.Td>
                {row.detail}
                {row.fix && !row.ok && (
                  <Text fz="xs" c="dimmed">
                    {row.fix}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
