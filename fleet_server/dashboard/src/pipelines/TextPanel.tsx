import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { textCheckQuery, type PipelineProblem } from "~/api/pipelines";
import { specOf, type Spec } from "./spec";

const CHECK_AFTER_MS = 300;

interface TextPanelProps {
  text: string;
  device: string;
  onChange: (spec: Spec) => void;
}

/** The document itself, for whoever prefers to type; judged while it is typed, as the device would. */
export function TextPanel({ text, device, onChange }: TextPanelProps) {
  const [draft, setDraft] = useState(text);
  useEffect(() => setDraft(text), [text]);
  const [later] = useDebouncedValue(draft, CHECK_AFTER_MS);
  const check = useQuery(textCheckQuery(later, device));
  const fresh = later === draft && !check.isPlaceholderData;
  const problem = fresh ? check.data?.problem : undefined;
  const spec = fresh ? check.data?.spec : undefined;
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
        error={check.error?.message ?? (problem && <Fault problem={problem} text={draft} />)}
      />
      <Group justify="space-between">
        <Text fz="xs" c="dimmed" role="status">
          {draft === text ? "As in the forms" : !fresh ? "Checking…" : problem ? "Not as a device would take it" : "A device would take it; not in the forms yet"}
        </Text>
        <Button variant="default" size="xs" onClick={() => spec && onChange(specOf(spec))} disabled={draft === text || !spec}>
          Take it over
        </Button>
      </Group>
    </Stack>
  );
}

/** What is wrong, and the line itself that it stands in. */
function Fault({ problem, text }: { problem: PipelineProblem; text: string }) {
  const line = problem.line ? (text.split("\n")[problem.line - 1] ?? "").trim() : "";
  return (
    <span data-testid="fault">
      {problem.line ? `Line ${problem.line}: ` : ""}
      {problem.text}
      {line && <code style={{ display: "block", marginTop: 4, overflowWrap: "anywhere" }}>{line}</code>}
    </span>
  );
}
