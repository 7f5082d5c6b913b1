import { Button, Group, Input, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { textCheckQuery, type PipelineProblem } from "~/api/pipelines";
import { Loading } from "~/components/States";
import { part } from "~/layout/part";
import { specOf, type Spec } from "./spec";

const CHECK_AFTER_MS = 300;
const DocumentEditor = lazy(part(() => import("./DocumentEditor").then((module) => ({ default: module.DocumentEditor }))));

/** Text edited over `of`, the text of the forms. `isApplied`: the forms have it, or are about to. */
export interface Typed {
  text: string;
  of: string;
  isApplied: boolean;
}

interface TextPanelProps {
  text: string;
  typed: Typed | null;
  device: string;
  onType: (typed: Typed | null) => void;
  onChange: (spec: Spec) => void;
}

/** Text editor of the document; validated while typing, with the device's rules. */
export function TextPanel({ text, typed, device, onType, onChange }: TextPanelProps) {
  const draft = typed?.text ?? text;
  const [later] = useDebouncedValue(draft, CHECK_AFTER_MS);
  const check = useQuery(textCheckQuery(later, device));
  const fresh = later === draft && !check.isPlaceholderData;
  const problem = fresh ? check.data?.problem : undefined;
  const spec = fresh ? check.data?.spec : undefined;
  const isOpen = typed !== null && !typed.isApplied;
  const isOld = isOpen && typed.of !== text;
  const type = (next: string) => onType(next === text ? null : { text: next, of: isOpen ? typed.of : text, isApplied: false });
  const apply = () => {
    if (!spec) return;
    onType({ text: draft, of: text, isApplied: true });
    onChange(specOf(spec));
  };
  return (
    <Stack gap="sm">
      <Input.Wrapper
        label="Document"
        labelElement="div"
        description="TOML, as for `edgefleet pipeline set`. Ctrl Space: what can be written here"
        inputWrapperOrder={["label", "description", "input", "error"]}
        error={check.error?.message ?? (problem && <DocumentError problem={problem} text={draft} />)}
      >
        <Suspense fallback={<Loading rows={6} />}>
          <DocumentEditor value={draft} problem={problem ?? undefined} onChange={type} />
        </Suspense>
      </Input.Wrapper>
      <Group justify="space-between">
        <Text fz="xs" c="dimmed" role="status">
          {!isOpen
            ? "In sync with the forms"
            : !fresh
              ? "Checking…"
              : problem
                ? "Invalid"
                : isOld
                  ? "The forms have changed; applying this text discards those changes"
                  : "Valid; not applied to the forms yet"}
        </Text>
        <Group gap="xs">
          {isOpen && (
            <Button variant="subtle" size="xs" onClick={() => onType(null)}>
              Discard text
            </Button>
          )}
          <Button variant="default" size="xs" onClick={apply} disabled={!isOpen || !spec}>
            Apply text
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** The error, with the line that contains it. */
function DocumentError({ problem, text }: { problem: PipelineProblem; text: string }) {
  const line = problem.line ? (text.split("\n")[problem.line - 1] ?? "").trim() : "";
  return (
    <span data-testid="document-error">
      {problem.line ? `Line ${problem.line}: ` : ""}
      {problem.text}
      {line && <code style={{ display: "block", marginTop: 4, overflowWrap: "anywhere" }}>{line}</code>}
    </span>
  );
}
