import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { settingsQuery, type Setting } from "~/api/server";
import { Ago } from "~/components/Ago";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { useForm } from "~/drafts/FormDialog";
import { SettingDialogs } from "./SettingDialog";
import { formatValue } from "./settings";
import classes from "./SettingsPage.module.css";

/** Settings of the server. */
export function SettingsPage() {
  return (
    <OnlyFor role="admin" what="view settings" title="Settings">
      <Settings />
    </OnlyFor>
  );
}

function Settings() {
  const { data, error, refetch } = useQuery(settingsQuery);
  const { open } = useForm();
  return (
    <>
      <PageHead
        title="Settings"
        under="Changes apply immediately to all server processes and are recorded in the audit log. Values set on the command line or in the unit file cannot be changed here"
      />
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={8} />
      ) : (
        <div className={classes.columns}>
          {data.groups.map((group) => (
            <div key={group.name} className={classes.group}>
              <Panel title={group.title} flush>
                <dl className={classes.list}>
                  {group.items.map((setting) => (
                    <Line key={setting.name} setting={setting} onChange={() => open(setting.name)} />
                  ))}
                </dl>
              </Panel>
            </div>
          ))}
        </div>
      )}
      {data && <SettingDialogs settings={data.groups.flatMap(({ items }) => items)} />}
    </>
  );
}

function Line({ setting, onChange }: { setting: Setting; onChange: () => void }) {
  return (
    <div className={classes.row}>
      <dt>
        {setting.title}
        <Text fz="xs" c="dimmed">
          <Origin setting={setting} />
        </Text>
      </dt>
      <dd>
        <span style={typeof setting.value === "number" ? { whiteSpace: "nowrap" } : undefined}>
          {formatValue(setting, setting.value)}
        </span>
        {setting.edit && !setting.edit.pinned && (
          <Button size="compact-xs" variant="default" onClick={onChange} aria-label={`Change ${setting.title}`}>
            Change
          </Button>
        )}
      </dd>
    </div>
  );
}

/** Origin of a value: fixed at startup, changed here, or default. */
function Origin({ setting: { edit, change } }: { setting: Setting }) {
  const flags = change.startsWith("--") ? <span className="mono">{change}</span> : change;
  if (edit?.pinned) return <>Set at startup by {flags}</>;
  if (edit?.changed_at != null) {
    return (
      <>
        Changed <Ago at={edit.changed_at} />
        {edit.changed_by && ` by ${edit.changed_by}`}
      </>
    );
  }
  if (edit) return "Default";
  return change ? flags : "Built-in";
}
