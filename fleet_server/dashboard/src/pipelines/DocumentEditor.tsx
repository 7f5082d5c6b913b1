import { useMemo } from "react";
import type { PipelineProblem } from "~/api/pipelines";
import type { Schema } from "~/toml/schema";
import { TomlEditor } from "~/toml/TomlEditor";
import schema from "./pipeline.schema.json";

interface DocumentEditorProps {
  value: string;
  problem: PipelineProblem | undefined;
  onChange: (text: string) => void;
}

/** The text of a pipeline, with the schema of pipelines and the server's problem. */
export function DocumentEditor({ value, problem, onChange }: DocumentEditorProps) {
  const line = problem?.line;
  const text = problem?.text ?? "";
  const marked = useMemo(() => (line ? { line, text } : undefined), [line, text]);
  return <TomlEditor label="Document" value={value} schema={schema as unknown as Schema} problem={marked} onChange={onChange} />;
}
