import { Stack, Table, Text } from "@mantine/core";
import IconHistory from "@tabler/icons-react/dist/esm/icons/IconHistory.mjs";
import { Link } from "@tanstack/react-router";
import type { AttemptRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import { NewRolloutLink } from "~/rollouts/NewRolloutLink";
import { Panel } from "~/components/Panel";
import { Empty } from "~/components/States";
import { Tag } from "~/components/Tag";
import { bytes } from "~/format/numbers";
import { reasonText, remedyText } from "~/format/reasons";
import { resultLabel } from "~/format/rollouts";
import { span } from "~/format/time";
import { failuresOf } from "./failures";
import { FailuresPanel } from "./FailuresPanel";

/** Update attempts of recent rollouts, with results. */
export function UpdatesTab({ attempts }: { attempts: readonly AttemptRow[] }) {
  if (!attempts.length) {
    return (
      <Panel>
        <Empty icon={IconHistory} title="No update attempts yet" action={<NewRolloutLink />}>
          Update attempts of rollouts are listed here, with the reason for failures.
        </Empty>
      </Panel>
    );
  }
  const failures = failuresOf(attempts);
  return (
    <Stack gap="md">
      {failures.length > 0 && <FailuresPanel groups={failures} />}
      <Panel flush title="Attempts" note="Newest first">
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing="sm" horizontalSpacing="md" fz="sm" aria-label="Attempts">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Rollout</Table.Th>
                <Table.Th>Result</Table.Th>
                <Table.Th>Details</Table.Th>
                <Table.Th>Downloaded</Table.Th>
                <Table.Th>Time</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempts.map((attempt) => (
                <AttemptLine key={attempt.id} attempt={attempt} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Panel>
    </Stack>
  );
}

function AttemptLine({ attempt }: { attempt: AttemptRow }) {
  const word = resultLabel(attempt);
  const reason = reasonText(attempt.reason);
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/rollouts/$id" params={{ id: attempt.rollout }} className="strong-link">
          Rollout {attempt.rollout}
        </Link>
        <Text fz="xs" c="dimmed">
          Wave {attempt.wave + 1}, attempt {attempt.number}
        </Text>
      </Table.Td>
      <Table.Td>
        <Tag tone={word.tone} text={word.text} live={word.tone === "busy"} />
      </Table.Td>
      <Table.Td maw={460}>
        {reason ? (
          <>
            <b>{reason}.</b> {remedyText(attempt.reason)}
          </>
        ) : (
          attempt.explanation
        )}
        {attempt.detail && (
          <Text fz="xs" c="dimmed" className="mono" style={{ overflowWrap: "anywhere" }}>
            {attempt.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        {attempt.bytes_total > 0 ? `${bytes(attempt.bytes_done)} of ${bytes(attempt.bytes_total)}` : "–"}
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Ago at={attempt.finished_at ?? attempt.updated_at} />
        {attempt.offered_at && attempt.finished_at && (
          <Text fz="xs" c="dimmed">
            Took {span(attempt.finished_at - attempt.offered_at)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
