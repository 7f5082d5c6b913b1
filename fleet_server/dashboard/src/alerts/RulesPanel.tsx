import { ActionIcon, Button, Group, Menu, Stack, Text } from "@mantine/core";
import IconDots from "@tabler/icons-react/dist/esm/icons/IconDots.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMay } from "~/components/role";
import { alertRulesQuery, removeRule, silenceRule, type AlertRule } from "~/api/alerts";
import { useSecond } from "~/components/Ago";
import { Panel } from "~/components/Panel";
import { ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { capital } from "~/format/numbers";
import { span } from "~/format/time";
import { FormDialog, useForm } from "~/drafts/FormDialog";
import classes from "./RulesPanel.module.css";
import { RuleForm } from "./RuleForm";
import { describe } from "./format";

const SILENCES: readonly (readonly [string, number])[] = [
  ["for 1 hour", 3_600],
  ["for 1 day", 86_400],
  ["for 1 week", 604_800],
];

/** Alert rules, with actions to silence or delete them. */
export function RulesPanel() {
  const { data, error, refetch } = useQuery(alertRulesQuery);
  const { open } = useForm();
  const mayAct = useMay("operator", "all");
  return (
    <Panel
      title="Rules"
      side={
        mayAct && (
          <Button size="compact-sm" onClick={() => open("rule")}>
            New rule
          </Button>
        )
      }
    >
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={3} />
      ) : (
        <Rules rules={data.items} mayAct={mayAct} />
      )}
      {mayAct && (
        <FormDialog name="rule" title="New rule">
          {(close) => <RuleForm onDone={close} />}
        </FormDialog>
      )}
    </Panel>
  );
}

function Rules({ rules, mayAct }: { rules: readonly AlertRule[]; mayAct: boolean }) {
  const now = useSecond();
  const client = useQueryClient();
  const onSettled = () =>
    Promise.all([client.invalidateQueries({ queryKey: ["alert-rules"] }), client.invalidateQueries({ queryKey: ["alerts"] })]);
  const remove = useMutation({ mutationFn: removeRule, onSettled });
  const silence = useMutation({
    mutationFn: ({ rule, for_s }: { rule: number; for_s: number }) => silenceRule(rule, for_s),
    onSettled,
  });
  if (!rules.length) {
    return (
      <Text fz="sm" c="dimmed">
        No rules yet. A common first rule: device offline for 10 minutes.
      </Text>
    );
  }
  return (
    <Stack gap={0}>
      <ErrorText error={remove.error ?? silence.error} />
      {rules.map((rule) => (
        <div key={rule.id} className={classes.rule}>
          <div>
            <b>{rule.name}</b>
            <Text fz="xs" c="dimmed">
              {capital(describe(rule.rule))}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            {rule.silenced_until > now ? (
              <Tag tone="off" text={`Silenced for ${span(rule.silenced_until - now)}`} />
            ) : (
              rule.alerts_open > 0 && <Tag tone="bad" text={`${rule.alerts_open} open`} />
            )}
            {mayAct && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${rule.name}`}>
                    <IconDots size={18} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {rule.silenced_until > now ? (
                    <Menu.Item onClick={() => silence.mutate({ rule: rule.id, for_s: 0 })}>Unsilence</Menu.Item>
                  ) : (
                    SILENCES.map(([text, for_s]) => (
                      <Menu.Item key={for_s} onClick={() => silence.mutate({ rule: rule.id, for_s })}>
                        Silence {text}
                      </Menu.Item>
                    ))
                  )}
                  <Menu.Item c="var(--bad)" onClick={() => remove.mutate(rule.id)}>
                    Delete rule and its alerts
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
