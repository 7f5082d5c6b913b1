import { Group, Pagination, Select, Text } from "@mantine/core";
import { capital, count } from "~/format/numbers";

interface PagerProps {
  page: number;
  size: number;
  total: number;
  what: string;
  sizes?: readonly number[];
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
}

/** Pagination of a long list. */
export function Pager({ page, size, total, what, sizes = [25, 50, 100, 200], onPage, onSize }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / size));
  if (total === 0) return null;
  return (
    <Group justify="space-between" px="md" py="sm" gap="sm">
      <Text fz="sm" c="dimmed" className="num" aria-live="polite">
        {count((page - 1) * size + 1)}–{count(Math.min(total, page * size))} of {count(total)} {what}
      </Text>
      <Group gap="sm">
        {onSize && (
          <Select
            aria-label="Rows per page"
            size="xs"
            w={112}
            data={sizes.map((each) => ({ value: String(each), label: `${each} per page` }))}
            value={String(size)}
            onChange={(value) => value && onSize(Number(value))}
            allowDeselect={false}
          />
        )}
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={Math.min(page, pages)}
            onChange={onPage}
            siblings={1}
            getItemProps={(to) => ({ "aria-label": `Page ${to}` })}
            getControlProps={(control) => ({ "aria-label": `${capital(control)} page` })}
          />
        )}
      </Group>
    </Group>
  );
}
