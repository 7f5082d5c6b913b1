import { Stack, Text } from "@mantine/core";
import IconBellCheck from "@tabler/icons-react/dist/esm/icons/IconBellCheck.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { alertsQuery } from "~/api/alerts";
import { overviewQuery } from "~/api/queries";
import { SEVERITY } from "~/alerts/format";
import { Subject } from "~/alerts/Subject";
import { Since } from "~/components/Ago";
import { Empty, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { many } from "~/format/numbers";

const SHOWN_MAX = 4;
/** The live stream reports changes of the count; texts may be this old. */
const POLL_MS = 30_000;

/** Open alerts. */
export function AlertsNow() {
  const { data: overview } = useQuery(overviewQuery);
  const { data, error, refetch } = useQuery({ ...alertsQuery(true), refetchInterval: POLL_MS });
  const open = overview?.alerts_open;
  useEffect(() => void refetch(), [open, refetch]);
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={3} />;
  if (!data.items.length) return <Empty icon={IconBellCheck} title="No open alerts" />;
  return (
    <Stack gap="sm">
      {data.items.slice(0, SHOWN_MAX).map((alert) => (
        <div key={alert.id}>
          <Tag tone={SEVERITY[alert.severity].tone} text={alert.rule_name} />
          <Text fz="sm" mt={3} style={{ overflowWrap: "anywhere" }}>
            {alert.subject && (
              <>
                <Subject alert={alert} />
                {": "}
              </>
            )}
            {alert.text}{" "}
            <Text span fz="xs" c="dimmed">
              <Since at={alert.began_at} prefix="for " />
              {alert.acknowledged_by && `, acknowledged by ${alert.acknowledged_by}`}
            </Text>
          </Text>
        </div>
      ))}
      {data.items.length > SHOWN_MAX && (
        <Link to="/alerts" className="link">
          {many(data.items.length - SHOWN_MAX, "more alert")}
        </Link>
      )}
    </Stack>
  );
}
