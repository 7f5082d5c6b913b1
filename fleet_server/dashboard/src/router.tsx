import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from "@tanstack/react-router";
import { Door } from "./account/Door";
import { askAhead } from "./api/memory";
import { ATTEMPT_STATES, DEVICE_SORTS, type AttemptState, type DeviceFact, type DeviceSort } from "./api/types";
import { numberIn, oneOf, parseSearch, stringifySearch, textIn, textsIn, type RawSearch } from "./search";
import { Crash, NotFound } from "./shell/Lost";
import { part } from "./shell/part";
import { Loading } from "./parts/Plain";
import { FACTS } from "./words/devices";

export interface FleetSearch {
  search?: string;
  status?: DeviceFact;
  package?: string;
  version?: string;
  slot?: string;
  group?: string;
  view?: "map";
  label?: string[];
  sort?: DeviceSort;
  page?: number;
  size?: number;
}

export const DEVICE_TABS = ["live", "pipelines", "updates", "events", "about"] as const;
export const RANGES = ["5m", "30m", "6h", "24h"] as const;
export const ROLLOUT_FILTERS = ["running", "paused", "draft", "completed", "aborted", "rolled_back"] as const;

export interface DeviceSearch {
  tab?: (typeof DEVICE_TABS)[number];
  range?: (typeof RANGES)[number];
  pipeline?: string;
}

export interface ModelSearch {
  against?: string;
}

export interface PipelineSearch {
  version?: string;
  against?: string;
}

export interface RolloutsSearch {
  state?: (typeof ROLLOUT_FILTERS)[number];
  page?: number;
}

export interface WizardSearch {
  package?: string;
  version?: string;
  group?: string;
  slot?: string;
}

export interface RolloutSearch {
  wave?: number;
  state?: AttemptState;
  device?: string;
  page?: number;
}

export interface EventsSearch {
  view?: "pictures";
  device?: string;
  kind?: string;
  label?: string;
}

const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(load: () => Promise<Module>, name: Name) => lazyRouteComponent<Module, Name>(part(load), name);

const rootRoute = createRootRoute({ component: Door, notFoundComponent: NotFound, errorComponent: Crash });

const fleetSearch = (raw: RawSearch): FleetSearch => ({
  search: textIn(raw.search),
  status: oneOf(raw.status, FACTS),
  package: textIn(raw.package),
  version: textIn(raw.version),
  slot: textIn(raw.slot),
  group: textIn(raw.group),
  view: oneOf(raw.view, ["map"]),
  label: textsIn(raw.label),
  sort: oneOf(raw.sort, DEVICE_SORTS),
  page: numberIn(raw.page),
  size: numberIn(raw.size),
});

/** What a list of devices is asked for with. */
export const filterOf = ({ view: _, ...narrowing }: FleetSearch) => ({ ...narrowing, page: narrowing.page ?? 1, size: narrowing.size ?? 25, sort: narrowing.sort ?? "id" });

export const fleetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: fleetSearch,
  loader: ({ location }) => void askAhead(filterOf(fleetSearch(location.search))),
  component: lazyPage(() => import("./overview/FleetPage"), "FleetPage"),
});

export const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/devices/$id",
  validateSearch: (raw: RawSearch): DeviceSearch => ({
    tab: oneOf(raw.tab, DEVICE_TABS),
    range: oneOf(raw.range, RANGES),
    pipeline: textIn(raw.pipeline),
  }),
  component: lazyPage(() => import("./device/DevicePage"), "DevicePage"),
});

export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models",
  component: lazyPage(() => import("./models/ModelsPage"), "ModelsPage"),
});

export const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models/$name/$version",
  validateSearch: (raw: RawSearch): ModelSearch => ({ against: textIn(raw.against) }),
  component: lazyPage(() => import("./models/ModelPage"), "ModelPage"),
});

export const pipelinesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/pipelines",
  component: lazyPage(() => import("./pipelines/PipelinesPage"), "PipelinesPage"),
});

