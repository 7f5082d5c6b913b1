import { Button, Checkbox, Menu, Stack } from "@mantine/core";
import IconColumns3 from "@tabler/icons-react/dist/esm/icons/IconColumns3.mjs";
import { COLUMNS, type useColumns } from "./columns";

/** Chooses the columns of the device list. */
export function ColumnsMenu({ columns: { keys, choose, reset } }: { columns: ReturnType<typeof useColumns> }) {
  return (
    <Menu position="bottom-end" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" leftSection={<IconColumns3 size={15} stroke={1.8} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Checkbox.Group value={keys} onChange={(next) => choose(next)} aria-label="Columns">
          <Stack gap={8} p="xs">
            {COLUMNS.map((column) => (
              <Checkbox key={column.key} size="xs" value={column.key} label={column.text} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Menu.Divider />
        <Menu.Item onClick={reset}>Reset to default</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
