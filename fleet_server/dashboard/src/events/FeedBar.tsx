import { Button, Checkbox, Popover } from "@mantine/core";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconKeyboard from "@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs";
import type { Verdict } from "~/api/events";
import type { EventRow } from "~/api/types";
import { count } from "~/format/numbers";
import classes from "./EventFeed.module.css";
import { KeyList, MarkButtons } from "./MarkButtons";

const COUNTED_MAX = 100;

interface FeedBarProps {
  rows: readonly EventRow[];
  selected: readonly EventRow[];
  fresh: number;
  may: boolean;
  canSelect: boolean;
  helps: boolean;
  onHelp: (opened: boolean) => void;
  onShowNew: () => void;
  onSelect: (all: boolean) => void;
  onMark: (verdict: Verdict | null) => void;
}

/** Above the list, of one height: selection and marks, new events, keys. */
export function FeedBar({ rows, selected, fresh, may, canSelect, helps, ...act }: FeedBarProps) {
  return (
    <div className={classes.bar} data-selecting={selected.length > 0}>
      {canSelect && (
        <Checkbox
          size="xs"
          label={selected.length ? `${count(selected.length)} selected` : "Select all"}
          checked={selected.length > 0 && selected.length === rows.length}
          indeterminate={selected.length > 0 && selected.length < rows.length}
          onChange={() => act.onSelect(selected.length < rows.length)}
        />
      )}
      {selected.length > 0 && <MarkButtons rows={selected} onMark={act.onMark} />}
      <div className={classes.middle} aria-live="polite">
        {fresh > 0 && (
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<IconArrowUp size={14} stroke={2} aria-hidden />}
            onClick={act.onShowNew}
          >
            {fresh >= COUNTED_MAX ? `${COUNTED_MAX}+ new` : `${fresh} new`}
          </Button>
        )}
      </div>
      <Popover opened={helps} onChange={act.onHelp} shadow="md" position="bottom-end" withRoles>
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            visibleFrom="sm"
            leftSection={<IconKeyboard size={16} stroke={1.7} aria-hidden />}
            onClick={() => act.onHelp(!helps)}
          >
            Keys
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Keys">
          <KeyList may={may} />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
