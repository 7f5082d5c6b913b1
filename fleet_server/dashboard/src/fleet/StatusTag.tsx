import { Group, Tooltip } from "@mantine/core";
import type { DeviceRow } from "~/api/types";
import { Tag } from "~/components/Tag";
import { statusLabel } from "~/format/devices";
import classes from "./DeviceTable.module.css";

/** Status label of a device, with "offline" if the label does not imply it. */
export function StatusTag({ row }: { row: DeviceRow }) {
  const { text, tone, help } = statusLabel(row);
  const why = row.attention[0];
  const tag = <Tag tone={tone} text={text} help={why ?? help} live={row.status === "updating"} />;
  if (row.status !== "attention" || row.online) return tag;
  return (
    <Group gap={4} wrap="nowrap">
      {tag}
      <Tooltip label="Not connected">
        <span className={classes.faint}>Offline</span>
      </Tooltip>
    </Group>
  );
}
