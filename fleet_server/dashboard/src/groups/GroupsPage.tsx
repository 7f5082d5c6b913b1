import { Button, Group as Row, Table, Text } from "@mantine/core";
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
import { FormDialog, useForm } from "~/drafts/FormDialog";
import { many } from "~/format/numbers";
import { GroupForm } from "./GroupForm";

/** The form of a group that is there, by its name in the address. */
const editOf = (name: string): string => `edit ${name}`;

/** Named device selectors; membership is evaluated continuously. */
export function GroupsPage() {
  const may = useMay("operator", "all");
  const { data, error, refetch } = useQuery(groupsQuery);
  const [removed, setRemoved] = useState<Group | null>(null);
  const { form, open } = useForm();
  const edited = data?.items.find(({ name }) => form === editOf(name));
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
          <PartFor role="operator" reach="all" what="create groups">
            <Button onClick={() => open("group")}>New group</Button>
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
              <Line key={group.name} group={group} may={may} onRemove={setRemoved} />
            ))}
          </DataTable>
        )}
      </Panel>
      {may && (
        <FormDialog name="group" title="New group" size="lg">
          {(close) => <GroupForm group={null} onDone={close} />}
        </FormDialog>
      )}
      {may && edited && (
        <FormDialog name={editOf(edited.name)} title={`Edit ${edited.name}`} size="lg">
          {(close) => <GroupForm group={edited} onDone={close} />}
        </FormDialog>
      )}
      <ConfirmDialog question={removed && removalOf(removed)} onClose={() => setRemoved(null)} />
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

function Line({ group, may, onRemove }: { group: Group; may: boolean; onRemove: (group: Group) => void }) {
  const { open } = useForm();
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
              onClick={() => open(editOf(group.name))}
              aria-label={`Edit ${group.name}`}
            >
              Edit
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              c="var(--bad)"
              onClick={() => onRemove(group)}
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
