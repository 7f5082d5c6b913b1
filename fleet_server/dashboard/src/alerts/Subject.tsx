import { Link } from "@tanstack/react-router";
import type { Alert } from "~/api/alerts";

/** What an alert is about, with a link to the device or the rollout. */
export function Subject({ alert }: { alert: Alert }) {
  return alert.rollout !== null ? (
    <Link to="/rollouts/$id" params={{ id: alert.rollout }} className="strong-link">
      {alert.subject}
    </Link>
  ) : (
    <Link to="/devices/$id" params={{ id: alert.device ?? alert.subject }} className="strong-link">
      {alert.subject}
    </Link>
  );
}
