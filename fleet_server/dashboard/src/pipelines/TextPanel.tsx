import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { textCheckQuery, type PipelineProblem } from "~/api/pipelines";
import { specOf, type Spec } from "./spec";

const CHECK_AFTER_MS = 300;

/** What was typed over the forms' text `of`. `isTaken`: the forms have it, or are about to. */
export interface Typed {
  text: string;
  of: string;
  isTaken: boolean;
}

interface TextPanelProps {
  text: string;
  typed: Typed | null;
  device: string;
  onType: (typed: Typed | null) => void;
  onChange: (spec: Spec) => void;
}

/** The document itself, for whoever prefers to type; judged while it is typed, as the device would. */
export function TextPanel({ text, typed, device, onType, onChange }: TextPanelProps) {
  const draft = typed?.text ?? text;
  const [later] = useDebouncedValue(draft, CHECK_AFTER_MS);
  const check = useQuery(textCheckQuery(later, device));
  const fresh = later === draft && !check.isPlaceholderData;
  const problem = fresh ? check.data?.problem : undefined;
  const spec = fresh ? check.data?.spec : undefined;
  const isOpen = typed !== null && !typed.isTaken;
  const isOld = isOpen && typed.of !== text;
  const type = (next: string) => onType(next === text ? null : { text: next, of: isOpen ? typed.of : text, isTaken: false });
  const take = () => {
    if (!spec) return;
    onType({ text: draft, of: text, isTaken: true });
    onChange(specOf(spec));
  };
  return (
    <Stack gap="sm">
      <Textarea
        label="The document"
        description="TOML, as `edgefleet pipeline set` takes it"
        value={draft}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        autosize
        minRows={12}
        maxRows={28}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8125rem" } }}
        error={check.error?.message ?? (problem && <Fault problem={problem} text={draft} />)}
      />
      <Group justify="space-between">
        <Text fz="xs" c="dimmed" role="status">
          {!isOpen ? "As in the forms" : !fresh ? "Checking…" : problem ? "Not as a device would take it" : isOld ? "The forms have changed since; to take this over undoes that" : "A device would take it; not in the forms yet"}
        </Text>
        <Group gap="xs">
          {isOpen && (
            <Button variant="subtle" size="xs" onClick={() => onType(null)}>
              Back to the forms
            </Button>
          )}
          <Button variant="default" size="xs" onClick={take} disabled={!isOpen || !spec}>
            Take it over
          </Button>
        </Group>
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
