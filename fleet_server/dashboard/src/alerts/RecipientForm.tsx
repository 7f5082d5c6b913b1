import { Button, Group, MultiSelect, PasswordInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { fieldErrors } from "~/components/fieldErrors";
import { groupsQuery } from "~/api/fleet";
import { addRecipient, type Recipient } from "~/api/recipients";
import { ErrorText } from "~/components/States";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { SEVERITY } from "./format";
import { FIELDS, KINDS, NEW_RECIPIENT, recipientRequest, SERVERS, type RecipientDraft } from "./recipients";

const KIND_CHOICES = Object.keys(FIELDS).map((value) => ({ value, label: KINDS[value as RecipientDraft["kind"]] }));
const SEVERITIES = Object.entries(SEVERITY).map(([value, { text }]) => ({ value, label: text }));

export function RecipientForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const groups = useQuery(groupsQuery);
  const drafted = useDraft("recipient", () => NEW_RECIPIENT, { secret: ["secret"] });
  const { value: draft, change } = drafted;
  const end = () => {
    drafted.discard();
    onDone();
  };
  const make = useMutation({
    mutationFn: () => addRecipient(recipientRequest(draft)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["alert-recipients"] });
      end();
    },
  });
  const { at, rest } = fieldErrors(make.error, placesOf(draft.kind));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <DraftNote draft={drafted} what="the recipient" />
      <Stack>
        <TextInput
          label="Name"
          error={at.name}
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
          error={at.kind}
          data={KIND_CHOICES}
          value={draft.kind}
          onChange={(kind) => kind && change({ kind: kind as RecipientDraft["kind"], url: "", secret: "" })}
          allowDeselect={false}
        />
        <Address draft={draft} at={at} onChange={change} />
        <MultiSelect
          label="Groups"
          error={at.groups}
          placeholder={draft.groups.length ? undefined : "All devices"}
          data={groups.data?.items.map((group) => group.name) ?? []}
          value={draft.groups}
          onChange={(chosen) => change({ groups: chosen })}
          clearable
        />
        <MultiSelect
          label="Severities"
          error={at.severities}
          placeholder={draft.severities.length ? undefined : "All"}
          data={SEVERITIES}
          value={draft.severities}
          onChange={(chosen) => change({ severities: chosen as Recipient["severities"] })}
          clearable
        />
        <ErrorText error={rest} />
        <Group justify="flex-end">
          <Button variant="default" onClick={end}>
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

/** Where the request has each field. */
const PLACES = {
  name: "/name",
  kind: "/kind",
  emails: "/emails",
  topic: "/topic",
  url: "/url",
  secret: "/secret",
  groups: "/groups",
  severities: "/severities",
} as const;

/** The places of the fields that a kind of recipient has: errors elsewhere are shown at the end of the form. */
function placesOf(kind: RecipientDraft["kind"]): Partial<typeof PLACES> {
  const { emails, topic, url, secret, ...always } = PLACES;
  const fields = FIELDS[kind];
  return {
    ...always,
    ...(fields.emails ? { emails } : {}),
    ...(fields.topic ? { topic } : {}),
    ...(fields.url ? { url } : {}),
    ...(fields.secret ? { secret } : {}),
  };
}

interface AddressProps {
  draft: RecipientDraft;
  at: Partial<Record<keyof typeof PLACES, string>>;
  onChange: (next: Partial<RecipientDraft>) => void;
}

function Address({ draft, at, onChange }: AddressProps) {
  const fields = FIELDS[draft.kind];
  const server = SERVERS[draft.kind];
  return (
    <>
      {fields.emails && (
        <TagsInput
          label="Addresses"
          error={at.emails}
          description="Press Enter after each"
          value={draft.emails}
          onChange={(emails) => onChange({ emails })}
        />
      )}
      {fields.topic && (
        <TextInput
          label="Topic"
          error={at.topic}
          value={draft.topic}
          onChange={(event) => onChange({ topic: event.currentTarget.value })}
          required
          withAsterisk={false}
        />
      )}
      {fields.url && (
        <TextInput
          label={fields.url}
          error={at.url}
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
          error={at.secret}
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
