import { Button, Center, Code, Group, Skeleton, Stack, Text, ThemeIcon } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError } from "~/api/client";

interface EmptyProps {
  icon: Icon;
  title: string;
  children?: ReactNode;
  command?: string;
  action?: ReactNode;
}

/** Empty state: the reason, and the next action. */
export function Empty({ icon: Sign, title, children, command, action }: EmptyProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="sm" maw={460} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          <Sign size={24} stroke={1.6} />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children && (
          <Text c="dimmed" fz="sm">
            {children}
          </Text>
        )}
        {command && <Code fz="sm">{command}</Code>}
        {action}
      </Stack>
    </Center>
  );
}

/** A failed request: the server's message, and a retry. */
export function Fault({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <Center py={48} px="md" role="alert">
      <Stack align="center" gap="sm" maw={460} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" color="red" aria-hidden>
          <IconAlertTriangle size={24} stroke={1.6} />
        </ThemeIcon>
        <Text fw={600}>{missing ? "Not found" : "Loading failed"}</Text>
        <Text c="dimmed" fz="sm">
          {error.message}
        </Text>
        {onRetry && !missing && (
          <Button variant="default" onClick={onRetry}>
            Retry
          </Button>
        )}
      </Stack>
    </Center>
  );
}

export function Loading({ rows = 4, height = 20 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="sm" p="md" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="sm" width={`${96 - ((row * 17) % 30)}%`} />
      ))}
    </Stack>
  );
}

/** Names and values, aligned. Names are in sentence case. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Stack gap={0} component="dl" m={0}>
      {rows.map(([name, value]) => (
        <Group key={name} justify="space-between" gap="md" py={7} wrap="nowrap" style={{ borderBottom: "1px solid var(--line)" }}>
          <Text component="dt" fz="sm" c="dimmed" style={{ flex: "none" }}>
            {name}
          </Text>
          <Text component="dd" fz="sm" m={0} ta="right" style={{ overflowWrap: "anywhere" }}>
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

/** Message of a failed request, as the server wrote it. */
export function ErrorText({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <Text c="var(--bad)" fz="sm" role="alert">
      {error.message}
    </Text>
  );
}
