import { useHotkeys, type HotkeyItem } from "@mantine/hooks";
import type { EventRow } from "~/api/types";
import { toggled, VERDICT, VERDICTS } from "./marks";
import type { Marks } from "./useMarks";

interface EventKeys {
  may: boolean;
  step: (by: number) => void;
  /** Events that marks are for. */
  targets: readonly EventRow[];
  marks: Marks;
  onPick: () => void;
  onEnter: () => void;
  onHelp: () => void;
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select, [contenteditable=true]");

/** A key that means something else where it was pressed keeps that meaning. */
const ONLY_OURS = { preventDefault: false };

/** Keys of a review: `KeyList` names them. Users who may not mark events have those for moving only. */
export function useEventKeys({ may, step, targets, marks, onPick, onEnter, onHelp }: EventKeys): void {
  const key = (name: string, act: () => void): HotkeyItem => [
    name,
    (event) => {
      if (isTyping(event)) return;
      event.preventDefault();
      act();
    },
    ONLY_OURS,
  ];
  const forMarks = may
    ? [
        ...VERDICTS.map((verdict) =>
          key(VERDICT[verdict].key, () => targets.length && marks.mark(targets, toggled(targets, verdict))),
        ),
        key("u", () => targets.length && marks.mark(targets, null)),
        key("x", onPick),
        key("z", marks.undo),
      ]
    : [];
  /** Where the focus is lost, as that of a notice that has gone. */
  const enter: HotkeyItem = ["Enter", ({ target }) => target === document.body && onEnter(), ONLY_OURS];
  useHotkeys([enter, key("j", () => step(1)), key("k", () => step(-1)), key("shift+?", onHelp), ...forMarks], []);
}
