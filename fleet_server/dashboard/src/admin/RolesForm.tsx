import { ActionIcon, Button, Group, Select, Stack, Text } from "@mantine/core";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { useQuery } from "@tanstack/react-query";
import { groupsQuery } from "~/api/fleet";
import { ROLES, type Role, type RoleGrant } from "~/api/people";
import { capital } from "~/format/numbers";

const ALL = "";

/** The roles of a user: one a row, for all devices or for a group. */
export function RolesForm({ value, onChange }: { value: readonly RoleGrant[]; onChange: (value: RoleGrant[]) => void }) {
  const { data: groups } = useQuery(groupsQuery);
  const places = [
    { value: ALL, label: "All devices" },
    ...(groups?.items ?? []).map(({ name }) => ({ value: name, label: `Group ${name}` })),
  ];
  const free = places.find((place) => !value.some((one) => (one.group ?? ALL) === place.value));
  const put = (at: number, grant: RoleGrant) => onChange(value.map((one, index) => (index === at ? grant : one)));
  return (
    <Stack gap="xs">
      <Text fz="sm" fw={500}>
        Roles
      </Text>
      {value.map((grant, at) => (
        <Group key={grant.group ?? ALL} gap="xs" wrap="nowrap">
          <Select
            aria-label={`Role ${at + 1}`}
            w={130}
            data={ROLES.filter((role) => role !== "admin" || grant.group == null).map((role) => ({
              value: role,
              label: capital(role),
            }))}
            value={grant.role}
            allowDeselect={false}
            onChange={(role) => role && put(at, { ...grant, role: role as Role })}
          />
          <Select
            aria-label={`Devices of role ${at + 1}`}
            flex={1}
            data={places.filter(
              (place) => place.value === (grant.group ?? ALL) || !value.some((one) => (one.group ?? ALL) === place.value),
            )}
            value={grant.group ?? ALL}
            allowDeselect={false}
            searchable={places.length > 8}
            onChange={(group) =>
              put(at, { role: group && grant.role === "admin" ? "operator" : grant.role, group: group === ALL ? null : group })
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove role ${at + 1}`}
            disabled={value.length === 1}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {free && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: "flex-start" }}
          onClick={() => onChange([...value, { role: "operator", group: free.value === ALL ? null : free.value }])}
        >
          Add role
        </Button>
      )}
    </Stack>
  );
}
