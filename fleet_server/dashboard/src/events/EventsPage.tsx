import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { summaryQuery } from "~/api/events";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { now_s } from "~/format/time";
import { ShareButton } from "~/range/ShareButton";
import { isOpen, rangeOf } from "~/range/times";
import { EventFeed } from "./EventFeed";
import classes from "./EventsPage.module.css";
import { ExportMenu } from "./ExportMenu";
import { Facets } from "./Facets";
import { PARTS } from "./bars";
import { RangePanel } from "./RangePanel";
import { conditionsOf, narrowedBy, NO_FILTER, sharedSearch, type EventsSearch } from "./search";

const route = getRouteApi("/events");

/** Events of the fleet, to look through and to mark. */
export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { range: preset, since, until } = search;
  const times = useMemo(() => ({ range: preset, since, until }), [preset, since, until]);
  const range = useMemo(() => rangeOf(times, now_s()), [times]);
  const conditions = conditionsOf(search);
  const change = (next: EventsSearch, replace = true) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace, resetScroll: false });
  const summary = useQuery(
    summaryQuery(conditions, PARTS, () => rangeOf(times, now_s()).since, range.until, JSON.stringify(times)),
  );
  const filter = { ...conditions, since_at: range.since, until_at: range.until ?? undefined };
  const narrowed = narrowedBy(search) > 0;
  return (
    <>
      <PageHead
        title="Events"
        under="By their time of arrival. Offline devices buffer events until they reconnect"
        actions={
          <>
            <SegmentedControl
              aria-label="View"
              w={{ base: "100%", xs: "auto" }}
              data={[
                { value: "list", label: "List" },
                { value: "pictures", label: "Snapshots" },
              ]}
              value={search.view ?? "list"}
              onChange={(view) => change({ view: view === "pictures" ? "pictures" : undefined })}
            />
            <ShareButton
              address={() => sharedSearch(search, range.since, range.until ?? now_s())}
              note="With the time range, the filters and the open event. Others need access to this server."
            />
            <ExportMenu filter={filter} />
          </>
        }
      />
      <RangePanel
        times={times}
        range={range}
        summary={summary.data}
        stale={summary.isPlaceholderData}
        error={summary.error}
        onRetry={() => void summary.refetch()}
        onChange={(next) => change(next, false)}
      />
      <div className={classes.columns}>
        <Facets search={search} summary={summary.data} onChange={change} />
        <Panel flush>
          <EventFeed
            filter={filter}
            isOpen={isOpen(range, now_s())}
            asPictures={search.view === "pictures"}
            opened={search.event}
            onOpen={(event) => change({ event })}
            action={
              narrowed ? (
                <Button variant="default" onClick={() => change(NO_FILTER)}>
                  Show all events
                </Button>
              ) : undefined
            }
          />
        </Panel>
      </div>
    </>
  );
}

/** The events of one device; the open one is not in the address. Here, so that both pages load one part. */
export function DeviceEvents({ id }: { id: string }) {
  const [opened, setOpened] = useState<number>();
  return <EventFeed filter={{ device: id }} hideDevice opened={opened} onOpen={setOpened} />;
}
