import { Anchor, Button, Group, Popover, Stack, Table, Text, TextInput } from "@mantine/core";
import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useMay } from "~/components/role";
import { storedPipelinesQuery, type StoredPipeline } from "~/api/pipelines";
import type { DeviceDetail } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { fixed } from "~/format/numbers";
import type { Tone } from "~/format/tones";
import { Editor } from "./Editor";
import { startOf, versionOn } from "./start";

const NAME = /^[a-z0-9][a-z0-9_-]{0,54}$/;

interface PipelinesTabProps {
  device: DeviceDetail;
  pipeline: string | undefined;
  onOpen: (pipeline: string | undefined) => void;
}

/** Pipelines of a device, and the editor of one of them. */
export function PipelinesTab({ device, pipeline, onOpen }: PipelinesTabProps) {
  const may = useMay("operator");
  const { data, error, isPending } = useQuery(storedPipelinesQuery(device.id, may && device.online));
  const isLoading = may && device.online && isPending;
  const stored = data ?? [];
  if (pipeline && may)
    return (
      <OnePipeline
        key={`${device.id} ${pipeline}`}
        device={device}
        name={pipeline}
        stored={stored}
        isReady={!isLoading}
        onClose={() => onOpen(undefined)}
      />
    );
  if (isLoading) return <Loading rows={5} />;
  const names = [...new Set([...Object.keys(device.pipeline_states), ...stored.map(({ name }) => name)])].sort();
  return (
    <Panel title="Pipelines" note={error?.message} side={may && <NewPipeline taken={names} onCreate={onOpen} />} flush>
      {names.length ? (
        <Table.ScrollContainer minWidth={420}>
          <Table verticalSpacing={10} horizontalSpacing="md" fz="sm" aria-label="Pipelines of this device">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Pipeline</Table.Th>
                <Table.Th>Source</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th visibleFrom="sm">Frames analyzed/s</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {names.map((name) => (
                <Table.Tr key={name}>
                  <Table.Td>
                    {may ? (
                      <Anchor component="button" type="button" className="strong-link" onClick={() => onOpen(name)}>
                        {name}
                      </Anchor>
                    ) : (
                      name
                    )}
                  </Table.Td>
                  <Table.Td>{versionOn(device, name) ? `Fleet, ${versionOn(device, name)}` : "Local file"}</Table.Td>
                  <Table.Td>
                    <State text={device.pipeline_states[name] ?? "not running"} />
                    {device.pipelines[name]?.reason && (
                      <Text size="xs" c="dimmed" mt={4}>
                        {device.pipelines[name].reason}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{fixed(device.pipelines[name]?.detection_fps, 1)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <Empty icon={IconRoute} title="No pipelines on this device">
          {device.online
            ? "Create a pipeline: choose a source and a model, then draw lines and zones."
            : "The device is offline and has not reported any pipelines."}
        </Empty>
      )}
    </Panel>
  );
}

function State({ text }: { text: string }) {
  const tone: Tone =
    text === "running"
      ? "ok"
      : /^(waits|starting|opening|stalled|ended)/.test(text)
        ? "warn"
        : text === "not running" || text === "off"
          ? "off"
          : "bad";
  return <Tag tone={tone} text={text.length > 80 ? `${text.slice(0, 80)}…` : text} help={text.length > 80 ? text : undefined} />;
}

function NewPipeline({ taken, onCreate }: { taken: readonly string[]; onCreate: (name: string) => void }) {
  const [name, setName] = useState("");
  const wrong =
    name && !NAME.test(name) ? "Use lowercase letters, digits, - and _" : taken.includes(name) ? "Name already in use" : "";
  const create = (event: FormEvent) => {
    event.preventDefault();
    if (name && !wrong) onCreate(name);
  };
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          New pipeline
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={create}>
          <Stack gap="xs">
            <TextInput
              label="Name"
              placeholder="gate"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={wrong}
              data-autofocus
            />
            <Button type="submit" size="xs" disabled={!name || wrong !== ""}>
              Create
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

interface OnePipelineProps {
  device: DeviceDetail;
  name: string;
  stored: readonly StoredPipeline[];
  isReady: boolean;
  onClose: () => void;
}

function OnePipeline({ device, name, stored, isReady, onClose }: OnePipelineProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["pipeline-start", device.id, name],
    queryFn: () => startOf(client, device.id, name, stored),
    enabled: isReady,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Anchor
          component="button"
          type="button"
          fz="sm"
          c="dimmed"
          onClick={onClose}
          style={{ display: "inline-flex", alignItems: "center", gap: 4 }}
        >
          <IconArrowLeft size={14} stroke={1.8} aria-hidden />
          All pipelines of this device
        </Anchor>
        <Text fz="sm" c="dimmed">
          {versionOn(device, name) ? `Running fleet version ${versionOn(device, name)}` : ""}
        </Text>
      </Group>
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Editor device={device} start={data} stored={stored} />
      ) : (
        <Loading rows={8} />
      )}
    </Stack>
  );
}
