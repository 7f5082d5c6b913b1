import { Button, Group as Row, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorText } from "~/components/States";
import { groupsQuery, putGroup } from "~/api/fleet";
import { devicesQuery } from "~/api/queries";
import type { Group } from "~/api/types";
import { isPair, splitPair } from "~/format/labels";
import { many } from "~/format/numbers";
import { QueryField } from "./QueryField";

/** Creates or edits a group. */
export function GroupForm({ group, onDone }: { group: Group | null; onDone: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(group?.name ?? "");
  const [note, setNote] = useState(group?.note ?? "");
  const [labels, setLabels] = useState<string[]>(
    Object.entries(group?.selector.labels ?? {}).map(([key, value]) => `${key}=${value}`),
  );
  const [query, setQuery] = useState(group?.selector.query ?? "");
  const [ids, setIds] = useState<string[]>(group?.selector.ids ?? []);
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
      onDone();
    },
  });
  const chosen = all || labels.length > 0 || ids.length > 0 || query.trim() !== "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Lowercase, e.g. press-lines"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
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
          onChange={setLabels}
          error={wrong && `${wrong} is not of the form name=value`}
        />
        {labels.length > 0 && found && (
          <Text fz="sm" c="dimmed" role="status">
            {many(found.total, "device matches", "devices match")}
          </Text>
        )}
        {!all && <QueryField value={query} onChange={setQuery} />}
        <TagsInput
          label="Devices by ID"
          description="In addition to labels and query; comma-separated lists can be pasted"
          value={ids}
          onChange={setIds}
          splitChars={[",", " ", "\n"]}
        />
        <TextInput
          label="Note"
          description="Purpose of the group"
          value={note}
          maxLength={500}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {all && (
          <Text fz="sm" c="dimmed">
            This group contains all devices.
          </Text>
        )}
        <ErrorText error={put.error} />
        <Row justify="flex-end">
          <Button variant="default" onClick={onDone}>
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
