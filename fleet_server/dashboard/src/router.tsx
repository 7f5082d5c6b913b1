import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from "@tanstack/react-router";
import { auditSearch } from "./admin/search";
import { alertsSearch } from "./alerts/search";
import { prefetchFleet } from "./api/prefetch";
import { AuthGate } from "./auth/AuthGate";
import { Loading } from "./components/States";
import { deviceSearch } from "./device/search";
import { eventsSearch } from "./events/search";
import { newExperimentSearch } from "./experiments/search";
import { filterOf, fleetSearch } from "./fleet/search";
import { Crash, NotFound } from "./layout/NotFound";
import { part } from "./layout/part";
import { componentsSearch } from "./installed/search";
import { compareSearch } from "./history/search";
import { modelSearch } from "./models/search";
import { pipelineSearch } from "./pipelines/search";
import { proposalsSearch } from "./proposals/search";
import { rolloutSearch, rolloutsSearch } from "./rollouts/search";
import { parseSearch, stringifySearch, textIn, type RawSearch } from "./search";
import { wallSearch } from "./video/search";
import { wizardSearch } from "./wizard/search";

const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  lazyRouteComponent<Module, Name>(part(load), name);

/** `form`: the dialog with a form that is open on the page. */
const rootRoute = createRootRoute({
  validateSearch: ({ form }: RawSearch): { form?: string } => ({ form: textIn(form) }),
  component: AuthGate,
  notFoundComponent: NotFound,
  errorComponent: Crash,
});

const fleetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: fleetSearch,
  loader: ({ location }) => void prefetchFleet(filterOf(fleetSearch(location.search))),
  component: lazyPage(() => import("./fleet/FleetPage"), "FleetPage"),
});

const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/devices/$id",
  validateSearch: deviceSearch,
  component: lazyPage(() => import("./device/DevicePage"), "DevicePage"),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/compare",
  validateSearch: compareSearch,
  component: lazyPage(() => import("./history/ComparePage"), "ComparePage"),
});

const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models",
  component: lazyPage(() => import("./models/ModelsPage"), "ModelsPage"),
});

const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/models/$name/$version",
  validateSearch: modelSearch,
  component: lazyPage(() => import("./models/ModelPage"), "ModelPage"),
});

const componentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/components",
  validateSearch: componentsSearch,
  component: lazyPage(() => import("./installed/ComponentsPage"), "ComponentsPage"),
});

const pipelinesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/pipelines",
  component: lazyPage(() => import("./pipelines/PipelinesPage"), "PipelinesPage"),
});

const pipelineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/pipelines/$name",
  validateSearch: pipelineSearch,
  component: lazyPage(() => import("./pipelines/PipelinePage"), "PipelinePage"),
});

const rolloutsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/rollouts",
  validateSearch: rolloutsSearch,
  component: lazyPage(() => import("./rollouts/RolloutsPage"), "RolloutsPage"),
});

const wizardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/rollouts/new",
  validateSearch: wizardSearch,
  component: lazyPage(() => import("./wizard/WizardPage"), "WizardPage"),
});

const rolloutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/rollouts/$id",
  params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  validateSearch: rolloutSearch,
  component: lazyPage(() => import("./rollouts/RolloutPage"), "RolloutPage"),
});

const experimentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/experiments",
  component: lazyPage(() => import("./experiments/ExperimentsPage"), "ExperimentsPage"),
});

const newExperimentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/experiments/new",
  validateSearch: newExperimentSearch,
  component: lazyPage(() => import("./experiments/NewExperimentPage"), "NewExperimentPage"),
});

const experimentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/experiments/$id",
  params: { parse: ({ id }) => ({ id: Number(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  component: lazyPage(() => import("./experiments/ExperimentPage"), "ExperimentPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/events",
  validateSearch: eventsSearch,
  component: lazyPage(() => import("./events/EventsPage"), "EventsPage"),
});

const wallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/wall",
  validateSearch: wallSearch,
  component: lazyPage(() => import("./video/WallPage"), "WallPage"),
});

const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts",
  validateSearch: alertsSearch,
  component: lazyPage(() => import("./alerts/AlertsPage"), "AlertsPage"),
});

const proposalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/proposals",
  validateSearch: proposalsSearch,
  component: lazyPage(() => import("./proposals/ProposalsPage"), "ProposalsPage"),
});

const setUpRoute = createRoute({ getParentRoute: () => rootRoute, path: "/setup", component: () => <Navigate to="/" /> });
const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/people",
  component: lazyPage(() => import("./admin/PeoplePage"), "PeoplePage"),
});
const tokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tokens",
  component: lazyPage(() => import("./admin/TokensPage"), "TokensPage"),
});
const enrolmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/enrolment",
  component: lazyPage(() => import("./admin/EnrolmentPage"), "EnrolmentPage"),
});
const groupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/groups",
  component: lazyPage(() => import("./groups/GroupsPage"), "GroupsPage"),
});
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: lazyPage(() => import("./admin/SettingsPage"), "SettingsPage"),
});
const certificatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/certificates",
  component: lazyPage(() => import("./admin/CertificatesPage"), "CertificatesPage"),
});
const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyPage(() => import("./admin/AuditPage"), "AuditPage"),
});

const routeTree = rootRoute.addChildren([
  fleetRoute,
  deviceRoute,
  compareRoute,
  modelsRoute,
  modelRoute,
  componentsRoute,
  pipelinesRoute,
  pipelineRoute,
  rolloutsRoute,
  wizardRoute,
  rolloutRoute,
  experimentsRoute,
  newExperimentRoute,
  experimentRoute,
  eventsRoute,
  wallRoute,
  alertsRoute,
  proposalsRoute,
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
