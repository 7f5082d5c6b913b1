import { Alert } from "@mantine/core";
import IconClockPause from "@tabler/icons-react/dist/esm/icons/IconClockPause.mjs";
import IconPin from "@tabler/icons-react/dist/esm/icons/IconPin.mjs";
import type { DeviceDetail } from "~/api/types";
import { Ago, useSecond } from "~/components/Ago";
import { span } from "~/format/time";

const plain = { message: { color: "var(--ink)" } };

/** Why rollouts pass this device by: pins, and the penalty box. */
export function MaintenanceNotes({ device }: { device: DeviceDetail }) {
  const now = useSecond();
  return (
    <>
      {device.pins.map((pin) => (
        <Alert key={pin.slot} color="gray" variant="light" icon={<IconPin size={18} />} p="sm" styles={plain}>
          Slot <b>{pin.slot}</b> is pinned to {pin.package} {pin.version}: rollouts leave it alone. {pin.reason && `${pin.reason}. `}
          By {pin.pinned_by || "somebody on the server's machine"}, <Ago at={pin.pinned_at} />.
        </Alert>
      ))}
      {device.set_aside_until !== null && device.set_aside_until > now && (
        <Alert color="yellow" variant="light" icon={<IconClockPause size={18} />} p="sm" styles={plain}>
          Set aside for another {span(device.set_aside_until - now)}: its last updates failed again and again, so rollouts pass it by. Release it to let it try now.
        </Alert>
      )}
    </>
  );
}
