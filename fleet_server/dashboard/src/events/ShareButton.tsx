import { Button, CopyButton, Popover, Stack, Text, TextInput } from "@mantine/core";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import { useState } from "react";
import { now_s } from "~/format/time";
import type { Range } from "./range";
import { sharedSearch, type EventsSearch } from "./search";

/** The address of what is shown, to copy. */
export function ShareButton({ search, range }: { search: EventsSearch; range: Range }) {
  const [link, setLink] = useState<string | null>(null);
  const open = () => {
    const { origin, pathname } = window.location;
    setLink(`${origin}${pathname}${sharedSearch(search, range.since, range.until ?? now_s())}`);
  };
  return (
    <Popover
      opened={link !== null}
      onChange={(opened) => !opened && setLink(null)}
      trapFocus
      withRoles
      shadow="md"
      position="bottom-end"
      width={340}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconLink size={16} stroke={1.8} aria-hidden />}
          onClick={link === null ? open : () => setLink(null)}
        >
          Share
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Share">
        <Stack gap="sm">
          <TextInput label="Link" value={link ?? ""} readOnly data-autofocus onFocus={(event) => event.currentTarget.select()} />
          <Text fz="xs" c="dimmed">
            With the time range, the filters and the open event. Others need access to this server.
          </Text>
          <CopyButton value={link ?? ""}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy link"}</Button>}
          </CopyButton>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
