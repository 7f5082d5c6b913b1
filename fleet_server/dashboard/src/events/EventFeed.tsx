import { Button, Center } from "@mantine/core";
import IconBell from "@tabler/icons-react/dist/esm/icons/IconBell.mjs";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { EventConditions } from "~/api/events";
import { useMay } from "~/components/role";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { useTopics } from "~/live/LiveProvider";
import { EventDrawer } from "./EventDrawer";
import classes from "./EventFeed.module.css";
import { EventGallery } from "./EventGallery";
import { EventTable } from "./EventTable";
import { FeedBar } from "./FeedBar";
import { neighbour, stretch } from "./marks";
import { useEventKeys } from "./useEventKeys";
import { useEventList } from "./useEventList";
import { useMarks } from "./useMarks";

interface EventFeedProps {
  filter: EventConditions;
  /** Whether new events can match. */
  isOpen?: boolean;
  hideDevice?: boolean;
  asPictures?: boolean;
  opened: number | undefined;
  onOpen: (id: number | undefined) => void;
  /** Shown where nothing matches. */
  action?: ReactNode;
}

/** Events to review, newest first. New ones wait behind a button, so that the list does not move. */
export function EventFeed({ filter, isOpen = true, hideDevice = false, asPictures, opened, onOpen, action }: EventFeedProps) {
  useTopics("events");
  const may = useMay("operator");
  const marks = useMarks();
  const list = useEventList(filter, isOpen);
  const [current, setCurrent] = useState<number>();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const lastPicked = useRef<number>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const { rows } = list;
  const ids = rows.map(({ id }) => id);
  const selected = rows.filter(({ id }) => picked.has(id));

  const focus = (id: number | undefined) =>
    frame.current?.querySelector<HTMLElement>(`[data-event="${id}"]`)?.focus({ preventScroll: false });
  const step = (by: number) => {
    const from = opened ?? current;
    const next = neighbour(ids, from, by);
    if (next === undefined) return;
    if (by > 0 && next === ids.at(-1) && list.older.has && !list.older.isLoading) list.older.load();
    setCurrent(next);
    if (opened === undefined) focus(next);
    else onOpen(next);
  };
  const close = () => {
    const last = opened;
    onOpen(undefined);
    window.setTimeout(() => focus(last), 0); // once the dialog has let go of the focus
  };
  const pick = (id: number, withShift = false) => {
    const chosen = !picked.has(id);
    const all = withShift && lastPicked.current !== undefined ? stretch(ids, lastPicked.current, id) : [id];
    lastPicked.current = id;
    const next = new Set(picked);
    for (const each of all) {
      if (chosen) next.add(each);
      else next.delete(each);
    }
    setPicked(next);
  };
  const targets = (() => {
    if (opened !== undefined) return rows.filter(({ id }) => id === opened);
    return selected.length ? selected : rows.filter(({ id }) => id === current);
  })();
  const [helps, setHelps] = useState(false);
  useEventKeys({
    may,
    step,
    targets,
    marks,
    onPick: () => current !== undefined && opened === undefined && pick(current),
    onEnter: () => current !== undefined && onOpen(current),
    onHelp: () => setHelps((old) => !old),
  });
  const onArrow = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    step(by);
  };

  const content = () => {
    if (list.error && !rows.length) return <Fault error={list.error} onRetry={() => void list.refetch()} />;
    if (list.isLoading) return <Loading rows={8} height={54} />;
    if (!rows.length) {
      return (
        <Empty icon={IconBell} title="No matching events" action={action}>
          Choose a longer time range or fewer filters. Pipeline rules create events such as line crossings, zone presence and
          counts. Offline devices buffer events.
        </Empty>
      );
    }
    const shared = { rows, current: opened ?? current, onOpen, onCurrent: setCurrent };
    return asPictures ? (
      <EventGallery {...shared} />
    ) : (
      <EventTable {...shared} hideDevice={hideDevice} selection={may ? { ids: picked, pick } : undefined} />
    );
  };
  return (
    <>
      <FeedBar
        rows={rows}
        selected={selected}
        fresh={list.fresh}
        may={may}
        helps={helps}
        onHelp={setHelps}
        onShowNew={() => {
          void list.showNew().then(() => frame.current?.scrollIntoView({ block: "start" }));
        }}
        onSelect={(all) => setPicked(new Set(all ? ids : []))}
        onMark={(verdict) => marks.mark(selected, verdict)}
        canSelect={may && !asPictures && rows.length > 0}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons in it */}
      <div ref={frame} className={classes.list} data-stale={list.isStale} aria-busy={list.isStale} onKeyDown={onArrow}>
        {content()}
      </div>
      {list.older.has && rows.length > 0 && (
        <Center p="md">
          <Button variant="default" loading={list.older.isLoading} onClick={list.older.load}>
            Load older events
          </Button>
        </Center>
      )}
      {list.error && rows.length > 0 && <ErrorText error={list.error} />}
      <EventDrawer
        id={opened}
        row={rows.find(({ id }) => id === opened)}
        may={may}
        ends={{ first: opened === ids[0], last: opened === ids.at(-1) && !list.older.has }}
        onStep={step}
        onMark={(row, verdict) => marks.mark([row], verdict)}
        onClose={close}
      />
    </>
  );
}
