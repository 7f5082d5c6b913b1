import { Text } from "@mantine/core";

/** Sentences about what is not known. */
export function Gaps({ texts }: { texts: string[] }) {
  if (!texts.length) return null;
  return (
    <Text fz="sm" c="dimmed" px="md" pb="sm" role="note">
      {texts.join(" ")}
    </Text>
  );
}
