import { Button, Code, Group, Loader, Menu, Modal, ScrollArea, Stack, Text } from "@mantine/core";

import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconFileText from "@tabler/icons-react/dist/esm/icons/IconFileText.mjs";
import IconId from "@tabler/icons-react/dist/esm/icons/IconId.mjs";
import IconRefresh from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs";
import IconTerminal2 from "@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { readCommand, sendCommand } from "~/api/actions";
import type { CommandRow } from "~/api/types";
import { Tag } from "~/components/Tag";
import type { Tone } from "~/format/tones";
import { span } from "~/format/time";

const DEADLINE_S = 30;
const POLL_MS = 700;

const COMMANDS = [
  { op: "identify", text: "Identify", help: "Show current hardware and versions", icon: IconId },
  { op: "logs", text: "Fetch recent logs", help: "Show the latest log lines of agent and worker", icon: IconFileText },
  { op: "restart", text: "Restart worker", help: "Pipelines stop for about 2 seconds", icon: IconRefresh },
] as const;
type Command = (typeof COMMANDS)[number];

const STATE: Record<CommandRow["state"], { text: string; tone: Tone }> = {
  pending: { text: "Waiting for response", tone: "busy" },
  done: { text: "Done", tone: "ok" },
  failed: { text: "Failed", tone: "bad" },
  expired: { text: "Timed out", tone: "warn" },
};

/** Commands for one device; each is sent once and its response is shown. */
export function CommandsMenu({ device, online }: { device: string; online: boolean }) {
  const may = useMay("operator");
  const [chosen, setChosen] = useState<Command | null>(null);
  if (!may) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconTerminal2 size={16} stroke={1.7} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Commands
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{online ? "Runs immediately" : `Device offline: queued for ${span(DEADLINE_S)}`}</Menu.Label>
          {COMMANDS.map((command) => (
            <Menu.Item
              key={command.op}
              leftSection={<command.icon size={18} stroke={1.6} aria-hidden />}
              onClick={() => setChosen(command)}
            >
              {command.text}
              <Text fz="xs" c="dimmed">
                {command.help}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        title={<b>{chosen?.text}</b>}
        size={chosen?.op === "logs" ? "xl" : "md"}
      >
        {chosen && <CommandRun device={device} command={chosen} onClose={() => setChosen(null)} />}
      </Modal>
    </>
  );
}

function CommandRun({ device, command, onClose }: { device: string; command: Command; onClose: () => void }) {
  const send = useMutation({ mutationFn: () => sendCommand(device, command.op, {}, DEADLINE_S) });
  const { data: row, error } = useQuery({
    queryKey: ["command", device, send.data?.id],
    queryFn: () => readCommand(device, send.data?.id ?? ""),
    enabled: send.data !== undefined,
    initialData: send.data,
    refetchInterval: (query) => (query.state.data?.state === "pending" ? POLL_MS : false),
  });
  if (!row && !send.isPending && !send.error) {
    return (
      <Stack>
        <Text fz="sm">
          {command.help}. Send <b>{command.op}</b> to <b>{device}</b>?
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => send.mutate()} data-autofocus>
            {command.text}
          </Button>
        </Group>
      </Stack>
    );
  }
  const failure = send.error ?? error;
  return (
    <Stack>
      {failure ? (
        <Text c="var(--bad)" fz="sm" role="alert">
          {failure.message}
        </Text>
      ) : row ? (
        <div role="status">
          <Tag tone={STATE[row.state].tone} text={STATE[row.state].text} live={row.state === "pending"} />
          {row.detail && (
            <Text fz="sm" mt="xs">
              {row.detail}
            </Text>
          )}
        </div>
      ) : (
        <Loader size="sm" />
      )}
      {row && Object.keys(row.result).length > 0 && (
        <ScrollArea.Autosize mah={380}>
          <Code block>{textOf(row.result)}</Code>
        </ScrollArea.Autosize>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

/** Log lines as text, everything else as JSON. */
function textOf(result: Record<string, unknown>): string {
  const { lines } = result;
  return Array.isArray(lines) ? lines.join("\n") : JSON.stringify(result, null, 2);
}
