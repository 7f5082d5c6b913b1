import { AppShell, Burger, Group, Stack } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { AccountMenu } from "./AccountMenu";
import { useMay } from "~/components/role";
import { waitingQuery } from "~/api/proposals";
import { overviewQuery } from "~/api/queries";
import { useConnectionState, useTopics } from "~/live/LiveProvider";
import { Ago } from "~/components/Ago";
import { Dot } from "~/components/Tag";
import { count } from "~/format/numbers";
import { CommandPalette, PaletteButton } from "./CommandPalette";
import classes from "./AppLayout.module.css";
import { ConnectionBanner } from "./ConnectionBanner";
import { ConnectionTag } from "./ConnectionTag";
import { Logo } from "./Logo";
import { ADMIN_PAGES, FLEET_PAGES, PAGES } from "./navigation";
import { SchemeSwitch } from "./SchemeSwitch";
import { ViewerNote } from "./ViewerNote";
import { ZoneSwitch } from "./ZoneSwitch";

/** The live stream has no overview for roles for groups. */
const OVERVIEW_MS = 10_000;

/** The frame of every page: header, menu, state of the connection. */
export function AppLayout() {
  const [opened, { toggle, close }] = useDisclosure();
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const ofFleet = useMay("viewer", "all");
  const { data: overview } = useQuery({ ...overviewQuery, refetchInterval: ofFleet ? false : OVERVIEW_MS });
  const { data: waiting } = useQuery(waitingQuery);
  const live = useConnectionState().is;
  useTopics("overview");
  useEffect(close, [path, close]);
  const open = PAGES.filter(({ to }) => ofFleet || !FLEET_PAGES.includes(to));
  const pages = useMay("admin") ? [...PAGES, ...ADMIN_PAGES] : open;
  useHotkeys(pages.map(({ to, key }) => [`shift+${key}`, () => void navigate({ to })]));
  const badges: Record<string, { value: number; tone: string; help: string } | undefined> = {
    "/": overview && { value: overview.attention, tone: "bad", help: "devices need attention" },
    "/alerts": overview && { value: overview.alerts_open, tone: "bad", help: "open alerts" },
    "/proposals": waiting === undefined ? undefined : { value: waiting, tone: "busy", help: "proposals wait for a decision" },
    "/rollouts": overview && { value: overview.rollouts_active, tone: "busy", help: "active rollouts" },
  };
  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "sm", sm: "lg" }}
    >
      <a className="skip" href="#content">
        Skip to content
      </a>
      <AppShell.Header className={classes.header} px={{ base: "sm", sm: "lg" }}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <PaletteButton />
          </Group>
          <Group gap="sm" wrap="nowrap">
            <ConnectionTag />
            <ZoneSwitch />
            <SchemeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="sm" aria-label="Main">
        <Group justify="space-between" h={32} mb="lg" px={6}>
          <Link to="/" className={classes.brand}>
            <Logo />
            edgefleet
          </Link>
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Close menu" />
        </Group>
        <Stack gap={4} component="nav" flex={1}>
          {pages.map(({ to, text, icon: Sign, key }) => {
            const badge = badges[to];
            return (
              <Link
                key={to}
                to={to}
                className={classes.item}
                title={`${text} (Shift+${key.toUpperCase()})`}
                activeOptions={{ exact: to === "/", includeSearch: false }}
              >
                <Sign size={18} stroke={1.7} aria-hidden />
                {text}
                {badge !== undefined && badge.value > 0 && (
                  <span className={classes.badge} data-tone={badge.tone} role="img" aria-label={`${badge.value} ${badge.help}`}>
                    {count(badge.value)}
                  </span>
                )}
              </Link>
            );
          })}
        </Stack>
        {overview && (
          <div className={classes.foot}>
            <Group gap={6} wrap="nowrap">
              <Dot tone={overview.server.broker.state === "up" ? "ok" : "bad"} />
              Broker {overview.server.broker.state}
            </Group>
            <div>
              Server {overview.server.version} · <Ago at={overview.server.started_at} prefix="started " />
            </div>
          </div>
        )}
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <div className={classes.inner}>
          <ConnectionBanner />
          {[
            ...(overview?.server.storage_warnings ?? []),
            ...(overview?.server.address_warnings ?? []),
            ...(overview?.server.label_warnings ?? []),
          ].map((text) => (
            <div key={text} className={classes.banner} role="alert">
              <span>{text}</span>
            </div>
          ))}
          <div className={live === "down" ? classes.stale : undefined}>
            <ViewerNote />
            <Outlet />
          </div>
        </div>
      </AppShell.Main>
      <CommandPalette />
    </AppShell>
  );
}
