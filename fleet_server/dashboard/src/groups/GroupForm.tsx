import { Button, Group as Row, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ErrorText } from "~/components/States";
import { fieldErrors } from "~/components/fieldErrors";
import { groupsQuery, putGroup } from "~/api/fleet";
import { devicesQuery } from "~/api/queries";
import type { Group } from "~/api/types";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { isPair, splitPair } from "~/format/labels";
import { many } from "~/format/numbers";
import { QueryField } from "./QueryField";

interface GroupDraft {
  name: string;
  note: string;
  labels: string[];
  query: string;
  ids: string[];
}

const draftOf = (group: Group | null): GroupDraft => ({
  name: group?.name ?? "",
  note: group?.note ?? "",
  labels: Object.entries(group?.selector.labels ?? {}).map(([key, value]) => `${key}=${value}`),
  query: group?.selector.query ?? "",
  ids: group?.selector.ids ?? [],
});

/** Where the request has each field. */
const PLACES = { labels: "/selector/labels", ids: "/selector/ids", note: "/note" } as const;

/** Creates or edits a group. */
export function GroupForm({ group, onDone }: { group: Group | null; onDone: () => void }) {
  const client = useQueryClient();
  const drafted = useDraft<GroupDraft>("group", () => draftOf(group), { of: group?.name });
  const { name, note, labels, query, ids } = drafted.value;
  const end = () => {
    drafted.discard();
    onDone();
  };
  const wrong = labels.find((pair) => !isPair(pair));
  const { data: found } = useQuery({ ...devicesQuery({ label: labels, size: 1 }), enabled: labels.length > 0 && !wrong });
  const all = group?.selector.all ?? false;
  const put = useMutation({
    mutationFn: () => {
      const selector = { all, ids, labels: Object.fromEntries(labels.map(splitPair)) };
      return putGroup(name.trim(), query.trim() ? { ...selector, query: query.trim() } : selector, note.trim());
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: groupsQuery.queryKey });
      end();
    },
  });
  const chosen = all || labels.length > 0 || ids.length > 0 || query.trim() !== "";
  const { at, rest } = fieldErrors(put.error, PLACES);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate();
      }}
    >
      <DraftNote draft={drafted} what="the group" />
      <Stack>
        <TextInput
          label="Name"
          description="Lowercase, e.g. press-lines"
          value={name}
          onChange={(event) => drafted.change({ name: event.currentTarget.value })}
          disabled={group !== null}
          autoCapitalize="none"
          maxLength={64}
          required
          withAsterisk={false}
          data-autofocus={group ? undefined : true}
        />
        <TagsInput
          label="Labels"
          description="Devices with all of these labels, e.g. site=lyon; press Enter after each"
          value={labels}
          onChange={(next) => drafted.change({ labels: next })}
          error={wrong ? `${wrong} is not of the form name=value` : at.labels}
        />
        {labels.length > 0 && found && (
          <Text fz="sm" c="dimmed" role="status">
            {many(found.total, "device matches", "devices match")}
          </Text>
        )}
        {!all && <QueryField value={query} onChange={(next) => drafted.change({ query: next })} />}
        <TagsInput
          label="Devices by ID"
          error={at.ids}
          description="In addition to labels and query; comma-separated lists can be pasted"
          value={ids}
          onChange={(next) => drafted.change({ ids: next })}
          splitChars={[",", " ", "\n"]}
        />
        <TextInput
          label="Note"
          error={at.note}
          description="Purpose of the group"
          value={note}
          maxLength={500}
          onChange={(event) => drafted.change({ note: event.currentTarget.value })}
        />
        {all && (
          <Text fz="sm" c="dimmed">
            This group contains all devices.
          </Text>
        )}
        <ErrorText error={rest} />
        <Row justify="flex-end">
          <Button variant="default" onClick={end}>
            Cancel
          </Button>
          <Button type="submit" loading={put.isPending} disabled={!name.trim() || !chosen || Boolean(wrong)}>
            {group ? "Save" : "Create group"}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
