import { Group, Table, UnstyledButton } from "@mantine/core";
import IconChevronDown from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs";
import IconChevronUp from "@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs";
import IconSelector from "@tabler/icons-react/dist/esm/icons/IconSelector.mjs";

interface SortHeaderProps {
  text: string;
  by: string;
  sort: string;
  firstDown?: boolean;
  right?: boolean;
  onSort: (sort: string) => void;
}

/** A column header that sorts by its column; a second click reverses the order. `sort` is `key` or `-key`, as in the API. */
export function SortHeader({ text, by, sort, firstDown = false, right = false, onSort }: SortHeaderProps) {
  const state = sort === by ? "ascending" : sort === `-${by}` ? "descending" : "none";
  const Sign = state === "ascending" ? IconChevronUp : state === "descending" ? IconChevronDown : IconSelector;
  const next = state === "none" ? (firstDown ? `-${by}` : by) : state === "ascending" ? `-${by}` : by;
  return (
    <Table.Th aria-sort={state}>
      <UnstyledButton onClick={() => onSort(next)} fz="xs" fw={560} c={state === "none" ? "dimmed" : undefined} w="100%">
        <Group gap={4} wrap="nowrap" justify={right ? "flex-end" : "flex-start"}>
          {text}
          <Sign size={13} stroke={2} aria-hidden />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
