import { Button, CopyButton, Popover, Stack, Text, TextInput } from "@mantine/core";
import IconLink from "@tabler/icons-react/dist/esm/icons/IconLink.mjs";
import { useState } from "react";

/** The address of what is shown, to copy. `address`: the search of the address when the button is pressed. */
export function ShareButton({ address, note }: { address: () => string; note: string }) {
  const [link, setLink] = useState<string | null>(null);
  const open = () => {
    const { origin, pathname } = window.location;
    setLink(`${origin}${pathname}${address()}`);
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
            {note}
          </Text>
          <CopyButton value={link ?? ""}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy link"}</Button>}
          </CopyButton>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