export const pipelineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/pipelines/$name",
  validateSearch: (raw: RawSearch): PipelineSearch => ({ version: textIn(raw.version), against: textIn(raw.against) }),
  component: lazyPage(() => import("./pipelines/PipelinePage"), "PipelinePage"),
});

export const rolloutsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/rollouts",
  validateSearch: (raw: RawSearch): RolloutsSearch => ({
    state: oneOf(raw.state, ROLLOUT_FILTERS),
    page: numberIn(raw.page),
  }),
  component: lazyPage(() => import("./rollouts/RolloutsPage"), "RolloutsPage"),
});

export const wizardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/rollouts/new",
  validateSearch: (raw: RawSearch): WizardSearch => ({
    package: textIn(raw.package),
    version: textIn(raw.version),
    group: textIn(raw.group),
    slot: textIn(raw.slot),
  }),
  component: lazyPage(() => import("./wizard/WizardPage"), "WizardPage"),
});

export const rolloutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/rollouts/$id",
  params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  validateSearch: (raw: RawSearch): RolloutSearch => ({
    wave: numberIn(raw.wave, 0),
    state: oneOf(raw.state, ATTEMPT_STATES),
    device: textIn(raw.device),
    page: numberIn(raw.page),
  }),
  component: lazyPage(() => import("./rollouts/RolloutPage"), "RolloutPage"),
});

export const experimentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/experiments",
  component: lazyPage(() => import("./experiments/ExperimentsPage"), "ExperimentsPage"),
});

export const newExperimentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/experiments/new",
  component: lazyPage(() => import("./experiments/NewExperimentPage"), "NewExperimentPage"),
});

export const experimentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/experiments/$id",
  params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  component: lazyPage(() => import("./experiments/ExperimentPage"), "ExperimentPage"),
});

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/events",
  validateSearch: (raw: RawSearch): EventsSearch => ({ device: textIn(raw.device), kind: textIn(raw.kind), label: textIn(raw.label), view: oneOf(raw.view, ["pictures"]) }),
  component: lazyPage(() => import("./events/EventsPage"), "EventsPage"),
});

export interface AlertsSearch {
  past?: true;
}

export const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts",
  validateSearch: (raw: RawSearch): AlertsSearch => ({ past: raw.past === true || raw.past === "true" || undefined }),
  component: lazyPage(() => import("./alerts/AlertsPage"), "AlertsPage"),
});

export interface AuditSearch {
  actor?: string;
  action?: string;
}

export const setUpRoute = createRoute({ getParentRoute: () => rootRoute, path: "/setup", component: () => <Navigate to="/" /> });
export const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/people",
  component: lazyPage(() => import("./admin/PeoplePage"), "PeoplePage"),
});
export const tokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tokens",
  component: lazyPage(() => import("./admin/TokensPage"), "TokensPage"),
});
export const enrolmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/enrolment",
  component: lazyPage(() => import("./admin/EnrolmentPage"), "EnrolmentPage"),
});
export const groupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/groups",
  component: lazyPage(() => import("./groups/GroupsPage"), "GroupsPage"),
});
export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: lazyPage(() => import("./admin/SettingsPage"), "SettingsPage"),
});
export const certificatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/certificates",
  component: lazyPage(() => import("./admin/CertificatesPage"), "CertificatesPage"),
});
export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: (raw: RawSearch): AuditSearch => ({ actor: textIn(raw.actor), action: textIn(raw.action) }),
  component: lazyPage(() => import("./admin/AuditPage"), "AuditPage"),
});

const routeTree = rootRoute.addChildren([
  fleetRoute,
  deviceRoute,
  modelsRoute,
  modelRoute,
  pipelinesRoute,
  pipelineRoute,
  rolloutsRoute,
  wizardRoute,
  rolloutRoute,
  experimentsRoute,
  newExperimentRoute,
  experimentRoute,
  eventsRoute,
  alertsRoute,
  setUpRoute,
  peopleRoute,
  tokensRoute,
  enrolmentRoute,
  groupsRoute,
  settingsRoute,
  certificatesRoute,
  auditRoute,
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: () => <Loading rows={6} />,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Crash,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
