import { Button, Checkbox, Group, Table, Text, TextInput } from "@mantine/core";
import IconPackages from "@tabler/icons-react/dist/esm/icons/IconPackages.mjs";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { componentQuery, fetchDossier, type ComponentDevice, type Stage } from "~/api/installed";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { ForRole } from "~/components/role";
import { saveFile } from "~/components/saveFile";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { useDebounced } from "~/components/useDebounced";
import { count } from "~/format/numbers";
import { gaps } from "./coverage";
import { Gaps } from "./Gaps";
import { LoadMore } from "./LoadMore";

const route = getRouteApi("/components");

interface Props {
  name: string;
  version: string;
  ended: boolean;
}

/** One component: its versions, and the devices that have it, since when. */
export function ComponentDevices({ name, version, ended }: Props) {
  const navigate = route.useNavigate();
  const later = useDebounced(
    (text: string) =>
      void navigate({ search: (old) => ({ ...old, version: text || undefined }), replace: true, resetScroll: false }),
    400,
  );
  const dossier = useMutation({
    mutationFn: (stage: Stage) =>
      fetchDossier(name, version, stage).then((file) => saveFile(file, `dossier-${name}-${stage}.zip`)),
  });
  return (
    <>
      <PageHead
        title={name}
        under="Devices that have or run it, since when"
        actions={
          <>
            <ForRole role="admin">
              <Button variant="default" loading={dossier.isPending} onClick={() => dossier.mutate("24h")}>
                Dossier, 24 h
              </Button>
              <Button variant="default" loading={dossier.isPending} onClick={() => dossier.mutate("72h")}>
                Dossier, 72 h
              </Button>
            </ForRole>
            <ButtonLink variant="default" to="/components" search={{}}>
              All components
            </ButtonLink>
          </>
        }
      />
      <ErrorText error={dossier.error} />
      <Panel flush>
        <Group p="md" gap="md">
          <TextInput
            aria-label="Version"
            placeholder="Version, e.g. <3.0.7"
            defaultValue={version}
            onChange={(event) => later(event.currentTarget.value.trim())}
            w={{ base: "100%", xs: 220 }}
          />
          <Checkbox
            label="Devices that had it before, too"
            checked={ended}
            onChange={(event) => {
              const choice = event.currentTarget.checked ? "yes" : undefined;
              void navigate({ search: (old) => ({ ...old, ended: choice }), replace: true, resetScroll: false });
            }}
          />
        </Group>
        <Devices name={name} version={version} ended={ended} />
      </Panel>
    </>
  );
}

function Devices({ name, version, ended }: Props) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    componentQuery(name, version, ended),
  );
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  const first = data.pages[0];
  const rows = data.pages.flatMap((page) => page.items);
  return (
    <>
      <Group px="md" pb="sm" gap="xs">
        {first?.versions.map((each) => (
          <Tag
            key={`${each.kind}/${each.version}`}
            tone="off"
            text={`${each.version}: ${count(each.devices)} devices${each.on_server ? ", this server" : ""}`}
          />
        ))}
      </Group>
      {first && <Gaps texts={gaps(first.coverage, first.uncompared)} />}
      {rows.length === 0 && (
        <Empty icon={IconPackages} title="No matching devices" command={`edgefleet component find ${name}`} />
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Devices">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Device</Table.Th>
                <Table.Th>Version</Table.Th>
                <Table.Th>Use</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th>Until</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Row key={`${row.device}/${row.kind}/${row.slot}/${row.since_at}/${row.version}`} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasNextPage && <LoadMore isLoading={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
    </>
  );
}

function Row({ row }: { row: ComponentDevice }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/devices/$id" params={{ id: row.device }} className="strong-link">
          {row.device}
        </Link>
      </Table.Td>
      <Table.Td>
        <span className="mono">{row.version}</span>
        <Text fz="xs" c="dimmed">
          {row.slot ? `${row.kind} in ${row.slot}` : row.kind}
        </Text>
      </Table.Td>
      <Table.Td>{row.use === "running" ? "Runs" : "Installed"}</Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Ago at={row.since_at} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {row.current ? "–" : row.until_at ? <Ago at={row.until_at} /> : "Ended, time unknown"}
      </Table.Td>
    </Table.Tr>
  );
}
