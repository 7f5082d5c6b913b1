import { Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { FigureHistory } from "~/api/history";
import { Panel } from "~/components/Panel";
import { Tag } from "~/components/Tag";
import { attemptLabel } from "~/format/rollouts";
import { markTime, type Mark } from "./curves";

/** The updates in the period: what the marks of the charts are. */
export function UpdatesList({ history, marks }: { history: FigureHistory; marks: readonly Mark[] }) {
  if (!marks.length) return null;
  const isOne = history.devices.length === 1;
  const isCut = history.devices.some((device) => device.updates_left_out);
  return (
    <Panel flush title="Updates in this time range" note={isCut ? "The latest ones" : "Marked in the charts"}>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing="xs" horizontalSpacing="md" fz="sm" aria-label="Updates in this time range">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              {!isOne && <Table.Th>Device</Table.Th>}
              <Table.Th>Version</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Rollout</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...marks].reverse().map((mark) => (
              <Table.Tr key={`${mark.device} ${mark.rollout} ${mark.at} ${mark.state}`}>
                <Table.Td>{markTime(mark)}</Table.Td>
                {!isOne && <Table.Td>{mark.device}</Table.Td>}
                <Table.Td>
                  {mark.package} {mark.version}
                </Table.Td>
                <Table.Td>
                  <Tag tone={attemptLabel(mark.state).tone} text={attemptLabel(mark.state).text} />
                </Table.Td>
                <Table.Td>
                  <Link className="link" to="/rollouts/$id" params={{ id: mark.rollout }}>
                    Rollout {mark.rollout}
                  </Link>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}
