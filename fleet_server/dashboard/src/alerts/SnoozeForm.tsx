import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { alertRulesQuery } from "~/api/alerts";
import { groupsQuery } from "~/api/fleet";
import { addSnooze } from "~/api/snoozes";
import { ErrorText } from "~/components/States";
import { localInput, momentOf } from "./snoozes";

const HOUR_S = 3_600;
const seconds = (): number => Date.now() / 1000;

export function SnoozeForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const rules = useQuery(alertRulesQuery);
  const groups = useQuery(groupsQuery);
  const [rule, setRule] = useState<string | null>(null);
  const [group, setGroup] = useState<string | null>(null);
  const [device, setDevice] = useState("");
  const [until, setUntil] = useState(() => localInput(seconds() + HOUR_S));
  const [reason, setReason] = useState("");
  const at = momentOf(until, seconds());
  const make = useMutation({
    mutationFn: () =>
      addSnooze({
        rule: rule === null ? null : Number(rule),
        group,
        device: device.trim() || null,
        until_at: at ?? 0,
        reason: reason.trim(),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["alert-snoozes"] });
      onDone();
    },
  });
  const isAbout = rule !== null || group !== null || device.trim() !== "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <Select
          label="Rule"
          placeholder="All rules"
          data={rules.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={rule}
          onChange={setRule}
          clearable
        />
        <Select
          label="Group"
          placeholder="All devices"
          data={groups.data?.items.map(({ name }) => name) ?? []}
          value={group}
          onChange={setGroup}
          clearable
        />
        <TextInput
          label="Device"
          placeholder="All devices"
          value={device}
          onChange={(event) => setDevice(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          type="datetime-local"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
          error={at === null && "Must be in the future"}
          required
          withAsterisk={false}
        />
        <TextInput
          label="Reason"
          description="Everyone sees it here and in the audit log"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          required
          withAsterisk={false}
          maxLength={500}
        />
        <ErrorText error={make.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={!isAbout || at === null}>
            Snooze alerts
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
