import { ActionIcon, Button, Group, Menu, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  addRecipient,
  changeRecipient,
  recipientsQuery,
  removeRecipient,
  testRecipient,
  type Recipient,
  type RecipientRequest,
} from "~/api/recipients";
import { Panel } from "~/components/Panel";
import { useMay } from "~/components/role";
import { ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { FormDialog, useForm } from "~/drafts/FormDialog";
import classes from "./RulesPanel.module.css";
import { RecipientForm } from "./RecipientForm";
import { pushFault, subscribeBrowser } from "./push";
import { describeRecipient } from "./recipients";

/** Recipients of alerts, each with a test; this browser can become one. */
export function RecipientsPanel() {
  const { data, error, refetch } = useQuery(recipientsQuery);
  const { open } = useForm();
  const mayChange = useMay("admin");
  const client = useQueryClient();
  const subscribe = useMutation({
    mutationFn: async () => addRecipient(await subscribeBrowser()),
    onSettled: () => client.invalidateQueries({ queryKey: ["alert-recipients"] }),
  });
  const fault = pushFault();
  return (
    <Panel
      title="Recipients"
      side={
        mayChange && (
          <Group gap={6} wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              loading={subscribe.isPending}
              disabled={Boolean(fault)}
              title={fault || "Show alerts as notifications of this browser"}
              onClick={() => subscribe.mutate()}
            >
              This browser
            </Button>
            <Button size="compact-sm" onClick={() => open("recipient")}>
              New recipient
            </Button>
          </Group>
        )
      }
    >
      <ErrorText error={subscribe.error} />
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={3} />
      ) : data.items.length ? (
        <Recipients recipients={data.items} mayChange={mayChange} />
      ) : (
        <Text fz="sm" c="dimmed">
          No recipients yet. They get the alerts of all rules, or those of some groups and severities.
        </Text>
      )}
      {mayChange && (
        <FormDialog name="recipient" title="New recipient">
          {(close) => <RecipientForm onDone={close} />}
        </FormDialog>
      )}
    </Panel>
  );
}

function requestOf(one: Recipient): RecipientRequest {
  const { name, kind, url, secret, emails, topic, key, groups, severities, enabled } = one;
  return { name, kind, url, secret, emails, topic, key, groups, severities, enabled };
}

/** Recipients of every kind, each with a test. */
export function Recipients({ recipients, mayChange }: { recipients: readonly Recipient[]; mayChange: boolean }) {
  const client = useQueryClient();
  const mayTest = useMay("operator", "all");
  const onSettled = () => client.invalidateQueries({ queryKey: ["alert-recipients"] });
  const remove = useMutation({ mutationFn: removeRecipient, onSettled });
  const turn = useMutation({
    mutationFn: (one: Recipient) => changeRecipient(one.id, { ...requestOf(one), enabled: !one.enabled }),
    onSettled,
  });
  const test = useMutation({
    mutationFn: (one: Recipient) => testRecipient(one.id),
    onSuccess: ({ delivered, error }, { name }) =>
      notifications.show({
        message: delivered ? `${name}: test delivered` : `${name}: ${error}`,
        color: delivered ? "teal" : "red",
        autoClose: delivered ? 6_000 : false,
      }),
  });
  return (
    <Stack gap={0}>
      <ErrorText error={remove.error ?? turn.error ?? test.error} />
      {recipients.map((one) => (
        <div key={one.id} className={classes.rule}>
          <div style={{ overflowWrap: "anywhere" }}>
            <b>{one.name}</b>
            <Text fz="xs" c="dimmed">
              {describeRecipient(one)}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            {!one.enabled && <Tag tone="off" text="Off" />}
            {mayTest && (
              <Button
                size="compact-xs"
                variant="default"
                loading={test.isPending && test.variables.id === one.id}
                onClick={() => test.mutate(one)}
                aria-label={`Test ${one.name}`}
              >
                Test
              </Button>
            )}
            {mayChange && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${one.name}`}>
                    <IconDots size={18} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => turn.mutate(one)}>{one.enabled ? "Turn off" : "Turn on"}</Menu.Item>
                  <Menu.Item c="var(--bad)" onClick={() => remove.mutate(one.id)}>
                    Delete recipient
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </Group>
        </div>
      ))}
    </Stack>
  );
}
