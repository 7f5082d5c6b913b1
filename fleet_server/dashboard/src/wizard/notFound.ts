import { useQuery } from "@tanstack/react-query";
import { pipelinesQuery } from "~/api/pipelines";
import { modelsQuery } from "~/api/queries";
import { pipelineOf } from "~/format/devices";
import type { Plan } from "./plan";

type Choice = Pick<Plan, "package" | "version" | "slot">;
interface Known {
  name: string;
  versions: readonly { version: string }[];
}

/** Says that the registry does not have the model or the version of a draft or a link, or no longer; empty if it has. */
export function notFoundText({ package: name, version, slot }: Choice, known: readonly Known[] | undefined): string {
  if (!known || !name) return "";
  const pipeline = pipelineOf(slot);
  const [what, sought] = pipeline ? ["Pipeline", pipeline] : ["Model", name];
  const found = known.find((each) => each.name === sought);
  if (!found) return `${what} ${sought} is not in the registry. Choose another ${what.toLowerCase()}.`;
  if (!version || found.versions.some((each) => each.version === version)) return "";
  return `Version ${version} of ${sought} is not in the registry. Choose another version.`;
}

export function useNotFound(plan: Choice): string {
  const isPipeline = pipelineOf(plan.slot) !== undefined;
  const models = useQuery({ ...modelsQuery, enabled: !isPipeline });
  const pipelines = useQuery({ ...pipelinesQuery, enabled: isPipeline });
  const { data, isFetching } = isPipeline ? pipelines : models;
  return notFoundText(plan, isFetching ? undefined : data?.items); // an older list may lack a new version
}
