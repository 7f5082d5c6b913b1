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

/** Devices by a name: whoever matches now. */
export function GroupsPage() {
  const may = useMay("operator");
  const { data, error, refetch } = useQuery(groupsQuery);
  const [step, setStep] = useState<Step | null>(null);
  const close = () => setStep(null);
  const client = useQueryClient();
  const removalOf = (group: Group): Confirmation => ({
    title: `Delete ${group.name}?`,
    lines: [`Its ${many(group.count, "device")} stay as they are. Drafts of rollouts and alert rules that name the group find nobody from now on; rollouts that run keep their devices.`],
    yes: "Delete",
    isHard: true,
    act: () => removeGroup(group.name),
    done: () => client.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  });
  return (
    <>
      <PageHead
        title="Groups"
        under="Devices by a name: whoever matches is in it, from the moment it does. Rollouts, lists and alert rules can be about a group"
        actions={
          <PartFor role="operator" what="make groups">
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
          <Empty icon={IconUsersGroup} title="There is no group yet" command="edgefleet group set canaries --label ring=canary">
            A group is made of labels, of named devices, or of both. Nobody has to keep it up to date.
          </Empty>
        ) : (
          <DataTable name="Groups" headings={["Name", "Chooses", "Devices", "Changed", ""]} width={760}>
            {data.items.map((group) => (
              <Line key={group.name} group={group} may={may} onStep={setStep} />
            ))}
          </DataTable>
        )}
      </Panel>
      <Modal opened={step?.is === "put"} onClose={close} title={<b>{step?.group ? `Change ${step.group.name}` : "New group"}</b>} size="lg">
        {step?.is === "put" && <GroupForm group={step.group} onDone={close} />}
      </Modal>
      <ConfirmDialog question={step?.is === "remove" ? removalOf(step.group) : null} onClose={close} />
    </>
  );
}

/** A selector in words. */
export function selectorText({ selector }: Pick<Group, "selector">): string {
  if (selector.all) return "every device";
  const labels = Object.entries(selector.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  const named = selector.ids?.length ? [many(selector.ids.length, "named device")] : [];
  return [...(labels.length ? [labels.join(" and ")] : []), ...named].join(", and ");
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
            by {group.changed_by}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {may && (
          <Row gap={6} justify="flex-end" wrap="nowrap">
            <ButtonLink to="/rollouts/new" search={{ group: group.name }} size="compact-xs" variant="default">
              Roll out to it
            </ButtonLink>
            <Button size="compact-xs" variant="default" onClick={() => onStep({ is: "put", group })} aria-label={`Change ${group.name}`}>
              Change
            </Button>
            <Button size="compact-xs" variant="default" c="var(--bad)" onClick={() => onStep({ is: "remove", group })} aria-label={`Delete ${group.name}`}>
              Delete
            </Button>
          </Row>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
