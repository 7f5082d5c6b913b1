import { Button, Menu } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "~/components/role";
import { decommission, pinDevice, releaseDevice, unpinDevice } from "~/api/fleet";
import type { DeviceDetail } from "~/api/types";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";

interface Step {
  key: string;
  text: string;
  lines: string[];
  needsReason?: boolean;
  /** Text that must be typed, for an action that cannot be undone. */
  typed?: string;
  act: (why: string) => Promise<DeviceDetail | null>;
}

function stepsOf(device: DeviceDetail, mayAdmin: boolean): Step[] {
  const pinned = new Set(device.pins.map((pin) => pin.slot));
  return [
    ...device.slots.flatMap((slot): Step[] => {
      if (pinned.has(slot.slot)) {
        return [
          {
            key: `unpin ${slot.slot}`,
            text: `Unpin ${slot.slot}`,
            lines: [`Slot ${slot.slot} follows rollouts again, starting with the next one. Its version does not change now.`],
            act: () => unpinDevice(device.id, slot.slot),
          },
        ];
      }
      if (!slot.running) return [];
      const runs = `${slot.running.package} ${slot.running.version}`;
      return [
        {
          key: `pin ${slot.slot}`,
          text: `Pin ${slot.slot}`,
          needsReason: true,
          lines: [`Slot ${slot.slot} stays on ${runs}. Rollouts skip it until it is unpinned.`],
          act: (why) => pinDevice(device.id, slot.slot, why),
        },
      ];
    }),
    ...(device.excluded_until
      ? [
          {
            key: "release",
            text: "Release",
            lines: ["Ends the exclusion. Rollouts retry the device immediately."],
            act: () => releaseDevice(device.id),
          },
        ]
      : []),
    ...(mayAdmin
      ? [
          {
            key: "decommission",
            text: "Decommission",
            typed: device.id,
            lines: [
              "The device is removed from the fleet. Its certificates are revoked; its telemetry, events, labels and history are deleted.",
              "This cannot be undone. To rejoin, the device must enroll again with a new token.",
            ],
            act: async () => {
              await decommission(device.id);
              return null;
            },
          },
        ]
      : []),
  ];
}

/** Actions on a device: pin, unpin, release, decommission. */
export function MaintenanceMenu({ device }: { device: DeviceDetail }) {
  const may = useMay("operator");
  const mayAdmin = useMay("admin");
  const [step, setStep] = useState<Step | null>(null);
  const steps = stepsOf(device, mayAdmin);
  const client = useQueryClient();
  const navigate = useNavigate();
  const confirmationOf = (step: Step): Confirmation<DeviceDetail | null> => ({
    title: `${step.text}: ${device.id}`,
    lines: step.lines,
    yes: step.text,
    isDestructive: step.typed !== undefined,
    why: step.needsReason ? { label: "Reason", help: "Shown on the device page" } : undefined,
    typed: step.typed,
    act: step.act,
    done: async (fresh) => {
      if (fresh) client.setQueryData(["device", device.id], fresh);
      else await navigate({ to: "/" });
      void client.invalidateQueries({ queryKey: ["devices"] });
    },
  });
  if (!may || !steps.length) return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            Manage
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
      <ConfirmDialog question={step && confirmationOf(step)} onClose={() => setStep(null)} />
    </>
  );
}
