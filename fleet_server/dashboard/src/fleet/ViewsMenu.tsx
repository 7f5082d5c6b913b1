import { Button, CloseButton, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import IconBookmark from "@tabler/icons-react/dist/esm/icons/IconBookmark.mjs";
import { useState } from "react";
import type { FleetSearch } from "./search";

interface View {
  name: string;
  search: FleetSearch;
}

const VIEWS_MAX = 30;

interface ViewsMenuProps {
  search: FleetSearch;
  /** True if there is a filter to save. */
  narrowed: boolean;
  onOpen: (search: FleetSearch) => void;
}

/** Saved filters, stored in this browser. The address shares one. */
export function ViewsMenu({ search, narrowed, onOpen }: ViewsMenuProps) {
  const [views, setViews] = useLocalStorage<View[]>({ key: "edgefleet-views", defaultValue: [], getInitialValueInEffect: false });
  const [naming, setNaming] = useState(false);
  const save = (name: string) => {
    const { page: _, ...filter } = search;
    setViews((old) => [...old.filter((view) => view.name !== name), { name, search: filter }].slice(-VIEWS_MAX));
    setNaming(false);
  };
  if (!views.length && !narrowed) return null;
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button variant="subtle" size="compact-sm" leftSection={<IconBookmark size={15} stroke={1.8} aria-hidden />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => onOpen(view.search)}>{view.name}</Menu.Item>
              <CloseButton
                size="sm"
                aria-label={`Delete ${view.name}`}
                onClick={() => setViews((old) => old.filter((each) => each.name !== view.name))}
              />
            </Group>
          ))}
          {views.length > 0 && narrowed && <Menu.Divider />}
          {narrowed && <Menu.Item onClick={() => setNaming(true)}>Save view…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={() => setNaming(false)} title={<b>Save this view</b>}>
        {naming && <NameForm onSave={save} onCancel={() => setNaming(false)} />}
      </Modal>
    </>
  );
}

function NameForm({ onSave, onCancel }: { onSave: (name: string) => void; onCancel: () => void }) {
  const [name, setName] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave(name.trim());
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="e.g. Lyon, line 3"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={40}
          data-autofocus
        />
        <Text fz="sm" c="dimmed">
          Views are stored in this browser. To share one, send the page's address.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!name.trim()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
