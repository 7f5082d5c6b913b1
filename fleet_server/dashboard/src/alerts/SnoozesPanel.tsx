import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endSnooze, snoozesQuery } from "~/api/snoozes";
import { useSecond } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { useMay } from "~/components/role";
import { ErrorText, Fault, Loading } from "~/components/States";
import { span } from "~/format/time";
import { FormDialog, useForm } from "~/drafts/FormDialog";
import classes from "./RulesPanel.module.css";
import { SnoozeForm } from "./SnoozeForm";
import { describeSnooze } from "./snoozes";

/** Snoozes that go on, each with its reason; they end by themselves. */
export function SnoozesPanel() {
  const { data, error, refetch } = useQuery(snoozesQuery);
  const { open } = useForm();
  const mayAct = useMay("operator", "all");
  const now = useSecond();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: endSnooze,
    onSettled: () => client.invalidateQueries({ queryKey: ["alert-snoozes"] }),
  });
  const items = data?.items.filter((one) => one.until_at > now) ?? [];
  return (
    <Panel
      title="Snoozes"
      side={
        mayAct && (
          <Button size="compact-sm" variant="default" onClick={() => open("snooze")}>
            Snooze
          </Button>
        )
      }
    >
      <ErrorText error={end.error} />
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={1} />
      ) : !items.length ? (
        <Text fz="sm" c="dimmed">
          No alerts are snoozed.
        </Text>
      ) : (
        <Stack gap={0}>
          {items.map((one) => (
            <div key={one.id} className={classes.rule}>
              <div style={{ overflowWrap: "anywhere" }}>
                <b>{describeSnooze(one)}</b>
                <Text fz="xs" c="dimmed">
                  {one.reason}
                </Text>
                <Text fz="xs" c="dimmed">
                  For {span(one.until_at - now)}, by {one.created_by || "a local user"}
                </Text>
              </div>
              {mayAct && (
                <Group>
                  <Button
                    size="compact-xs"
                    variant="default"
                    loading={end.isPending && end.variables === one.id}
                    onClick={() => end.mutate(one.id)}
                    aria-label={`End snooze of ${describeSnooze(one)}`}
                  >
                    End
                  </Button>
                </Group>
              )}
            </div>
          ))}
        </Stack>
      )}
      {mayAct && (
        <FormDialog name="snooze" title="Snooze alerts">
          {(close) => <SnoozeForm onDone={close} />}
        </FormDialog>
      )}
    </Panel>
  );
}
