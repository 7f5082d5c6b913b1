import { RangeSet, StateEffect, StateField, type EditorState } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

export interface TomlProblem {
  line: number;
  text: string;
}

/** Marks the line of a problem, or with null none. */
export const markProblem = StateEffect.define<TomlProblem | null>();

class Mark extends GutterMarker {
  override elementClass = "problem-number";
}
const NUMBER = new Mark();

const startOf = (state: EditorState, problem: TomlProblem | null): number | null =>
  problem && problem.line <= state.doc.lines ? state.doc.line(problem.line).from : null;

/** The line of the problem, and its number: both are marked, and the line has the text of the problem as its title. */
export const problemMark = StateField.define<TomlProblem | null>({
  create: () => null,
  update: (problem, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(markProblem) ? effect.value : now), problem),
  provide: (field) => [
    EditorView.decorations.compute([field, "doc"], (state) => {
      const problem = state.field(field);
      const from = startOf(state, problem);
      if (problem === null || from === null) return Decoration.none;
      return Decoration.set(Decoration.line({ class: "problem-line", attributes: { title: problem.text } }).range(from));
    }),
    gutterLineClass.compute([field, "doc"], (state) => {
      const from = startOf(state, state.field(field));
      return from === null ? RangeSet.empty : RangeSet.of(NUMBER.range(from));
    }),
  ],
});
