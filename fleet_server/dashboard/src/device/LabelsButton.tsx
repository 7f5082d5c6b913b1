import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTag from "@tabler/icons-react/dist/esm/icons/IconTag.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "~/components/role";
import { setLabels } from "~/api/actions";
import type { DeviceDetail } from "~/api/types";

interface Pair {
  id: number;
  key: string;
  value: string;
}

let lastId = 0;
function pair(key = "", value = ""): Pair {
  lastId += 1;
  return { id: lastId, key, value };
}

/** Labels are how rollouts choose devices. */
export function LabelsButton({ device }: { device: DeviceDetail }) {
  const may = useMay("operator");
  const [opened, { open, close }] = useDisclosure();
  if (!may) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconTag size={16} stroke={1.7} aria-hidden />} onClick={open}>
        Labels
      </Button>
      <Modal opened={opened} onClose={close} title={<b>Labels of {device.id}</b>}>
        {opened && <LabelsForm device={device} onDone={close} />}
      </Modal>
    </>
  );
}

function LabelsForm({ device, onDone }: { device: DeviceDetail; onDone: () => void }) {
  const client = useQueryClient();
  const [pairs, setPairs] = useState<Pair[]>(() => [
    ...Object.entries(device.labels).map(([key, value]) => pair(key, value)),
    pair(),
  ]);
  const used = pairs.filter(({ key }) => key.trim());
  const twice = used.find(({ key }, at) => used.findIndex((other) => other.key.trim() === key.trim()) !== at)?.key;
  const save = useMutation({
    mutationFn: () => setLabels(device.id, Object.fromEntries(used.map(({ key, value }) => [key.trim(), value.trim()]))),
    onSuccess: (fresh) => {
      client.setQueryData(["device", device.id], fresh);
      void client.invalidateQueries({ queryKey: ["devices"] });
      notifications.show({ message: `Labels of ${device.id} saved`, color: "teal" });
      onDone();
    },
  });
  const write = (id: number, next: Partial<Pair>) =>
    setPairs((old) => old.map((each) => (each.id === id ? { ...each, ...next } : each)));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="sm">
        <Text fz="sm" c="dimmed">
          Rollouts and groups select devices by label, e.g. site=lyon or ring=canary.
        </Text>
        {pairs.map(({ id, key, value }, at) => (
          <Group key={id} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={`Label ${at + 1}, name`}
              placeholder="site"
              value={key}
              onChange={(event) => write(id, { key: event.currentTarget.value })}
              flex={1}
            />
            <TextInput
              aria-label={`Label ${at + 1}, value`}
              placeholder="lyon"
              value={value}
              onChange={(event) => write(id, { value: event.currentTarget.value })}
              flex={1.3}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setPairs((old) => old.filter((each) => each.id !== id))}
              aria-label={`Remove label ${key || at + 1}`}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setPairs((old) => [...old, pair()])}
          style={{ alignSelf: "flex-start" }}
        >
          Add label
        </Button>
        {(twice ?? save.error) && (
          <Text c="var(--bad)" fz="sm" role="alert">
            {twice ? `Duplicate label ${twice}` : save.error?.message}
          </Text>
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={Boolean(twice)}>
            Save labels
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
