import { Grid, SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { FleetMap, pairsOf } from "~/map/FleetMap";
import { devicesQuery, overviewQuery } from "~/api/queries";
import { useTopics } from "~/live/LiveProvider";
import { ButtonLink } from "~/components/links";
import { NewRolloutLink } from "~/rollouts/NewRolloutLink";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { filterOf, type FleetSearch } from "./search";
import { count, many, short } from "~/format/numbers";
import { AlertsNow } from "./AlertsNow";
import { ColumnsMenu } from "./ColumnsMenu";
import { useColumns } from "./columns";
import { DeviceFilters } from "./DeviceFilters";
import { DeviceTable } from "./DeviceTable";
import { HealthStrip } from "./HealthStrip";
import { RolloutsNow } from "./RolloutsNow";
import { ViewsMenu } from "./ViewsMenu";
import { VersionsPanel } from "./VersionsPanel";

const route = getRouteApi("/");

export function FleetPage() {
  useTopics("devices");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: overview } = useQuery(overviewQuery);
  const columns = useColumns();
  const filter = filterOf(search);
  const devices = useQuery(devicesQuery(filter));
  const change = (next: FleetSearch) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), resetScroll: false, replace: "search" in next });
  return (
    <>
      <PageHead
        title="Fleet"
        under={
          overview && (
            <span className="num">
              {many(overview.devices_total, "device")} · {count(overview.online)} connected · {short(overview.telemetry_per_s)}{" "}
              telemetry records/s · {many(overview.events_24h, "event")} in 24 h
            </span>
          )
        }
        actions={<NewRolloutLink />}
      />
      <Stack gap="md">
        <HealthStrip overview={overview} picked={search.status} onPick={(status) => change({ status })} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6, xl: 5 }}>
            <Panel
              title="Active rollouts"
              side={
                <ButtonLink to="/rollouts" variant="subtle" size="compact-sm">
                  All rollouts
                </ButtonLink>
              }
              className="fill"
            >
              <RolloutsNow />
            </Panel>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6, xl: 4 }}>
            <VersionsPanel overview={overview} search={search} onChange={change} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xl: 3 }}>
            <Panel
              title="Alerts"
              side={
                <ButtonLink to="/alerts" variant="subtle" size="compact-sm">
                  All alerts
                </ButtonLink>
              }
              className="fill"
            >
              <AlertsNow />
            </Panel>
          </Grid.Col>
        </Grid>
        <Panel
          flush
          title="Devices"
          note={devices.data && `${count(devices.data.total)} of ${count(overview?.devices_total ?? devices.data.total)}`}
          side={
            <>
              <ViewsMenu
                search={search}
                narrowed={isNarrowed(search)}
                onOpen={(view) => void navigate({ search: view, resetScroll: false })}
              />
              {search.view !== "map" && <ColumnsMenu columns={columns} />}
              <SegmentedControl
                size="xs"
                aria-label="List or map"
                data={[
                  { value: "list", label: "List" },
                  { value: "map", label: "Map" },
                ]}
                value={search.view ?? "list"}
                onChange={(view) => change({ view: view === "map" ? "map" : undefined })}
              />
            </>
          }
        >
          <DeviceFilters search={search} onChange={change} />
          {search.view === "map" && (
            <FleetMap picked={search.label ?? []} onPick={(place) => change({ label: place ? pairsOf(place) : undefined })} />
          )}
          <DeviceTable
            query={devices}
            filter={filter}
            onChange={change}
            isNarrowed={isNarrowed(search)}
            columns={columns.shown}
          />
        </Panel>
      </Stack>
    </>
  );
}

const isNarrowed = ({ search, status, package: name, version, slot, group, label }: FleetSearch): boolean =>
  [search, status, name, version, slot, group, label?.length].some(Boolean);
