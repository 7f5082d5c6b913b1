import { Button, Group, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { overviewQuery } from "~/api/queries";
import { useTopics } from "~/live/LiveProvider";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { useDebounced } from "~/components/useDebounced";
import type { EventsSearch } from "./search";
import { many } from "~/format/numbers";
import { DevicePicker } from "./DevicePicker";
import { EventFeed } from "./EventFeed";

const route = getRouteApi("/events");
const KINDS = ["visit", "zone", "line", "count", "anomaly"];

export function EventsPage() {
  useTopics("events");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: overview } = useQuery(overviewQuery);
  const change = (next: EventsSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const later = useDebounced(change, 250);
  const { view: _, ...filter } = search;
  const narrowed = Boolean(search.device ?? search.kind ?? search.label);
  return (
    <>
      <PageHead
        title="Events"
        under={
          overview && (
            <span className="num">
              {many(overview.events_24h, "event")} in 24 h. Offline devices buffer events until they reconnect
            </span>
          )
        }
        actions={
          <SegmentedControl
            aria-label="View"
            data={[
              { value: "list", label: "List" },
              { value: "pictures", label: "Snapshots" },
            ]}
            value={search.view ?? "list"}
            onChange={(view) => change({ view: view === "pictures" ? "pictures" : undefined })}
          />
        }
      />
      <Panel flush>
        <Group p="md" gap="sm">
          <DevicePicker device={search.device} onPick={(device) => change({ device })} />
          <Select
            aria-label="Kind"
            placeholder="Any kind"
            data={KINDS}
            value={search.kind ?? null}
            onChange={(kind) => change({ kind: kind ?? undefined })}
            clearable
            clearButtonProps={{ "aria-label": "Any kind" }}
            w={{ base: "100%", xs: 140 }}
          />
          <TextInput
            aria-label="Label"
            placeholder="e.g. dent"
            defaultValue={search.label}
            onChange={(event) => later({ label: event.currentTarget.value.trim() || undefined })}
            w={{ base: "100%", xs: 160 }}
          />
          {narrowed && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => change({ device: undefined, kind: undefined, label: undefined })}
            >
              Clear filters
            </Button>
          )}
        </Group>
        <EventFeed filter={filter} asPictures={search.view === "pictures"} />
      </Panel>
    </>
  );
}
