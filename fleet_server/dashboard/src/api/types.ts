import type { components, paths } from "./schema";

type Schemas = components["schemas"];

export type Overview = Schemas["Overview"];
export type VersionShare = Schemas["VersionShare"];
export type DeviceRow = Schemas["DeviceRow"];
export type DeviceDetail = Schemas["DeviceDetail"];
export type DeviceStanding = Schemas["DeviceIdentityStatus"];
export type DevicePage = Schemas["DevicePage"];
export type DeviceStatus = DeviceRow["status"];
export type SlotRow = Schemas["SlotRow"];
export type PipelineGauges = Schemas["PipelineGauges"];
export type TelemetryPoint = Schemas["TelemetryPoint"];
export type EventRow = Schemas["EventRow"];
export type EventPage = Schemas["EventPage"];
export type CommandRow = Schemas["CommandRow"];
export type ModelRow = Schemas["ModelRow"];
export type ModelVersion = Schemas["ModelVersion"];
export type ModelDetail = Schemas["ModelDetail"];
export type Rollout = Schemas["Rollout"];
export type RolloutPage = Schemas["RolloutPage"];
export type RolloutState = Rollout["state"];
export type RolloutRequest = Schemas["RolloutRequest"];
export type PreviewRequest = Schemas["PreviewRequest"];
export type Preview = Schemas["Preview"];
export type Selector = Schemas["Selector"];
export type WaveSpec = Schemas["WaveSpec"];
export type Wave = Schemas["Wave"];
export type Outcomes = Schemas["Outcomes"];
export type GateState = Schemas["GateState"];
export type AttemptRow = Schemas["AttemptRow"];
export type AttemptPage = Schemas["AttemptPage"];
export type AttemptState = AttemptRow["state"];
export type Experiment = Schemas["Experiment"];
export type ExperimentRequest = Schemas["ExperimentRequest"];
export type ExperimentPreview = Schemas["ExperimentPreview"];
export type FigureName = NonNullable<ExperimentRequest["compared"]>[number];
export type Figure = Schemas["Figure"];
export type Estimate = Schemas["Estimate"];
export type DifferenceFrom = Schemas["DifferenceFrom"];
export type TimelineItem = Schemas["TimelineItem"];
export type ShadowReport = Schemas["ShadowReport"];
export type ShadowSummary = Schemas["ShadowSummary"];
export type SequentialTestState = Schemas["SequentialTestState"];
export type RolloutHistory = Schemas["RolloutHistory"];
export type HistoryPoint = Schemas["HistoryPoint"];
export type RolloutTemplate = Schemas["RolloutTemplate"];
export type RolloutDefaults = Schemas["RolloutDefaults"];
/** With the fields that servers of version 0.2 do not have. */
export type TemplateList = Required<Schemas["TemplateList"]>;
export type RegressionSpec = Schemas["RegressionSpec"];
export type GateSpec = Schemas["GateSpec"];
export type TermsSpec = Schemas["TermsSpec"];
export type Place = Schemas["SiteSummary"];
export type VersionCounts = Schemas["VersionCounts"];
export type FieldRow = Schemas["FieldRow"];
export type MeasurementRow = Schemas["MeasurementRow"];
export type CoverageRow = Schemas["CoverageRow"];
export type Group = Schemas["Group"];
export type BulkRequest = Schemas["BulkRequest"];
export type BulkAnswer = Schemas["BulkResponse"];

type DeviceQuery = NonNullable<paths["/api/v1/devices"]["get"]["parameters"]["query"]>;
export type DeviceFact = NonNullable<DeviceQuery["status"]>;
export type DeviceSort = NonNullable<DeviceQuery["sort"]>;
const SORT_KEYS = ["id", "last_seen_at", "fps", "latency_p95_ms", "version"] as const;
export const DEVICE_SORTS: readonly DeviceSort[] = SORT_KEYS.flatMap((key): DeviceSort[] => [key, `-${key}`]);

export const ATTEMPT_STATES: readonly AttemptState[] = [
  "queued",
  "offered",
  "accepted",
  "fetching",
  "verified",
  "staged",
  "waiting_window",
  "trial",
  "committed",
  "regressed",
  "rejected",
  "rolled_back",
  "rollback_failed",
  "timed_out",
  "superseded",
  "cancelled",
  "incompatible",
  "already_installed",
];
