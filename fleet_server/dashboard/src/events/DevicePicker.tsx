import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { devicesQuery } from "~/api/queries";

const SHOWN = 8;

/** Searches a device by a part of its ID, its profile or a label. */
export function DevicePicker({ device, onPick }: { device?: string; onPick: (device: string | undefined) => void }) {
  const [text, setText] = useState(device ?? "");
  useEffect(() => setText(device ?? ""), [device]);
  const [searched] = useDebouncedValue(text.trim(), 200);
  const { data } = useQuery(devicesQuery({ search: searched || undefined, size: SHOWN }));
  return (
    <Autocomplete
      aria-label="Device"
      placeholder="Any device"
      data={data?.items.map(({ id }) => id) ?? []}
      filter={({ options }) => options}
      value={text}
      onChange={(next) => {
        setText(next);
        if (!next) onPick(undefined);
      }}
      onOptionSubmit={onPick}
      onKeyDown={(event) => event.key === "Enter" && onPick(text.trim() || undefined)}
      clearable
      clearButtonProps={{ "aria-label": "Any device" }}
    />
  );
}
