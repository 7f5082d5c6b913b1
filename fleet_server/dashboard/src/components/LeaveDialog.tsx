import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "./ConfirmDialog";

/** Asks for confirmation before the user navigates away from unsaved changes; the browser asks when the tab is closed. */
export function LeaveDialog({ what, isUnsaved }: { what: string; isUnsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() && (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const question = {
    title: "Discard unsaved changes?",
    lines: [`Your unsaved changes to ${what} will be lost.`],
    yes: "Leave",
    no: "Stay",
    isDestructive: true,
    act: async () => proceed?.(),
  };
  return <ConfirmDialog question={status === "blocked" ? question : null} onClose={() => reset?.()} />;
}
