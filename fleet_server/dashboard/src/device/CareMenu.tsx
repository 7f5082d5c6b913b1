import { Button, Group, List, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Refusal } from "~/account/Gatehouse";
import { useMay } from "~/account/role";
import { decommission, pinDevice, releaseDevice, unpinDevice } from "~/api/fleet";
import type { DeviceDetail } from "~/api/types";

interface Step {
  key: string;
  text: string;
  lines: string[];
  asksWhy?: boolean;
  /** What has to be typed, for what cannot be undone. */
  typed?: string;
  act: (why: string) => Promise<DeviceDetail | null>;
}

function stepsOf(device: DeviceDetail, mayAdmin: boolean): Step[] {
  const pinned = new Set(device.pins.map((pin) => pin.slot));
  return [
    ...device.slots.flatMap((slot): Step[] => {
      if (pinned.has(slot.slot)) {
        return [{ key: `unpin ${slot.slot}`, text: `Unpin ${slot.slot}`, lines: [`Slot ${slot.slot} follows rollouts again, from the next one on. Nothing changes now.`], act: () => unpinDevice(device.id, slot.slot) }];
      }
      if (!slot.running) return [];
      const runs = `${slot.running.package} ${slot.running.version}`;
      return [{ key: `pin ${slot.slot}`, text: `Pin ${slot.slot}`, asksWhy: true, lines: [`Slot ${slot.slot} stays at ${runs}, whatever is rolled out, until it is unpinned.`], act: (why) => pinDevice(device.id, slot.slot, why) }];
    }),
    ...(device.set_aside_until
      ? [{ key: "release", text: "Release", lines: ["Its failures so far count no more: rollouts that set it aside try it again at once."], act: () => releaseDevice(device.id) }]
      : []),
    ...(mayAdmin
      ? [
          {
            key: "decommission",
            text: "Decommission",
            typed: device.id,
            lines: ["It leaves the fleet: its certificates are revoked; its telemetry, events, labels and history are deleted.", "This cannot be undone. A new token lets it back in, as a stranger."],
            act: async () => {
              await decommission(device.id);
              return null;
            },
          },
        ]
      : []),
  ];
}

/** What can be done about a device, each with its consequence. */
export function CareMenu({ device }: { device: DeviceDetail }) {
  const may = useMay("operator");
  const mayAdmin = useMay("admin");
  const [step, setStep] = useState<Step | null>(null);
  const steps = stepsOf(device, mayAdmin);
  if (!may || !steps.length) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            Care
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {steps.map((each) => (
            <Menu.Item key={each.key} onClick={() => setStep(each)} c={each.typed ? "var(--bad)" : undefined}>
              {each.text}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={step !== null} onClose={() => setStep(null)} title={step && <b>{`${step.text}: ${device.id}`}</b>}>
        {step && <StepForm key={step.key} device={device.id} step={step} onDone={() => setStep(null)} />}
      </Modal>
    </>
  );
}

function StepForm({ device, step, onDone }: { device: string; step: Step; onDone: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [why, setWhy] = useState("");
  const [typed, setTyped] = useState("");
  const act = useMutation({
    mutationFn: () => step.act(why.trim()),
    onSuccess: async (fresh) => {
      onDone();
      if (fresh) client.setQueryData(["device", device], fresh);
      else await navigate({ to: "/" });
      void client.invalidateQueries({ queryKey: ["devices"] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      <Stack>
        <List fz="sm" spacing={6}>
          {step.lines.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
        {step.asksWhy && <TextInput label="Why" description="Stands where rollouts leave the device out" maxLength={200} value={why} onChange={(event) => setWhy(event.currentTarget.value)} data-autofocus />}
        {step.typed && (
          <TextInput label="Type the device's id" description={<Text span className="mono" fz="xs">{step.typed}</Text>} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} autoComplete="off" data-autofocus />
        )}
        <Refusal error={act.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={act.isPending} disabled={step.typed !== undefined && typed.trim() !== step.typed} color={step.typed ? "red.8" : undefined}>
            {step.text}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
