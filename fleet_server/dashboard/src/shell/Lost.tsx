import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Empty, Fault } from "~/parts/Plain";
import { ButtonLink } from "~/parts/links";

export function NotFound() {
  return (
    <Empty icon={IconRoute} title="There is no such page" action={<ButtonLink to="/">To the fleet</ButtonLink>}>
      The address may be from another version of edgefleet.
    </Empty>
  );
}

export function Crash({ error, reset }: ErrorComponentProps) {
  return <Fault error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}
