import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "./ConfirmDialog";

/** Asks before changes that are kept nowhere are left behind, wherever the way leads; about closing the tab the browser itself asks. */
export function LeaveDialog({ what, isUnsaved }: { what: string; isUnsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved() && (current.pathname !== next.pathname || JSON.stringify(current.search) !== JSON.stringify(next.search)),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const question = {
    title: "Leave without these changes?",
    lines: [`What you changed in ${what} is kept nowhere, and is gone once you leave.`],
    yes: "Leave",
    no: "Stay",
    isHard: true,
    act: async () => proceed?.(),
  };
  return <ConfirmDialog question={status === "blocked" ? question : null} onClose={() => reset?.()} />;
}
