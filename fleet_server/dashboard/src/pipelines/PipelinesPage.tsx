import { Table, Text } from "@mantine/core";
import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { pipelinesQuery } from "~/api/pipelines";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";

/** Pipelines of the fleet, with their versions. */
export function PipelinesPage() {
  const { data, error, refetch } = useQuery(pipelinesQuery);
  return (
    <>
      <PageHead title="Pipelines" under={<span>Video analysis on devices and the rules that create events</span>} />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={5} />
        ) : data.items.length ? (
          <Table.ScrollContainer minWidth={460}>
            <Table verticalSpacing={10} horizontalSpacing="md" fz="sm" highlightOnHover aria-label="Pipelines">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Pipeline</Table.Th>
                  <Table.Th>Latest</Table.Th>
                  <Table.Th>Running on</Table.Th>
                  <Table.Th visibleFrom="sm">Last change</Table.Th>
                  <Table.Th visibleFrom="md">Note</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.items.map(({ name, latest, running_on, versions }) => (
                  <Table.Tr key={name}>
                    <Table.Td>
                      <Link to="/pipelines/$name" params={{ name }} className="strong-link">
                        {name}
                      </Link>
                    </Table.Td>
                    <Table.Td>
                      {latest}
                      {versions[0]?.signed === false && (
                        <Text span fz="xs" c="var(--warn)">
                          {" "}
                          Not signed
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>{many(running_on, "device")}</Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Ago at={versions[0]?.created_at ?? 0} />
                    </Table.Td>
                    <Table.Td visibleFrom="md" c="dimmed">
                      {versions[0]?.note || "–"}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ) : (
          <Empty
            icon={IconRoute}
            title="No pipelines yet"
            command="edgefleet pipeline set gate.toml"
            action={<ButtonLink to="/">Choose a device</ButtonLink>}
          >
            Open the Pipelines tab of a device and draw lines and zones on a snapshot. Applied changes are listed here as versions
            and can be rolled out to other devices.
          </Empty>
        )}
      </Panel>
    </>
  );
}
