import { Alert } from "@mantine/core";
import IconClockPause from "@tabler/icons-react/dist/esm/icons/IconClockPause.mjs";
import IconPin from "@tabler/icons-react/dist/esm/icons/IconPin.mjs";
import type { DeviceDetail } from "~/api/types";
import { Ago, useSecond } from "~/components/Ago";
import { span } from "~/format/time";

const plain = { message: { color: "var(--ink)" } };

/** Reasons why rollouts skip this device: pins and exclusion. */
export function MaintenanceNotes({ device }: { device: DeviceDetail }) {
  const now = useSecond();
  return (
    <>
      {device.pins.map((pin) => (
        <Alert key={pin.slot} color="gray" variant="light" icon={<IconPin size={18} />} p="sm" styles={plain}>
          Slot <b>{pin.slot}</b> is pinned to {pin.package} {pin.version}: rollouts skip it. {pin.reason && `${pin.reason}. `}
          Pinned by {pin.pinned_by || "the command line on the server"}, <Ago at={pin.pinned_at} />.
        </Alert>
      ))}
      {device.excluded_until !== null && device.excluded_until > now && (
        <Alert color="yellow" variant="light" icon={<IconClockPause size={18} />} p="sm" styles={plain}>
          Excluded for another {span(device.excluded_until - now)} after repeated update failures: rollouts skip the device.
          Release it to retry now.
        </Alert>
      )}
    </>
  );
}
