import { Button, Grid, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import IconBellCheck from "@tabler/icons-react/dist/esm/icons/IconBellCheck.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ForRole, useMay } from "~/components/role";
import { DataTable } from "~/components/DataTable";
import { acknowledge, alertsQuery, type Alert } from "~/api/alerts";
import { Ago } from "~/components/Ago";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { span } from "~/format/time";
import { NoticesPanel } from "./NoticesPanel";
import { RecipientsPanel } from "./RecipientsPanel";
import { RulesPanel } from "./RulesPanel";
import { SnoozesPanel } from "./SnoozesPanel";
import { SEVERITY } from "./format";
import { Subject } from "./Subject";

const route = getRouteApi("/alerts");

/** Alerts, their rules and notifications. */
export function AlertsPage() {
  const { past } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHead
        title="Alerts"
        under="Rules monitor devices and rollouts, and recipients get their alerts"
        actions={
          <SegmentedControl
            aria-label="Alert filter"
            data={[
              { value: "open", label: "Open" },
              { value: "past", label: "All" },
            ]}
            value={past ? "past" : "open"}
            onChange={(chosen) => void navigate({ search: { past: chosen === "past" || undefined }, replace: true })}
          />
        }
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Panel flush title={past ? "All alerts" : "Open alerts"}>
            <Alerts open={!past} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="md">
            <ForRole role="viewer" reach="all">
              <RulesPanel />
              <RecipientsPanel />
              <SnoozesPanel />
              <NoticesPanel />
            </ForRole>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Alerts({ open }: { open: boolean }) {
  const { data, error, refetch } = useQuery(alertsQuery(open));
  const client = useQueryClient();
  const mayAct = useMay("operator");
  const acknowledging = useMutation({
    mutationFn: acknowledge,
    onSettled: () => client.invalidateQueries({ queryKey: ["alerts"] }),
  });
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={5} height={34} />;
  if (!data.items.length) {
    return (
      <Empty icon={IconBellCheck} title={open ? "No open alerts" : "No alerts yet"}>
        An alert opens when a rule matches, and closes automatically when the condition ends.
      </Empty>
    );
  }
  return (
    <>
      <ErrorText error={acknowledging.error} />
      <DataTable name="Alerts" headings={["Severity", "Subject", "Alert", "Started", ""]} width={640}>
        {data.items.map((alert) => (
          <Line
            key={alert.id}
            alert={alert}
            mayAct={mayAct}
            busy={acknowledging.isPending && acknowledging.variables === alert.id}
            onAcknowledge={() => acknowledging.mutate(alert.id)}
          />
        ))}
      </DataTable>
    </>
  );
}

function Line({
  alert,
  mayAct,
  busy,
  onAcknowledge,
}: {
  alert: Alert;
  mayAct: boolean;
  busy: boolean;
  onAcknowledge: () => void;
}) {
  const { tone, text } = SEVERITY[alert.severity];
  return (
    <Table.Tr>
      <Table.Td>
        <Tag
          tone={alert.ended_at === null ? tone : "off"}
          text={text}
          live={alert.ended_at === null && alert.severity === "critical"}
        />
      </Table.Td>
      <Table.Td>
        <Subject alert={alert} />
      </Table.Td>
      <Table.Td>
        {alert.text}
        <Text fz="xs" c="dimmed">
          {alert.rule_name}
        </Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <Ago at={alert.began_at} />
        {alert.ended_at !== null && (
          <Text fz="xs" c="dimmed">
            For {span(alert.ended_at - alert.began_at)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {alert.acknowledged_at !== null ? (
          <Text fz="xs" c="dimmed">
            Acknowledged by {alert.acknowledged_by}
          </Text>
        ) : (
          mayAct && (
            <Button
              size="compact-xs"
              variant="default"
              loading={busy}
              onClick={onAcknowledge}
              aria-label={`Acknowledge ${alert.subject}`}
            >
              Acknowledge
            </Button>
          )
        )}
      </Table.Td>
    </Table.Tr>
  );
}
