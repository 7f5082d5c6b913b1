import { checkPipeline, pipelineQuery, pipelinesQuery, type PipelineDocument, type StoredPipeline } from "~/api/pipelines";
import { deviceQuery } from "~/api/queries";
import type { DeviceDetail } from "~/api/types";
import { pipelineOf } from "~/format/devices";
import type { QueryClient } from "@tanstack/react-query";
import { plainOf, specOf, type Spec } from "./spec";

export const slotOf = (name: string): string => `pipeline-${name}`;

/** Initial state of the editor. `base`: the fleet's document, if there is one. `runs`: the document that the device runs, as text. */
export interface Start {
  edited: Spec;
  base: PipelineDocument | null;
  runs: string;
}

/** Version of the fleet's document that the device runs; empty if it runs a local file. */
export const versionOn = (device: DeviceDetail, name: string): string =>
  device.slots.find(({ slot }) => slot === slotOf(name))?.running?.version ?? "";

/** The fleet's latest document if the device runs one of its versions, else the device's local file, else a new pipeline. */
export async function startOf(client: QueryClient, id: string, name: string, stored: readonly StoredPipeline[]): Promise<Start> {
  const device = await client.fetchQuery({ ...deviceQuery(id), staleTime: 0 });
  const base = await known(client, name);
  const version = versionOn(device, name);
  const own = stored.find((each) => each.name === name && !each.version);
  const running = version ? await client.fetchQuery(pipelineQuery(name, version)) : null;
  const now = running ? await effective(running.text, device.id) : own ? await ownSpec(own.text, name) : null;
  const edited = version && base ? await effective(base.text, device.id) : now;
  return {
    edited: edited ?? now ?? fresh(device, name, stored),
    base,
    runs: now ? (await checkPipeline({ spec: plainOf(now) })).text : "",
  };
}

async function known(client: QueryClient, name: string): Promise<PipelineDocument | null> {
  const { items } = await client.fetchQuery({ ...pipelinesQuery, staleTime: 0 });
  const row = items.find(({ slot }) => slot === slotOf(name));
  return row ? client.fetchQuery(pipelineQuery(name, row.latest)) : null;
}

async function effective(text: string, device: string): Promise<Spec | null> {
  const found = (await checkPipeline({ text }, device)).effective;
  return found ? specOf(found) : null;
}

/** A local file of the device, with its source left on the device. Its masks are applied by the device in any case. */
async function ownSpec(text: string, name: string): Promise<Spec | null> {
  const { spec } = await checkPipeline({ text });
  if (!spec) return null;
  const { masks: _, ...plain } = specOf(spec);
  return { ...plain, name, source: { kind: "device", ...(plain.source.fps ? { fps: plain.source.fps } : {}) } };
}

function fresh(device: DeviceDetail, name: string, stored: readonly StoredPipeline[]): Spec {
  const source = stored.find((each) => !each.version)?.name;
  const model = device.slots.find(({ slot, running }) => running && !pipelineOf(slot))?.slot ?? "detector";
  return {
    name,
    source: { kind: "device", ...(source && source !== name ? { uri: source } : {}) },
    stages: [
      { name: "find", kind: "detect", model: `slot:${model}`, min_score: 0.5 },
      { name: "follow", kind: "track", from: "find" },
    ],
  };
}
