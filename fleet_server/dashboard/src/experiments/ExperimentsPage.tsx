import { Table } from "@mantine/core";
import IconFlask from "@tabler/icons-react/dist/esm/icons/IconFlask.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { experimentsQuery } from "~/api/queries";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { PartFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";

/** Every experiment, newest first. */
export function ExperimentsPage() {
  const { data, error, refetch } = useQuery(experimentsQuery);
  return (
    <>
      <PageHead
        title="Experiments"
        under="A/B tests of model versions on devices in the field"
        actions={
          <PartFor role="operator" reach="all" what="start experiments">
            <ButtonLink to="/experiments/new">New experiment</ButtonLink>
          </PartFor>
        }
      />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty icon={IconFlask} title="No experiments yet">
            Run each version on a share of the devices and compare their metrics. On the command line:{" "}
            <code>edgefleet experiment create NAME --arm a=MODEL@1.0.0 --arm b=MODEL@1.1.0</code>
          </Empty>
        ) : (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Experiments">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Experiment</Table.Th>
                  <Table.Th>Arms</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>Started</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.items.map((item) => (
                  <Table.Tr key={item.id}>
                    <Table.Td>
                      <Link to="/experiments/$id" params={{ id: item.id }} className="strong-link">
                        {item.name}
                      </Link>
                    </Table.Td>
                    <Table.Td>
                      {item.arms.map((arm) => `${arm.name}: ${arm.package} ${arm.version} (${arm.devices})`).join(", ")}
                    </Table.Td>
                    <Table.Td>
                      <Tag
                        tone={item.state === "running" ? "busy" : "off"}
                        text={
                          item.state === "running" ? "Running" : item.chosen_arm ? `Ended: chose ${item.chosen_arm}` : "Ended"
                        }
                        live={item.state === "running"}
                      />
                    </Table.Td>
                    <Table.Td style={{ whiteSpace: "nowrap" }}>
                      <Ago at={item.created_at} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Panel>
    </>
  );
}
