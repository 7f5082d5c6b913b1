import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  startCompletion,
  type CompletionContext,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { markProblem, problemMark, type TomlProblem } from "./problemMark";
import { describedAt, suggestionsAt, type Schema, type Suggestion } from "./schema";
import classes from "./TomlEditor.module.css";

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--ink)" },
  { tag: tags.atom, color: "var(--busy)", fontWeight: "600" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: tags.comment, color: "var(--ink-2)", fontStyle: "italic" },
  { tag: tags.bracket, color: "var(--ink-2)" },
]);
const LANGUAGE = StreamLanguage.define(toml);

interface TomlEditorProps {
  value: string;
  schema: Schema;
  /** The name of the text for screen readers. */
  label: string;
  problem?: TomlProblem | undefined;
  onChange: (text: string) => void;
}

/** A text in TOML with numbers of lines, highlighting, suggestions of the schema, and the problem at its line. */
export function TomlEditor({ value, schema, label, problem, onChange }: TomlEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const first = useRef(value);
  const changed = useRef(onChange);
  const names = useRef(new Compartment());
  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (!parent.current) return;
    const listen = EditorView.updateListener.of((update) => {
      if (update.docChanged) changed.current(update.state.doc.toString());
    });
    const extensions = [...helpOf(schema), names.current.of([]), listen];
    view.current = new EditorView({ parent: parent.current, state: EditorState.create({ doc: first.current, extensions }) });
    return () => view.current?.destroy();
  }, [schema]);
  useEffect(() => {
    const attributes = EditorView.contentAttributes.of({ "aria-label": label, "aria-invalid": String(problem !== undefined) });
    view.current?.dispatch({ effects: names.current.reconfigure(attributes) });
  }, [label, problem]);
  useEffect(() => {
    const { current } = view;
    const length = current?.state.doc.length;
    if (current && current.state.doc.toString() !== value)
      current.dispatch({ changes: { from: 0, to: length ?? 0, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: markProblem.of(problem ?? null) });
  }, [problem]);
  return <div ref={parent} className={classes.editor} data-testid="toml" />;
}

/** Everything of the editor that does not change while it is open. Tab leaves it: it must not be a trap for the keyboard. */
function helpOf(schema: Schema): Extension[] {
  return [
    lineNumbers(),
    problemMark,
    history(),
    LANGUAGE,
    syntaxHighlighting(COLOURS),
    closeBrackets(),
    autocompletion({
      override: [(context) => completions(schema, context)],
      icons: false,
      tooltipClass: () => classes.tip ?? "",
    }),
    hoverTooltip((view, position) => {
      const text = describedAt(schema, view.state.doc.toString(), position);
      if (!text) return null;
      const dom = document.createElement("div");
      dom.className = classes.hover ?? "";
      dom.textContent = text;
      return { pos: position, create: () => ({ dom }) };
    }),
    keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
  ];
}

function completions(schema: Schema, context: CompletionContext) {
  const text = context.state.doc.toString();
  const found = suggestionsAt(schema, text, context.pos);
  if (!found?.items.length || (!context.explicit && found.from === context.pos && !text.slice(0, context.pos).endsWith("= ")))
    return null;
  const word = text
    .slice(found.from, context.pos)
    .replace(/^["'[]+/, "")
    .toLowerCase();
  const options = found.items
    .filter(({ label }) => label.toLowerCase().includes(word))
    .map((item) => ({
      label: item.label,
      detail: item.detail,
      info: item.info || undefined,
      type: item.kind,
      apply: (view: EditorView, _: unknown, from: number, to: number) => apply(view, item, from, to),
    }));
  // The editor's own filter would compare with the quote or the bracket too, and change the order.
  return { from: found.from, options, filter: false };
}

/** Writes a suggestion, over the closing quotes and brackets that the editor wrote by itself. */
function apply(view: EditorView, { kind, text }: Suggestion, from: number, to: number) {
  const rest = view.state.sliceDoc(to, view.state.doc.lineAt(to).to);
  const own = kind === "table" ? /^\]*/ : kind === "value" ? /^["']?/ : /^\s*=\s*/;
  const end = to + (own.exec(rest)?.[0].length ?? 0);
  view.dispatch({
    changes: { from, to: end, insert: text },
    selection: { anchor: from + text.length },
    userEvent: "input.complete",
  });
  if (kind === "key") startCompletion(view);
}
