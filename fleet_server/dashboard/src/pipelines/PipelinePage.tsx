import { Code, Grid, Group, Select, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ForRole } from "~/components/role";
import { pipelineQuery, pipelinesQuery } from "~/api/pipelines";
import { devicesQuery } from "~/api/queries";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Digest } from "~/components/Digest";
import { Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { count, many } from "~/format/numbers";
import { DiffView } from "./DiffView";

const route = getRouteApi("/pipelines/$name");

/** One pipeline: its document, versions and devices. */
export function PipelinePage() {
  const { name } = route.useParams();
  const { version, against } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(pipelineQuery(name, version));
  const { data: list } = useQuery(pipelinesQuery);
  const { data: other } = useQuery({ ...pipelineQuery(name, against), enabled: against !== undefined });
  const { data: devices } = useQuery({ ...devicesQuery({ package: data?.slot, size: 50 }), enabled: data !== undefined });
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  const versions = list?.items.find((row) => row.slot === data.slot)?.versions ?? [];
  return (
    <>
      <PageHead
        title={data.name}
        trail={[{ text: "Pipelines", to: "/pipelines" }]}
        heading={
          <Tag
            tone={data.signed ? "ok" : "warn"}
            text={data.signed ? "Signed" : "Not signed"}
            help={data.signed ? undefined : "Devices reject unsigned versions; run edgefleet sign"}
          />
        }
        under={
          <>
            <span>Version {data.version}</span>
            <Digest value={data.digest} />
            {data.note && <span>{data.note}</span>}
          </>
        }
        actions={
          <ForRole role="operator">
            <ButtonLink to="/rollouts/new" search={{ package: data.slot, version: data.version, slot: data.slot }}>
              Roll out
            </ButtonLink>
          </ForRole>
        }
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Panel
            title={against ? `${against} → ${data.version}` : "Document"}
            side={
              <Select
                aria-label="Compare with"
                placeholder="Compare with…"
                size="xs"
                w={160}
                clearable
                data={versions.filter((each) => each.version !== data.version).map((each) => each.version)}
                value={against ?? null}
                onChange={(chosen) =>
                  void navigate({ search: (old) => ({ ...old, against: chosen ?? undefined }), replace: true })
                }
              />
            }
          >
            {against && other ? (
              <DiffView before={other.text} after={data.text} />
            ) : (
              <Code block tabIndex={0} aria-label="Document">
                {data.text}
              </Code>
            )}
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="md">
            <Panel title="Versions" flush>
              <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Versions">
                <Table.Tbody>
                  {versions.map((each) => (
                    <Table.Tr key={each.version}>
                      <Table.Td>
                        <Link
                          to="/pipelines/$name"
                          params={{ name }}
                          search={{ version: each.version }}
                          className="strong-link"
                          aria-current={each.version === data.version ? "true" : undefined}
                        >
                          {each.version}
                        </Link>
                        <Text fz="xs" c="dimmed">
                          {each.note}
                        </Text>
                      </Table.Td>
                      <Table.Td>{many(each.running_on, "device")}</Table.Td>
                      <Table.Td>
                        <Ago at={each.created_at} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Panel>
            <Panel title="Running on" note={devices ? many(devices.total, "device") : undefined}>
              {devices?.total === 0 && <Text fz="sm">Not running on any device</Text>}
              <Group gap="xs">
                {devices?.items.map(({ id }) => (
                  <Link
                    key={id}
                    to="/devices/$id"
                    params={{ id }}
                    search={{ tab: "pipelines", pipeline: data.name }}
                    className="link"
                  >
                    {id}
                  </Link>
                ))}
                {devices && devices.total > devices.items.length && (
                  <Text fz="sm">and {count(devices.total - devices.items.length)} more</Text>
                )}
              </Group>
              {data.devices.length > 0 && (
                <Text fz="sm" c="dimmed" mt="sm">
                  {many(data.devices.length, "device")} with overrides: {data.devices.slice(0, 12).join(", ")}
                  {data.devices.length > 12 ? " …" : ""}
                </Text>
              )}
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
