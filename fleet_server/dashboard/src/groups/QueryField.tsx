import { Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { devicesQuery } from "~/api/queries";
import { many } from "~/format/numbers";

/** A device query, with the number of devices that match now, or the position of its error. */
export function QueryField({ value, onChange }: { value: string; onChange: (query: string) => void }) {
  const [written] = useDebouncedValue(value.trim(), 300);
  const { data, error } = useQuery({ ...devicesQuery({ query: written, size: 1 }), enabled: written !== "", retry: false });
  const isCurrent = written !== "" && written === value.trim();
  return (
    <>
      <TextInput
        label="Query"
        description="e.g. site = lyon and not (ring = canary or profile = coral*) and agent >= 0.3"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={isCurrent && error?.message}
        maxLength={2000}
        autoCapitalize="none"
        spellCheck={false}
      />
      {isCurrent && data && !error && (
        <Text fz="sm" c="dimmed" role="status">
          {many(data.total, "device matches the query", "devices match the query")}
        </Text>
      )}
    </>
  );
}
