import { Text, Title } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { Logo } from "~/shell/Logo";
import { SchemeSwitch } from "~/shell/SchemeSwitch";
import classes from "./Gatehouse.module.css";

/** What stands around the way in. */
export function Gatehouse({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · edgefleet`;
  }, [title]);
  return (
    <main className={classes.ground}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo />
          edgefleet
          <span style={{ marginLeft: "auto" }}>
            <SchemeSwitch />
          </span>
        </div>
        <Title order={1} fz="xl" mb="md">
          {title}
        </Title>
        {children}
      </div>
    </main>
  );
}

/** The server's refusal, in its own words. */
export function Refusal({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <Text c="var(--bad)" fz="sm" role="alert">
      {error.message}
    </Text>
  );
}
