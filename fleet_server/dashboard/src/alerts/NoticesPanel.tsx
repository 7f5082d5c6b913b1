import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { noticesQuery } from "~/api/alerts";
import { Ago } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { Tag } from "~/components/Tag";
import { capital } from "~/format/numbers";
import type { Tone } from "~/format/tones";

const STATES: Record<string, { text: string; tone: Tone }> = {
  waiting: { text: "Pending", tone: "busy" },
  delivered: { text: "Delivered", tone: "ok" },
  "given up": { text: "Failed", tone: "bad" },
};

/** Notifications to webhooks and email addresses, with their delivery state. */
export function NoticesPanel() {
  const { data } = useQuery(noticesQuery);
  if (!data?.items.length) return null;
  return (
    <Panel title="Notifications" note="Newest first">
      <Stack gap="sm">
        {data.items.map((notice) => (
          <div key={notice.id}>
            <Tag {...(STATES[notice.state] ?? { tone: "off", text: capital(notice.state) })} />{" "}
            <Text span fz="sm" style={{ overflowWrap: "anywhere" }}>
              {notice.target}
            </Text>
            <Text fz="xs" c="dimmed">
              <Ago at={notice.created_at} />
              {notice.summary && ` · ${notice.summary}`}
              {notice.error && ` · ${notice.error}`}
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
