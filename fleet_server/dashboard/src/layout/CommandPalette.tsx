import { Kbd, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconCube from "@tabler/icons-react/dist/esm/icons/IconCube.mjs";
import IconDevices from "@tabler/icons-react/dist/esm/icons/IconDevices.mjs";
import IconFilter from "@tabler/icons-react/dist/esm/icons/IconFilter.mjs";
import IconKey from "@tabler/icons-react/dist/esm/icons/IconKey.mjs";
import IconMap2 from "@tabler/icons-react/dist/esm/icons/IconMap2.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconRocket from "@tabler/icons-react/dist/esm/icons/IconRocket.mjs";
import IconSearch from "@tabler/icons-react/dist/esm/icons/IconSearch.mjs";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type KeyboardEvent } from "react";
import { useMay } from "~/components/role";
import { groupsQuery } from "~/api/fleet";
import { devicesQuery, modelsQuery, rolloutsQuery } from "~/api/queries";
import { DEVICE_FACT, DEVICE_STATUS, STRIP } from "~/format/devices";
import { ROLLOUT_STATE } from "~/format/rollouts";
import classes from "./AppLayout.module.css";
import { ADMIN_PAGES, FLEET_PAGES, PAGES } from "./navigation";
import { OTHER_ZONE, switchZone } from "./ZoneSwitch";

export function PaletteButton() {
  return (
    <UnstyledButton className={classes.find} onClick={spotlight.open}>
      <IconSearch size={16} stroke={1.8} aria-hidden />
      <span style={{ flex: 1 }}>Search devices, models, rollouts…</span>
      <Kbd size="xs">Ctrl K</Kbd>
    </UnstyledButton>
  );
}

const icon = (Sign: typeof IconCube) => <Sign size={18} stroke={1.6} aria-hidden />;

/** Enter opens the first result if none is selected. */
function openFirst(event: KeyboardEvent): void {
  if (event.key !== "Enter" || document.querySelector("[data-action][data-selected]")) return;
  document.querySelector<HTMLElement>("[data-action]")?.click();
}

/** Search for devices, pages, rollouts and models: Ctrl+K or `/`. */
export function CommandPalette() {
  const navigate = useNavigate();
  const may = useMay("operator");
  const [text, setText] = useState("");
  const [opened, setOpened] = useState(false);
  const [searched] = useDebouncedValue(text.trim(), 150);
  const { data: devices } = useQuery({ ...devicesQuery({ search: searched, size: 6 }), enabled: opened && searched.length > 0 });
  const { data: models } = useQuery({ ...modelsQuery, enabled: opened });
  const { data: rollouts } = useQuery({ ...rolloutsQuery({ size: 20 }), enabled: opened });
  const typed = text.trim(); // pages, models and rollouts are filtered here; only devices are searched on the server
  const has = (...words: string[]) => words.join(" ").toLowerCase().includes(typed.toLowerCase());
  const { data: known } = useQuery({ ...groupsQuery, enabled: opened });
  const isAdmin = useMay("admin");
  const ofFleet = useMay("viewer", "all");
  const open = PAGES.filter(({ to }) => ofFleet || !FLEET_PAGES.includes(to));
  const pages = [...open, ...(isAdmin ? ADMIN_PAGES : []), { to: "/tokens" as const, text: "API tokens", icon: IconKey }];
  const groups: SpotlightActionGroupData[] = [
    {
      group: "Devices",
      actions: (searched ? (devices?.items ?? []) : []).map((row) => ({
        id: `device-${row.id}`,
        label: row.id,
        description: `${DEVICE_STATUS[row.status].text} · ${row.profile}`,
        leftSection: icon(IconDevices),
        onClick: () => void navigate({ to: "/devices/$id", params: { id: row.id } }),
      })),
    },
    {
      group: "Pages",
      actions: [
        ...pages
          .filter(({ text: name }) => has(name))
          .map(({ to, text: name, icon: Sign }) => ({
            id: `page-${to}`,
            label: name,
            leftSection: icon(Sign),
            onClick: () => void navigate({ to }),
          })),
        ...(has("Fleet map", "sites")
          ? [
              {
                id: "map",
                label: "Fleet map",
                leftSection: icon(IconMap2),
                onClick: () => void navigate({ to: "/", search: { view: "map" } }),
              },
            ]
          : []),
        ...(typed && has(OTHER_ZONE, "time zone")
          ? [{ id: "zone", label: OTHER_ZONE, leftSection: icon(IconClock), onClick: switchZone }]
          : []),
        ...STRIP.filter((fact) => typed && has(DEVICE_FACT[fact].text, "devices")).map((fact) => ({
          id: `fact-${fact}`,
          label: `Devices: ${DEVICE_FACT[fact].text.toLowerCase()}`,
          leftSection: icon(IconFilter),
          onClick: () => void navigate({ to: "/", search: { status: fact } }),
        })),
        ...(known?.items ?? [])
          .filter(({ name, note }) => typed && has(name, note))
          .slice(0, 5)
          .map(({ name, count }) => ({
            id: `group-${name}`,
            label: `Group ${name}`,
            description: `${count} devices`,
            leftSection: icon(IconFilter),
            onClick: () => void navigate({ to: "/", search: { group: name } }),
          })),
      ],
    },
    {
      group: "Rollouts",
      actions: [
        ...(may && has("new rollout", "start")
          ? [
              {
                id: "new",
                label: "New rollout",
                leftSection: icon(IconPlus),
                onClick: () => void navigate({ to: "/rollouts/new" }),
              },
            ]
          : []),
        ...(rollouts?.items ?? [])
          .filter((row) => has(row.name, row.package, row.version))
          .slice(0, 5)
          .map((row) => ({
            id: `rollout-${row.id}`,
            label: row.name,
            description: `${ROLLOUT_STATE[row.state].text} · ${row.package} ${row.version}`,
            leftSection: icon(IconRocket),
            onClick: () => void navigate({ to: "/rollouts/$id", params: { id: row.id } }),
          })),
      ],
    },
    {
      group: "Models",
      actions: (models?.items ?? [])
        .filter((row) => has(row.name, row.title))
        .slice(0, 5)
        .map((row) => ({
          id: `model-${row.name}`,
          label: row.title || row.name,
          description: `${row.name} ${row.latest}`,
          leftSection: icon(IconCube),
          onClick: () => void navigate({ to: "/models/$name/$version", params: { name: row.name, version: row.latest } }),
        })),
    },
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      query={text}
      onQueryChange={setText}
      onSpotlightOpen={() => setOpened(true)}
      shortcut={["mod + K", "/"]}
      filter={(_, actions) => actions}
      nothingFound="No results"
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: "Search devices, models, rollouts…",
        "aria-label": "Search",
        onKeyDown: openFirst,
      }}
    />
  );
}
