import { Button, Group, Text } from "@mantine/core";
import { LeaveDialog } from "~/components/LeaveDialog";
import type { Draft } from "./useDraft";

interface DraftNoteProps {
  draft: Pick<Draft<unknown>, "isRestored" | "isUnsaved" | "discard">;
  /** What would be lost: "the rule". */
  what: string;
  /** Search parameters of the address that may change without leaving the form. */
  within?: readonly string[];
  onDiscard?: () => void;
}

/** Says that a draft was restored, and asks before the user leaves one. */
export function DraftNote({ draft, what, within, onDiscard }: DraftNoteProps) {
  return (
    <>
      <LeaveDialog what={what} isUnsaved={draft.isUnsaved} within={within} onLeave={draft.discard} />
      {draft.isRestored && (
        <Group justify="space-between" gap="xs" mb="sm" role="status">
          <Text fz="sm">Unsaved changes restored.</Text>
          <DiscardDraft draft={draft} onDiscard={onDiscard} />
        </Group>
      )}
    </>
  );
}

/** Shown while there is something to discard. */
export function DiscardDraft({ draft, onDiscard }: Pick<DraftNoteProps, "draft" | "onDiscard">) {
  if (!draft.isUnsaved()) return null;
  const discard = () => {
    draft.discard();
    onDiscard?.();
  };
  return (
    <Button size="compact-sm" variant="subtle" onClick={discard}>
      Discard draft
    </Button>
  );
}
