import { Title } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import { Logo } from "~/layout/Logo";
import { SchemeSwitch } from "~/layout/SchemeSwitch";
import classes from "./AuthLayout.module.css";

/** Frame of the sign-in and set-up pages. */
export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
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
