import { CopyButton, Tooltip, UnstyledButton } from "@mantine/core";

/** The first twelve digits of a hash; a click copies all of it. */
export function Digest({ value }: { value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : `Copy ${value}`} multiline maw={360} style={{ overflowWrap: "anywhere" }}>
          <UnstyledButton className="mono" fz="xs" c="dimmed" onClick={copy} aria-label={`Copy digest ${value.slice(0, 12)}`}>
            {value.slice(0, 12)}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}
