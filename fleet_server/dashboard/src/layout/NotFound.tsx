import IconRoute from "@tabler/icons-react/dist/esm/icons/IconRoute.mjs";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect } from "react";
import { useConnectionState } from "~/live/LiveProvider";
import { Empty, Fault } from "~/components/States";
import { ButtonLink } from "~/components/links";
import { isJustReloaded, MissingPart } from "./part";

export function NotFound() {
  return (
    <Empty icon={IconRoute} title="Page not found" action={<ButtonLink to="/">Go to fleet</ButtonLink>}>
      The page may have been moved or removed in this version.
    </Empty>
  );
}

export function Crash({ error, reset }: ErrorComponentProps) {
  if (error instanceof MissingPart) return <Incomplete error={error} />;
  return <Fault error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}

/** Reloads the document once, as soon as the server is connected: a fresh document names the code that the server has now. */
function Incomplete({ error }: { error: MissingPart }) {
  const connection = useConnectionState().is;
  useEffect(() => {
    if (connection === "live" && !isJustReloaded()) window.location.reload();
  }, [connection]);
  return <Fault error={error} onRetry={() => window.location.reload()} />;
}
