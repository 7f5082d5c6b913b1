import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { useConnectionState } from "~/live/LiveProvider";
import { Empty, Fault } from "~/components/States";
import { ButtonLink } from "~/components/links";
import { isJustReloaded, MissingPart } from "./part";

export function NotFound() {
  return (
    <Empty icon={IconRoute} title="There is no such page" action={<ButtonLink to="/">To the fleet</ButtonLink>}>
      The address may be from another version of edgefleet.
    </Empty>
  );
}

export function Crash({ error, reset }: ErrorComponentProps) {
  if (error instanceof MissingPart) return <Incomplete error={error} />;
  return <Fault error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}

/** Loads the document anew, which has the addresses of the parts that the server has now: once by itself, when the server is there. */
function Incomplete({ error }: { error: MissingPart }) {
  const link = useConnectionState().is;
  useEffect(() => {
    if (link === "live" && !isJustReloaded()) window.location.reload();
  }, [link]);
  return <Fault error={error} onRetry={() => window.location.reload()} />;
}
