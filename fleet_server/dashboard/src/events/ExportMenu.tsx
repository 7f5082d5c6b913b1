import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useRef, useState } from "react";
import { everyEvent, type EventConditions } from "~/api/events";
import { saveFile } from "~/components/saveFile";
import { count, many } from "~/format/numbers";
import { now_s } from "~/format/time";
import { headOf, linesOf, TYPES, type ExportFormat } from "./exporting";
import { fieldText } from "~/format/zone";

/** Most events of one file: more would not fit a browser's memory. */
const EVENTS_MAX = 100_000;

/** Writes all events of a filter into a file, at most the newest `EVENTS_MAX`. */
export function ExportMenu({ filter }: { filter: EventConditions }) {
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  const run = async (format: ExportFormat) => {
    const abort = new AbortController();
    stop.current = abort;
    const texts = [headOf(format)];
    let events = 0;
    setDone(0);
    try {
      for await (const rows of everyEvent({ ...filter, until_at: filter.until_at ?? now_s() }, abort.signal)) {
        texts.push(linesOf(rows, format));
        events += rows.length;
        setDone(events);
        if (events >= EVENTS_MAX) break;
      }
      saveFile(new Blob(texts, { type: TYPES[format] }), `events-${fieldText(now_s()).replaceAll(/[T:]/g, "-")}.${format}`);
      notifications.show({
        message:
          events < EVENTS_MAX
            ? `${many(events, "event")} exported`
            : `The newest ${count(events)} events exported. edgefleet event export writes all of them`,
      });
    } catch (error) {
      if (!abort.signal.aborted) notifications.show({ message: (error as Error).message, color: "red" });
    } finally {
      setDone(null);
    }
  };
  if (done !== null) {
    return (
      <Button variant="default" onClick={() => stop.current?.abort()}>
        Stop export ({count(done)})
      </Button>
    );
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All events of these filters</Menu.Label>
        <Menu.Item onClick={() => void run("csv")}>CSV</Menu.Item>
        <Menu.Item onClick={() => void run("jsonl")}>JSON Lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
