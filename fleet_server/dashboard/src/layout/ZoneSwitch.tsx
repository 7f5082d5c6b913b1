import { Button, Tooltip } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { chooseZone, isUtc } from "~/format/zone";

export const OTHER_ZONE = isUtc ? "Show times in local time" : "Show times in UTC";

/** The page is loaded again, so that no text keeps the zone of before; drafts outlive that. */
export function switchZone(): void {
  if (chooseZone(!isUtc)) location.reload();
  else notifications.show({ message: "This browser does not allow storing the choice", color: "red" });
}

/** Local time or UTC; on a phone it is in the palette. */
export function ZoneSwitch() {
  const shown = isUtc ? "UTC" : "Local";
  return (
    <Tooltip label={OTHER_ZONE}>
      <Button
        variant="default"
        h={34}
        px="xs"
        fw={500}
        visibleFrom="sm"
        onClick={switchZone}
        aria-label={`${shown}. ${OTHER_ZONE}`}
      >
        {shown}
      </Button>
    </Tooltip>
  );
}
