import { Tag } from "~/components/Tag";
import { useConnectionState } from "~/live/LiveProvider";
import type { Tone } from "~/format/tones";

const WORDS: Record<string, { text: string; tone: Tone; help: string }> = {
  live: { text: "Live", tone: "ok", help: "Changes arrive as they happen" },
  connecting: { text: "Connecting", tone: "off", help: "Opening the live stream" },
  asleep: { text: "Asleep", tone: "off", help: "The stream rests while this tab is hidden" },
  down: { text: "Link down", tone: "warn", help: "What you see may be old" },
};

/** Whether this page is live: always in view, because old numbers look like new ones. */
export function ConnectionTag() {
  const { is } = useConnectionState();
  const word = WORDS[is] ?? { text: is, tone: "off" as const, help: "" };
  return (
    <span role="status" data-testid="link-state">
      <Tag tone={word.tone} text={word.text} help={word.help} live={is === "live"} />
    </span>
  );
}
