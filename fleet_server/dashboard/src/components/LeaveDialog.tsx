import { useBlocker } from "@tanstack/react-router";
import { ConfirmDialog } from "./ConfirmDialog";

interface LeaveDialogProps {
  what: string;
  isUnsaved: () => boolean;
  /** Search parameters of the address that may change without leaving. */
  within?: readonly string[];
  onLeave?: () => void;
}

/** Asks for confirmation before the user navigates away from unsaved changes; the browser asks when the tab is closed. */
export function LeaveDialog({ what, isUnsaved, within = [], onLeave }: LeaveDialogProps) {
  const place = (search: object) => JSON.stringify({ ...search, ...Object.fromEntries(within.map((key) => [key, undefined])) });
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() && (current.pathname !== next.pathname || place(current.search) !== place(next.search)),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const question = {
    title: "Discard unsaved changes?",
    lines: [`Your unsaved changes to ${what} will be lost.`],
    yes: "Leave",
    no: "Stay",
    isDestructive: true,
    act: () => {
      onLeave?.();
      proceed?.();
      return Promise.resolve();
    },
  };
  return <ConfirmDialog question={status === "blocked" ? question : null} onClose={() => reset?.()} />;
}
