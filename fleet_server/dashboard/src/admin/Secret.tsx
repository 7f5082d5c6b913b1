import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface SecretProps {
  /** The text shown and copied. */
  text: string;
  children?: ReactNode;
  onDone: () => void;
}

/** A secret that the server returns only once. */
export function Secret({ text, children, onDone }: SecretProps) {
  return (
    <Stack role="status">
      <Text fz="sm">
        <b>Copy it now.</b> It cannot be shown again; the server stores only a hash.
      </Text>
      <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }} data-testid="secret">
        {text}
      </Code>
      {children}
      <Group justify="flex-end">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
