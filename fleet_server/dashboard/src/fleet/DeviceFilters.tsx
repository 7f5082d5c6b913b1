import { Button, Group, Pill, Select, TextInput } from "@mantine/core";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useEffect, useRef, useState } from "react";
import { useDebounced } from "~/components/useDebounced";
import type { FleetSearch } from "./search";
import type { DeviceFact } from "~/api/types";
import { DEVICE_FACT, FACTS } from "~/format/devices";

/** No filter. */
export const NO_FILTER: FleetSearch = {
  search: undefined,
  status: undefined,
  package: undefined,
  version: undefined,
  slot: undefined,
  group: undefined,
  query: undefined,
  label: undefined,
};

interface DeviceFiltersProps {
  search: FleetSearch;
  onChange: (next: FleetSearch) => void;
}

/** Filters of the device list; all of them are in the address, so a filtered list can be shared. */
export function DeviceFilters({ search, onChange }: DeviceFiltersProps) {
  const [text, setText] = useState(search.search ?? "");
  const [query, setQuery] = useState("");
  const sent = useRef(search.search ?? "");
  const send = useDebounced((value: string) => {
    sent.current = value;
    onChange({ search: value || undefined });
  }, 100);
  useEffect(() => {
    if ((search.search ?? "") === sent.current) return;
    sent.current = search.search ?? "";
    setText(sent.current);
  }, [search.search]);
  const pills: { text: string; without: FleetSearch }[] = [
    ...(search.package || search.version
      ? [
          {
            text: `Running ${search.package ?? ""} ${search.version ?? ""}`.trim(),
            without: { package: undefined, version: undefined, slot: undefined },
          },
        ]
      : []),
    ...(search.group ? [{ text: `Group ${search.group}`, without: { group: undefined } }] : []),
    ...(search.query ? [{ text: `Query ${search.query}`, without: { query: undefined } }] : []),
    ...(search.label ?? []).map((pair) => ({ text: pair, without: { label: search.label?.filter((each) => each !== pair) } })),
  ];
  const narrowed = Boolean(search.search || search.status || pills.length);
  return (
    <Group p="md" pb="sm" gap="sm">
      <TextInput
        aria-label="Search devices"
        placeholder="ID, profile or label"
        leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          send(event.currentTarget.value);
        }}
        w={{ base: "100%", xs: 260 }}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={FACTS.map((value) => ({ value, label: DEVICE_FACT[value].text }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: (status as DeviceFact | null) ?? undefined })}
        clearable
        clearButtonProps={{ "aria-label": "Any status" }}
        w={{ base: "100%", xs: 150 }}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim()) onChange({ query: query.trim() });
          setQuery("");
        }}
      >
        <TextInput
          aria-label="Query"
          placeholder="Query, e.g. agent < 0.3 and not site = lab"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          maxLength={2000}
          autoCapitalize="none"
          spellCheck={false}
          w={{ base: "100%", xs: 300 }}
        />
      </form>
      {pills.map((pill) => (
        <Pill
          key={pill.text}
          size="md"
          withRemoveButton
          onRemove={() => onChange(pill.without)}
          removeButtonProps={{ "aria-label": `Remove ${pill.text}`, "aria-hidden": false, tabIndex: 0 }}
        >
          {pill.text}
        </Pill>
      ))}
      {narrowed && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(NO_FILTER)}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}
