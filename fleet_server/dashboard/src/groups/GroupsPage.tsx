import { Button, Group as Row, Modal, Table, Text } from "@mantine/core";
import IconUsersGroup from "@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "~/components/role";
import { DataTable } from "~/components/DataTable";
import { groupsQuery, removeGroup } from "~/api/fleet";
import type { Group } from "~/api/types";
import { Ago } from "~/components/Ago";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { ButtonLink } from "~/components/links";
import { PartFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";
import { GroupForm } from "./GroupForm";

type Step = { is: "put"; group: Group | null } | { is: "remove"; group: Group };

/** Named device selectors; membership is evaluated continuously. */
export function GroupsPage() {
  const may = useMay("operator");
  const { data, error, refetch } = useQuery(groupsQuery);
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  const client = useQueryClient();
  const removalOf = (group: Group): Confirmation => ({
    title: `Delete ${group.name}?`,
    lines: [
      `Its ${many(group.count, "device is", "devices are")} not changed. Draft rollouts and alert rules that use the group no longer match any device; running rollouts keep their devices.`,
    ],
    yes: "Delete",
    isDestructive: true,
    act: () => removeGroup(group.name),
    done: () => client.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  });
  return (
    <>
      <PageHead
        title="Groups"
        under="Named sets of devices for rollouts, filters and alert rules. Membership is updated automatically"
        actions={
          <PartFor role="operator" what="create groups">
            <Button onClick={() => setStep({ is: "put", group: null })}>New group</Button>
          </PartFor>
        }
      />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty icon={IconUsersGroup} title="No groups yet" command="edgefleet group set canaries --label ring=canary">
            A group selects devices by labels, by a query, by ID, or by several of these. Membership is updated automatically.
          </Empty>
        ) : (
          <DataTable name="Groups" headings={["Name", "Selector", "Devices", "Last change", ""]} width={760}>
            {data.items.map((group) => (
              <Line key={group.name} group={group} may={may} onStep={setStep} />
            ))}
          </DataTable>
        )}
      </Panel>
      <Modal
        opened={step?.is === "put"}
        onClose={close}
        title={<b>{step?.group ? `Edit ${step.group.name}` : "New group"}</b>}
        size="lg"
      >
        {step?.is === "put" && <GroupForm group={step.group} onDone={close} />}
      </Modal>
      <ConfirmDialog question={step?.is === "remove" ? removalOf(step.group) : null} onClose={close} />
    </>
  );
}

/** Describes a selector. */
export function selectorText({ selector }: Pick<Group, "selector">): string {
  if (selector.all) return "All devices";
  const labels = Object.entries(selector.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const named = selector.ids?.length ? [many(selector.ids.length, "device by ID", "devices by ID")] : [];
  const matched = [...labels, ...(selector.query ? [labels.length ? `(${selector.query})` : selector.query] : [])];
  return [...(matched.length ? [matched.join(" and ")] : []), ...named].join(", and ");
}

function Line({ group, may, onStep }: { group: Group; may: boolean; onStep: (step: Step) => void }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/" search={{ group: group.name }} className="strong-link">
          {group.name}
        </Link>
        {group.note && (
          <Text fz="xs" c="dimmed" maw={280}>
            {group.note}
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={320}>{selectorText(group)}</Table.Td>
      <Table.Td>
        <Link to="/" search={{ group: group.name }} className="link">
          {many(group.count, "device")}
        </Link>
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Ago at={group.changed_at} />
        {group.changed_by && (
          <Text fz="xs" c="dimmed">
            By {group.changed_by}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {may && (
          <Row gap={6} justify="flex-end" wrap="nowrap">
            <ButtonLink to="/rollouts/new" search={{ group: group.name }} size="compact-xs" variant="default">
              Roll out
            </ButtonLink>
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onStep({ is: "put", group })}
              aria-label={`Edit ${group.name}`}
            >
              Edit
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              c="var(--bad)"
              onClick={() => onStep({ is: "remove", group })}
              aria-label={`Delete ${group.name}`}
            >
              Delete
            </Button>
          </Row>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
