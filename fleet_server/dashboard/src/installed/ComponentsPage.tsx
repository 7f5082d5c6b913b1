import { Group, Table, TextInput } from "@mantine/core";
import IconPackages from "@tabler/icons-react/dist/esm/icons/IconPackages.mjs";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { componentsQuery, type ComponentVersion } from "~/api/installed";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { useDebounced } from "~/components/useDebounced";
import { count } from "~/format/numbers";
import { ComponentDevices } from "./ComponentDevices";
import { gaps } from "./coverage";
import { Gaps } from "./Gaps";
import { LoadMore } from "./LoadMore";

const route = getRouteApi("/components");

/** Libraries, systems and models of the fleet by version, and the devices that have them. */
export function ComponentsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const later = useDebounced(
    (text: string) => void navigate({ search: { text: text || undefined }, replace: true, resetScroll: false }),
    250,
  );
  if (search.name) return <ComponentDevices name={search.name} version={search.version ?? ""} ended={search.ended === "yes"} />;
  return (
    <>
      <PageHead title="Components" under="Libraries, systems and models: which versions devices have, and since when" />
      <Panel flush>
        <Group p="md">
          <TextInput
            aria-label="Name"
            placeholder="Name, e.g. numpy"
            defaultValue={search.text}
            onChange={(event) => later(event.currentTarget.value.trim().toLowerCase())}
            w={{ base: "100%", xs: 260 }}
          />
        </Group>
        <Versions text={search.text ?? ""} />
      </Panel>
    </>
  );
}

function Versions({ text }: { text: string }) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(componentsQuery(text));
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  const rows = data.pages.flatMap((page) => page.items);
  if (!rows.length) return <Empty icon={IconPackages} title="No matching components" command="edgefleet component list" />;
  return (
    <>
      {data.pages[0] && <Gaps texts={gaps(data.pages[0].coverage)} />}
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Components">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Version</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Devices</Table.Th>
              <Table.Th>Server</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Version key={`${row.kind}/${row.name}/${row.version}`} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasNextPage && <LoadMore isLoading={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
    </>
  );
}

function Version({ row }: { row: ComponentVersion }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/components" search={{ name: row.name }} className="strong-link">
          {row.name}
        </Link>
      </Table.Td>
      <Table.Td className="mono">{row.version}</Table.Td>
      <Table.Td>{row.kind}</Table.Td>
      <Table.Td className="num">{count(row.devices)}</Table.Td>
      <Table.Td>{row.on_server ? "Yes" : "–"}</Table.Td>
    </Table.Tr>
  );
}
