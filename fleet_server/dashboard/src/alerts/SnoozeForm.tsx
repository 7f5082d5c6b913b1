import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { alertRulesQuery } from "~/api/alerts";
import { fieldErrors } from "~/components/fieldErrors";
import { groupsQuery } from "~/api/fleet";
import { addSnooze } from "~/api/snoozes";
import { ErrorText } from "~/components/States";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { fieldText } from "~/format/zone";
import { momentOf } from "./snoozes";

interface SnoozeDraft {
  rule: string | null;
  group: string | null;
  device: string;
  until: string;
  reason: string;
}

/** Where the request has each field. */
const PLACES = { rule: "/rule", group: "/group", device: "/device", until: "/until_at", reason: "/reason" } as const;
const HOUR_S = 3_600;
const seconds = (): number => Date.now() / 1000;

export function SnoozeForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const rules = useQuery(alertRulesQuery);
  const groups = useQuery(groupsQuery);
  const drafted = useDraft<SnoozeDraft>("snooze", () => ({
    rule: null,
    group: null,
    device: "",
    until: fieldText(seconds() + HOUR_S),
    reason: "",
  }));
  const { rule, group, device, until, reason } = drafted.value;
  const end = () => {
    drafted.discard();
    onDone();
  };
  const moment = momentOf(until, seconds());
  const make = useMutation({
    mutationFn: () =>
      addSnooze({
        rule: rule === null ? null : Number(rule),
        group,
        device: device.trim() || null,
        until_at: moment ?? 0,
        reason: reason.trim(),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["alert-snoozes"] });
      end();
    },
  });
  const isAbout = rule !== null || group !== null || device.trim() !== "";
  const { at, rest } = fieldErrors(make.error, PLACES);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <DraftNote draft={drafted} what="the snooze" />
      <Stack>
        <Select
          label="Rule"
          error={at.rule}
          placeholder="All rules"
          data={rules.data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={rule}
          onChange={(next) => drafted.change({ rule: next })}
          clearable
        />
        <Select
          label="Group"
          error={at.group}
          placeholder="All devices"
          data={groups.data?.items.map(({ name }) => name) ?? []}
          value={group}
          onChange={(next) => drafted.change({ group: next })}
          clearable
        />
        <TextInput
          label="Device"
          error={at.device}
          placeholder="All devices"
          value={device}
          onChange={(event) => drafted.change({ device: event.currentTarget.value })}
        />
        <TextInput
          label="Until"
          type="datetime-local"
          value={until}
          onChange={(event) => drafted.change({ until: event.currentTarget.value })}
          error={moment === null ? "Must be in the future" : at.until}
          required
          withAsterisk={false}
        />
        <TextInput
          label="Reason"
          error={at.reason}
          description="Everyone sees it here and in the audit log"
          value={reason}
          onChange={(event) => drafted.change({ reason: event.currentTarget.value })}
          required
          withAsterisk={false}
          maxLength={500}
        />
        <ErrorText error={rest} />
        <Group justify="flex-end">
          <Button variant="default" onClick={end}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={!isAbout || moment === null}>
            Snooze alerts
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
