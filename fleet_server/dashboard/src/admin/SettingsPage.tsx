import { Text } from "@mantine/core";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "~/account/role";
import { settingsQuery, type Setting } from "~/api/server";
import { PageHead } from "~/parts/PageHead";
import { Panel } from "~/parts/Panel";
import { Empty, Fault, Loading } from "~/parts/Plain";
import { bytes, count } from "~/words/numbers";
import { span } from "~/words/time";
import classes from "./SettingsPage.module.css";

/** What the server runs with, and what changes it. */
export function SettingsPage() {
  const may = useMay("admin");
  const { data, error, refetch } = useQuery({ ...settingsQuery, enabled: may });
  if (!may) {
    return (
      <>
        <PageHead title="Settings" />
        <Empty icon={IconLock} title="Only administrators see settings">
          An administrator can give you that role.
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Settings" under="What this server runs with. It is set where the server is started, so that a copied command line or unit file is the whole truth; a change counts from the next start" />
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
                    <div key={setting.name} className={classes.row}>
                      <dt>
                        {setting.title}
                        <Text fz="xs" c="dimmed">
                          {setting.change === "" ? "part of the product" : setting.change.startsWith("--") ? <span className="mono">{setting.change}</span> : setting.change}
                        </Text>
                      </dt>
                      <dd>{valueOf(setting)}</dd>
                    </div>
                  ))}
                </dl>
              </Panel>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

const UNITS: Record<Setting["unit"], (value: number) => string> = {
  "": count,
  s: span,
  bytes,
  bytes_per_s: (value) => `${count((value * 8) / 1e6)} Mbit/s`,
  per_minute: (value) => `${count(value)} a minute`,
  rows: count,
  days: (value) => `${count(value)} d`,
  percent: (value) => `${value} %`,
  frames: (value) => `${count(value)} frames`,
};

function valueOf({ value, unit }: Setting): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? UNITS[unit](value) : value;
}
