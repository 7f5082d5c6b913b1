import { Tag } from "~/components/Tag";
import { useConnectionState } from "~/live/LiveProvider";
import type { Tone } from "~/format/tones";

const LABELS: Record<string, { text: string; tone: Tone; help: string }> = {
  live: { text: "Live", tone: "ok", help: "Updates in real time" },
  connecting: { text: "Connecting", tone: "off", help: "Connecting to the live stream" },
  suspended: { text: "Suspended", tone: "off", help: "Live updates are suspended while this tab is hidden" },
  down: { text: "Disconnected", tone: "warn", help: "Data on this page may be stale" },
};

/** State of the live connection. Always visible, because stale numbers are indistinguishable from fresh ones. */
export function ConnectionTag() {
  const { is } = useConnectionState();
  const label = LABELS[is] ?? { text: is, tone: "off" as const, help: "" };
  return (
    <span role="status" data-testid="connection-state">
      <Tag tone={label.tone} text={label.text} help={label.help} live={is === "live"} />
    </span>
  );
}
