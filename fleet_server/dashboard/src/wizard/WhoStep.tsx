import { Select, Stack, TagsInput, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { groupsQuery } from "~/api/fleet";
import { devicesQuery } from "~/api/queries";
import { Choices } from "./Choices";
import { isPair } from "~/format/labels";
import { QueryField } from "~/groups/QueryField";
import type { Chosen, Who } from "./plan";

interface StepProps {
  plan: Chosen;
  onChange: (next: Partial<Chosen>) => void;
}

const WHO: readonly { value: Who; title: string; text: string }[] = [
  { value: "all", title: "All devices", text: "All compatible devices" },
  { value: "labels", title: "By labels", text: "Devices with all given labels" },
  { value: "query", title: "By query", text: "Devices that match when the rollout starts" },
  { value: "group", title: "Group", text: "Members when the rollout starts" },
  { value: "ids", title: "By ID", text: "Selected devices" },
];

export function WhoStep({ plan, onChange }: StepProps) {
  return (
    <Stack gap="md">
      <Choices label="Devices" choices={WHO} value={plan.who} onChange={(who) => onChange({ who })} />
      {plan.who === "labels" && <LabelsPick labels={plan.labels} onChange={(labels) => onChange({ labels })} />}
      {plan.who === "query" && <QueryField value={plan.query} onChange={(query) => onChange({ query })} />}
      {plan.who === "group" && <GroupPick group={plan.group} onChange={(group) => onChange({ group })} />}
      {plan.who === "ids" && <IdsPick ids={plan.ids} onChange={(ids) => onChange({ ids })} />}
      <Text fz="sm" c="dimmed">
        Offline devices stay in their wave and are updated when they reconnect.
      </Text>
    </Stack>
  );
}

function GroupPick({ group, onChange }: { group: string; onChange: (group: string) => void }) {
  const { data, isFetching } = useQuery(groupsQuery);
  const known = data?.items ?? [];
  const isMissing = !isFetching && group !== "" && !known.some(({ name }) => name === group);
  return (
    <Select
      label="Group"
      description={data && !known.length ? "No groups yet. Create one on the Groups page" : "Named set of devices"}
      data={known.map(({ name, count }) => ({ value: name, label: `${name} (${count})` }))}
      value={group || null}
      onChange={(name) => onChange(name ?? "")}
      error={isMissing && `Group ${group} no longer exists. Choose another group.`}
      searchable
    />
  );
}

function LabelsPick({ labels, onChange }: { labels: string[]; onChange: (labels: string[]) => void }) {
  const { data } = useQuery(devicesQuery({ size: 200 }));
  const known = [
    ...new Set((data?.items ?? []).flatMap((row) => Object.entries(row.labels).map(([key, value]) => `${key}=${value}`))),
  ].sort();
  const wrong = labels.find((pair) => !isPair(pair));
  return (
    <TagsInput
      label="Labels"
      description="Devices must have all of them"
      placeholder={labels.length ? "" : "site=lyon"}
      data={known}
      value={labels}
      onChange={(next) => onChange(next.filter(isPair))}
      error={wrong && `${wrong} is not of the form name=value`}
      clearable
      clearButtonProps={{ "aria-label": "Clear labels" }}
      limit={40}
    />
  );
}

function IdsPick({ ids, onChange }: { ids: string[]; onChange: (ids: string[]) => void }) {
  const [text, setText] = useState("");
  const [searched] = useDebouncedValue(text, 200);
  const { data } = useQuery(devicesQuery({ search: searched || undefined, size: 25 }));
  return (
    <TagsInput
      label="Devices"
      description="Type to search; comma-separated lists can be pasted"
      data={(data?.items ?? []).map((row) => row.id)}
      value={ids}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      splitChars={[",", " ", "\n"]}
      clearable
      clearButtonProps={{ "aria-label": "Clear devices" }}
    />
  );
}
