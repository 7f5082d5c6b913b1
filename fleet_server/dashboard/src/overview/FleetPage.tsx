import { Grid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { devicesQuery, overviewQuery } from "~/api/queries";
import { useTopics } from "~/live/LiveProvider";
import { ButtonLink } from "~/parts/links";
import { NewRolloutLink } from "~/rollouts/NewRolloutLink";
import { PageHead } from "~/parts/PageHead";
import { Panel } from "~/parts/Panel";
import { Loading } from "~/parts/Plain";
import type { FleetSearch } from "~/router";
import { count, many, short } from "~/words/numbers";
import { DeviceFilters } from "./DeviceFilters";
import { DeviceTable } from "./DeviceTable";
import { HealthStrip } from "./HealthStrip";
import { RolloutsNow } from "./RolloutsNow";
import { ViewsMenu } from "./ViewsMenu";
import { VersionShares } from "./VersionShares";

const route = getRouteApi("/");

export function FleetPage() {
  useTopics("devices");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: overview } = useQuery(overviewQuery);
  const filter = { ...search, page: search.page ?? 1, size: search.size ?? 50, sort: search.sort ?? "id" };
  const devices = useQuery(devicesQuery(filter));
  const change = (next: FleetSearch) => void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), resetScroll: false, replace: "search" in next });
  return (
    <>
      <PageHead
        title="Fleet"
        under={
          overview && (
            <span className="num">
              {many(overview.devices_total, "device")} · {count(overview.online)} connected · {count(overview.on_target)} on target ·{" "}
              {overview.flapping > 0 && `${count(overview.flapping)} flapping · `}{short(overview.telemetry_per_s)} telemetry records/s ·{" "}
              {many(overview.events_24h, "event")} in 24 h
            </span>
          )
        }
        actions={<NewRolloutLink />}
      />
      <Stack gap="md">
        <HealthStrip overview={overview} picked={search.status} onPick={(status) => change({ status })} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Panel title="Rollouts now" side={<ButtonLink to="/rollouts" variant="subtle" size="compact-sm">All rollouts</ButtonLink>} className="fill">
              <RolloutsNow />
            </Panel>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Panel title="Versions running" note="as devices report them" className="fill">
              {overview ? (
                <VersionShares
                  shares={overview.versions}
                  picked={search}
                  onPick={(share) => change({ package: share?.package, version: share?.version, slot: share?.slot })}
                />
              ) : (
                <Loading rows={4} />
              )}
            </Panel>
          </Grid.Col>
        </Grid>
        <Panel flush title="Devices" note={devices.data && `${count(devices.data.total)} of ${count(overview?.devices_total ?? devices.data.total)}`} side={<ViewsMenu search={search} narrowed={isNarrowed(search)} onOpen={(view) => void navigate({ search: view, resetScroll: false })} />}>
          <DeviceFilters search={search} onChange={change} />
          <DeviceTable query={devices} filter={filter} onChange={change} isNarrowed={isNarrowed(search)} />
        </Panel>
      </Stack>
    </>
  );
}

const isNarrowed = ({ search, status, package: name, version, slot, label }: FleetSearch): boolean =>
  [search, status, name, version, slot, label?.length].some(Boolean);
