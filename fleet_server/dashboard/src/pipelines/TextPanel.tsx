import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { checkPipeline } from "~/api/pipelines";
import { specOf, type Spec } from "./spec";

interface TextPanelProps {
  text: string;
  onChange: (spec: Spec) => void;
}

/** The document itself, for whoever prefers to type. */
export function TextPanel({ text, onChange }: TextPanelProps) {
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  const take = useMutation({
    mutationFn: () => checkPipeline({ text: draft }),
    onSuccess: ({ spec }) => spec && onChange(specOf(spec)),
  });
  const problem = take.data?.problem;
  const where = problem?.line ? `Line ${problem.line}: ` : "";
  return (
    <Stack gap="sm">
      <Textarea
        label="The document"
        description="TOML, as `edgefleet pipeline set` takes it"
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        autosize
        minRows={12}
        maxRows={28}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8125rem" } }}
        error={take.error?.message ?? (problem ? where + problem.text : undefined)}
      />
      <Group justify="space-between">
        <Text fz="xs" c="dimmed">
          {draft === text ? "As in the forms" : "Changed here, not in the forms yet"}
        </Text>
        <Button variant="default" size="xs" onClick={() => take.mutate()} loading={take.isPending} disabled={draft === text}>
          Take it over
        </Button>
      </Group>
    </Stack>
  );
}
