import { Anchor, Group, Stack, Title } from "@mantine/core";
import IconArrowLeft from "@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs";
import { Link } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";

interface PageHeadProps {
  title: string;
  heading?: ReactNode;
  under?: ReactNode;
  actions?: ReactNode;
  trail?: { text: string; to: "/" | "/models" | "/pipelines" | "/rollouts" | "/experiments" | "/events" }[];
}

/** Title of the page (and of the browser tab), breadcrumb and actions. */
export function PageHead({ title, heading, under, actions, trail = [] }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · edgefleet`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg" wrap="wrap">
      <Stack gap={4} style={{ minWidth: 0 }}>
        {trail.length > 0 && (
          <Group gap="xs">
            {trail.map(({ text, to }) => (
              <Anchor
                key={to}
                component={Link}
                to={to}
                fz="sm"
                c="dimmed"
                style={{ display: "inline-flex", alignItems: "center", gap: 4 }}
              >
                <IconArrowLeft size={14} stroke={1.8} aria-hidden />
                {text}
              </Anchor>
            ))}
          </Group>
        )}
        <Group gap="sm" wrap="wrap">
          <Title order={1} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {heading}
        </Group>
        {under && (
          <Group gap="sm" fz="sm" c="dimmed" wrap="wrap">
            {under}
          </Group>
        )}
      </Stack>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
