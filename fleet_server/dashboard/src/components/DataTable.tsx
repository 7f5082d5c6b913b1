import { Table, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";

interface DataTableProps {
  name: string;
  /** An empty heading is the actions column. */
  headings: readonly string[];
  width: number;
  children: ReactNode;
}

/** Frame of a small table. */
export function DataTable({ name, headings, width, children }: DataTableProps) {
  return (
    <Table.ScrollContainer minWidth={width}>
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label={name}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) => (
              <Table.Th key={heading} w={heading ? undefined : 100}>
                {heading || <VisuallyHidden>Actions</VisuallyHidden>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
