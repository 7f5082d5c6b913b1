import { Autocomplete, Button, Group, List, NumberInput, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorText } from "~/components/States";
import { bulk, groupsQuery, listGroups, putGroup } from "~/api/fleet";
import { overviewQuery } from "~/api/queries";
import type { BulkAnswer } from "~/api/types";
import { isPair } from "~/format/labels";
import { many } from "~/format/numbers";
import { bodyOf, missingInput, type BulkAction, type Details } from "./actions";
import classes from "./Bulk.module.css";

interface BulkFormProps {
  action: BulkAction;
  ids: string[];
  onClose: () => void;
  /** Called after success on all devices. */
  onDone: () => void;
}

/** Shows the consequences, takes the details, executes the action, and lists devices that rejected it. */
export function BulkForm({ action, ids, onClose, onDone }: BulkFormProps) {
  const client = useQueryClient();
  const [details, setDetails] = useState<Details>({ labels: [], removed: [], group: "", slot: "detector", reason: "" });
  const [typed, setTyped] = useState<number | string>("");
  const change = (next: Partial<Details>) => setDetails((old) => ({ ...old, ...next }));
  const act = useMutation({
    mutationFn: () => (action.key === "group" ? addToGroup(details.group, ids) : bulk(ids, bodyOf(action.key, details))),
    onSuccess: () => void client.invalidateQueries(),
  });
  const leave = () => {
    onClose();
    onDone();
  };
  if (act.data) return <Outcome result={act.data} onClose={leave} />;
  const over = action.max !== undefined && ids.length > action.max;
  const missing = over ? `At most ${action.max} devices at once; select fewer.` : missingInput(action, details);
  const isUnconfirmed = action.isDestructive === true && typed !== ids.length;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing && !isUnconfirmed) act.mutate();
      }}
    >
      <Stack>
        <List fz="sm" spacing={6}>
          {action.consequences(ids.length).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
        <Fields action={action} details={details} onChange={change} />
        {action.isDestructive && (
          <NumberInput
            label={`Type ${ids.length} to confirm`}
            value={typed}
            onChange={setTyped}
            hideControls
            allowDecimal={false}
          />
        )}
        {missing && (
          <Text fz="sm" c="dimmed">
            {missing}
          </Text>
        )}
        <ErrorText error={act.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={act.isPending}
            disabled={Boolean(missing) || isUnconfirmed}
            color={action.isDestructive ? "red.8" : undefined}
          >
            {`${action.text}: ${many(ids.length, "device")}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Fields({
  action,
  details,
  onChange,
}: {
  action: BulkAction;
  details: Details;
  onChange: (next: Partial<Details>) => void;
}) {
  const { data: overview } = useQuery(overviewQuery);
  const { data: groups } = useQuery({ ...groupsQuery, enabled: action.key === "group" });
  const wrong = details.labels.find((pair) => !isPair(pair));
  if (action.key === "label") {
    return (
      <>
        <TagsInput
          label="Set"
          description="e.g. site=lyon; press Enter after each"
          value={details.labels}
          onChange={(labels) => onChange({ labels })}
          error={wrong && `${wrong} is not of the form name=value`}
          data-autofocus
        />
        <TagsInput
          label="Remove"
          description="Label names; press Enter after each"
          value={details.removed}
          onChange={(removed) => onChange({ removed })}
        />
      </>
    );
  }
  if (action.key === "group") {
    return (
      <Autocomplete
        label="Group"
        description="Existing or new group"
        data={groups?.items.map((group) => group.name) ?? []}
        value={details.group}
        onChange={(group) => onChange({ group: group.trim() })}
        data-autofocus
      />
    );
  }
  const slots = [...new Set(["detector", ...(overview?.versions.map((share) => share.slot) ?? [])])];
  return (
    <>
      {(action.key === "pin" || action.key === "unpin") && (
        <Autocomplete label="Slot" data={slots} value={details.slot} onChange={(slot) => onChange({ slot: slot.trim() })} />
      )}
      {(action.key === "pin" || action.key === "block") && (
        <TextInput
          label="Reason"
          description="Shown on the device page"
          maxLength={200}
          value={details.reason}
          onChange={(event) => onChange({ reason: event.currentTarget.value })}
          data-autofocus
        />
      )}
    </>
  );
}

function Outcome({ result, onClose }: { result: BulkAnswer; onClose: () => void }) {
  return (
    <Stack role="status">
      <Text fz="sm">
        <b>Succeeded for {many(result.done, "device")}.</b>{" "}
        {result.refused.length > 0 && `Failed for ${many(result.devices - result.done, "device")}:`}
      </Text>
      {result.refused.length > 0 && (
        <ul className={classes.refused} tabIndex={0} aria-label="Failed devices">
          {result.refused.map(({ device, reason }) => (
            <li key={device}>
              <b>{device}</b>: {reason}
            </li>
          ))}
        </ul>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

/** Adds devices to a group by name; creates the group if needed. */
async function addToGroup(name: string, ids: string[]): Promise<BulkAnswer> {
  const { items } = await listGroups();
  const known = items.find((group) => group.name === name);
  const named = [...new Set([...(known?.selector.ids ?? []), ...ids])];
  await putGroup(name, { all: false, labels: {}, ...known?.selector, ids: named }, known?.note ?? "");
  return { devices: ids.length, done: ids.length, commands: {}, refused: [] };
}
