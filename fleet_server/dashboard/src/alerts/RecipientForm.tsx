import { Button, Group, MultiSelect, PasswordInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { groupsQuery } from "~/api/fleet";
import { addRecipient, type Recipient } from "~/api/recipients";
import { ErrorText } from "~/components/States";
import { SEVERITY } from "./format";
import { FIELDS, KINDS, NEW_RECIPIENT, recipientRequest, SERVERS, type RecipientDraft } from "./recipients";

const KIND_CHOICES = Object.keys(FIELDS).map((value) => ({ value, label: KINDS[value as RecipientDraft["kind"]] }));
const SEVERITIES = Object.entries(SEVERITY).map(([value, { text }]) => ({ value, label: text }));

export function RecipientForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const groups = useQuery(groupsQuery);
  const [draft, setDraft] = useState(NEW_RECIPIENT);
  const change = (next: Partial<RecipientDraft>) => setDraft((old) => ({ ...old, ...next }));
  const make = useMutation({
    mutationFn: () => addRecipient(recipientRequest(draft)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["alert-recipients"] });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="e.g. On call"
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
        />
        <Select
          label="Kind"
          data={KIND_CHOICES}
          value={draft.kind}
          onChange={(kind) => kind && change({ kind: kind as RecipientDraft["kind"], url: "", secret: "" })}
          allowDeselect={false}
        />
        <Address draft={draft} onChange={change} />
        <MultiSelect
          label="Groups"
          placeholder={draft.groups.length ? undefined : "All devices"}
          data={groups.data?.items.map((group) => group.name) ?? []}
          value={draft.groups}
          onChange={(chosen) => change({ groups: chosen })}
          clearable
        />
        <MultiSelect
          label="Severities"
          placeholder={draft.severities.length ? undefined : "All"}
          data={SEVERITIES}
          value={draft.severities}
          onChange={(chosen) => change({ severities: chosen as Recipient["severities"] })}
          clearable
        />
        <ErrorText error={make.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Create recipient
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Address({ draft, onChange }: { draft: RecipientDraft; onChange: (next: Partial<RecipientDraft>) => void }) {
  const fields = FIELDS[draft.kind];
  const server = SERVERS[draft.kind];
  return (
    <>
      {fields.emails && (
        <TagsInput
          label="Addresses"
          description="Press Enter after each"
          value={draft.emails}
          onChange={(emails) => onChange({ emails })}
        />
      )}
      {fields.topic && (
        <TextInput
          label="Topic"
          value={draft.topic}
          onChange={(event) => onChange({ topic: event.currentTarget.value })}
          required
          withAsterisk={false}
        />
      )}
      {fields.url && (
        <TextInput
          label={fields.url}
          placeholder={server}
          value={draft.url}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
          required={!server}
          withAsterisk={false}
        />
      )}
      {fields.secret && (
        <PasswordInput
          label={fields.secret}
          description={fields.secretHelp}
          value={draft.secret}
          onChange={(event) => onChange({ secret: event.currentTarget.value })}
          required={fields.needsSecret}
          withAsterisk={false}
          autoComplete="off"
        />
      )}
    </>
  );
}
