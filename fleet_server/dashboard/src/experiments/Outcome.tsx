import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { experimentPreviewQuery } from "~/api/queries";
import type { ExperimentPreview, RolloutTemplate } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Facts, Loading } from "~/components/States";
import { count, many } from "~/format/numbers";
import { missing, requestOf, type Draft } from "./draft";

const AFTER_MS = 300;
const NAMED_MAX = 8;

/** The server's preview of an experiment while it is edited. */
export function useOutcome(draft: Draft, template: RolloutTemplate | undefined) {
  const [later] = useDebouncedValue(draft, AFTER_MS);
  const lacking = [0, 1, 2].map((step) => missing(draft, step)).find(Boolean) ?? "";
  const ready = [0, 1, 2].every((step) => missing(later, step) === "");
  return { lacking, ...useQuery(experimentPreviewQuery(requestOf(later, template), ready)) };
}

export function Outcome({ draft, template }: { draft: Draft; template: RolloutTemplate | undefined }) {
  const { lacking, data, error } = useOutcome(draft, template);
  return (
    <Panel title="Preview">
      {lacking ? (
        <Text fz="sm" c="dimmed">
          {lacking}
        </Text>
      ) : error ? (
        <Text fz="sm" c="var(--bad)" role="alert">
          {error.message}
        </Text>
      ) : data ? (
        <Arms preview={data} />
      ) : (
        <Loading rows={3} />
      )}
    </Panel>
  );
}

function Arms({ preview: { arms, elsewhere, left_out: leftOut, needs_second_person: second } }: { preview: ExperimentPreview }) {
  const few = arms.some(({ devices }) => devices < 2);
  return (
    <>
      <Facts
        rows={[
          ...arms.map(
            ({ name, devices, to_update: update }) =>
              [`Arm ${name}`, `${many(devices, "device")}, ${update ? `${count(update)} to update` : "all up to date"}`] as const,
          ),
          ...(elsewhere ? ([["Not in any arm", `${many(elsewhere, "device")} without a matching label value`]] as const) : []),
          ...(leftOut.length ? ([["Incompatible", many(leftOut.length, "device")]] as const) : []),
        ]}
      />
      {few && (
        <Text fz="sm" c="var(--warn)" mt="sm">
          Each arm needs at least two devices for a result; few devices give wide intervals.
        </Text>
      )}
      {second && (
        <Text fz="sm" c="var(--warn)" mt="sm">
          A second person must approve the rollouts before they start.
        </Text>
      )}
      {leftOut.slice(0, NAMED_MAX).map(({ device, reason }) => (
        <Text key={device} fz="xs" c="dimmed" mt={6}>
          <span className="mono">{device}</span>: {reason}
        </Text>
      ))}
      {leftOut.length > NAMED_MAX && (
        <Text fz="xs" c="dimmed" mt={6}>
          and {count(leftOut.length - NAMED_MAX)} more
        </Text>
      )}
    </>
  );
}
