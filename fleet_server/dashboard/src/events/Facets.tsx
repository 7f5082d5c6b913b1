import { Button, Skeleton, TextInput } from "@mantine/core";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useEffect, useRef, useState } from "react";
import type { EventSummary, FacetName } from "~/api/events";
import { ClassDot } from "~/components/ClassDot";
import { useDebounced } from "~/components/useDebounced";
import { count } from "~/format/numbers";
import { DevicePicker } from "./DevicePicker";
import classes from "./Facets.module.css";
import { FACETS, narrowedBy, NO_FILTER, type EventsSearch } from "./search";

const ROWS_SHOWN = 6;
const TEXT: Record<FacetName, string> = {
  device: "Device",
  site: "Site",
  kind: "Kind",
  label: "Label",
  rule: "Rule",
  zone: "Zone",
};

interface FacetsProps {
  search: EventsSearch;
  summary: EventSummary | undefined;
  onChange: (next: EventsSearch) => void;
}

/** Values of the shown events with their counts; a click on one filters by it, a second one no longer. */
export function Facets({ search, summary, onChange }: FacetsProps) {
  const [opened, setOpened] = useState(false);
  const narrowed = narrowedBy(search);
  const marks = summary
    ? [
        { value: "no", text: "Unseen", count: summary.unreviewed },
        { value: "yes", text: "Marked", count: summary.total - summary.unreviewed },
      ]
    : [];
  return (
    <aside className={classes.side} aria-label="Filters">
      <div className={classes.head}>
        <Button
          hiddenFrom="md"
          variant="default"
          size="compact-md"
          leftSection={<IconFilter size={16} stroke={1.8} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          Filters{narrowed > 0 && ` (${narrowed})`}
        </Button>
        <h2 className={classes.title}>Filters</h2>
        {narrowed > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(NO_FILTER)}>
            Clear filters
          </Button>
        )}
      </div>
      <div className={classes.facets} data-opened={opened}>
        <Facet
          name="Mark"
          chosen={search.marked}
          values={marks}
          isLoading={!summary}
          onPick={(value) => onChange({ marked: value as EventsSearch["marked"] })}
        />
        <div className={classes.facet}>
          <TextField value={search.text ?? ""} onChange={(text) => onChange({ text: text || undefined })} />
          <DevicePicker device={search.device} onPick={(device) => onChange({ device })} />
        </div>
        {FACETS.map((name) => (
          <Facet
            key={name}
            name={TEXT[name]}
            chosen={search[name]}
            values={(summary?.facets[name] ?? []).map((each) => ({ ...each, text: each.value }))}
            isLoading={!summary}
            onPick={(value) => onChange({ [name]: value })}
          />
        ))}
      </div>
    </aside>
  );
}

/** Searches in all of an event, after a pause in typing. */
function TextField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebounced((next: string) => {
    sent.current = next;
    onChange(next);
  }, 300);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      aria-label="Search in events"
      placeholder="Text in the event"
      leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
      value={text}
      maxLength={100}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      mb={8}
    />
  );
}

interface FacetProps {
  name: string;
  chosen: string | undefined;
  values: readonly { value: string; text: string; count: number }[];
  isLoading: boolean;
  onPick: (value: string | undefined) => void;
}

/** As many rows as it ever had on this page, so that what is below it does not move. */
function Facet({ name, chosen, values, isLoading, onPick }: FacetProps) {
  const most = useRef(0);
  const all =
    chosen === undefined || values.some(({ value }) => value === chosen)
      ? values
      : [{ value: chosen, text: chosen, count: 0 }, ...values];
  most.current = Math.max(most.current, Math.min(ROWS_SHOWN, all.length));
  if (isLoading) return <Skeleton height={96} radius="md" mb="md" />;
  if (!most.current) return null;
  const top = Math.max(1, ...all.map((each) => each.count));
  return (
    <section className={classes.facet} aria-label={name}>
      <h3 className={classes.name}>{name}</h3>
      <ul className={classes.values} style={{ height: most.current * 28 }}>
        {all.map((each) => (
          <li key={each.value}>
            <button
              type="button"
              className={classes.value}
              aria-pressed={each.value === chosen}
              title={each.text}
              onClick={() => onPick(each.value === chosen ? undefined : each.value)}
            >
              <i style={{ width: `${(100 * each.count) / top}%` }} aria-hidden />
              {name === TEXT.label && <ClassDot label={each.value} />}
              <span>{each.text}</span>
              <b>{count(each.count)}</b>
              {each.value === chosen && <IconX size={13} stroke={2} aria-hidden />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
