import { Grid, Stack, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { experimentQuery } from "~/api/queries";
import type { Experiment } from "~/api/types";
import { Ago, useSecond } from "~/components/Ago";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { percentOf } from "~/format/numbers";
import { span } from "~/format/time";
import { FinishActions } from "./FinishActions";
import { IntervalPlot } from "./IntervalPlot";
import { FIGURE } from "./format";

const route = getRouteApi("/experiments/$id");

/** An experiment: its arms and the measured differences. */
export function ExperimentPage() {
  const { id } = route.useParams();
  const { data: experiment, error, refetch } = useQuery(experimentQuery(id));
  if (error && !experiment) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!experiment) return <Loading rows={8} />;
  const first = experiment.arms[0]?.name ?? "";
  return (
    <>
      <PageHead
        title={experiment.name}
        trail={[{ text: "Experiments", to: "/experiments" }]}
        heading={
          <Tag
            tone={experiment.state === "running" ? "busy" : "off"}
            text={experiment.state === "running" ? "Running" : "Ended"}
            live={experiment.state === "running"}
          />
        }
        under={<Under experiment={experiment} />}
        actions={<FinishActions experiment={experiment} />}
      />
      <Stack gap="md">
        <Panel
          flush
          title="Arms"
          note={experiment.split === "hash" ? "Random, by a stable hash of the device" : `By label ${experiment.label_key}`}
        >
          <Arms experiment={experiment} />
        </Panel>
        <Grid gap="md">
          {experiment.figures.map((figure) => (
            <Grid.Col key={figure.name} span={{ base: 12, lg: 6 }}>
              <Panel title={FIGURE[figure.name]?.text ?? figure.name} note={FIGURE[figure.name]?.note}>
                {figure.arms.length ? <IntervalPlot figure={figure} first={first} /> : <span>No data yet</span>}
              </Panel>
            </Grid.Col>
          ))}
        </Grid>
        <p style={{ fontSize: 13, color: "var(--mantine-color-dimmed)", margin: 0 }}>
          Each device counts once, with its mean since it committed its arm's version. The intervals on this page are simultaneous{" "}
          {percentOf(experiment.confidence_percent)} confidence intervals for a single evaluation at a time planned before the
          start. The gates of the rollouts evaluate continuously.
        </p>
      </Stack>
    </>
  );
}

function Under({ experiment }: { experiment: Experiment }) {
  return (
    <>
      <span>
        Slot <span className="mono">{experiment.slot}</span>
      </span>
      <span>
        <Ago at={experiment.created_at} prefix="Started " />
        {experiment.created_by && ` by ${experiment.created_by}`}
      </span>
      {experiment.review_after_s !== null && experiment.state === "running" && (
        <EvaluationTag at={experiment.created_at + experiment.review_after_s} />
      )}
      {experiment.chosen_rollout !== null && (
        <Link to="/rollouts/$id" params={{ id: experiment.chosen_rollout }} className="link">
          {experiment.chosen_arm} was chosen
        </Link>
      )}
      {experiment.state === "ended" && experiment.chosen_rollout === null && (
        <span>
          {experiment.chosen_arm ? `${experiment.chosen_arm} was chosen; all devices already ran it` : "Ended without a winner"}
        </span>
      )}
    </>
  );
}

/** The planned time of evaluation. */
function EvaluationTag({ at }: { at: number }) {
  const now = useSecond();
  return at > now ? <Tag tone="off" text={`Evaluate in ${span(at - now)}`} /> : <Tag tone="ok" text="Ready to evaluate" />;
}

function Arms({ experiment }: { experiment: Experiment }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing={8} horizontalSpacing="md" fz="sm" aria-label="Arms">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Arm</Table.Th>
            <Table.Th>Version</Table.Th>
            <Table.Th>Devices</Table.Th>
            <Table.Th>Updated</Table.Th>
            <Table.Th>Rollout</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {experiment.arms.map((arm) => (
            <Table.Tr key={arm.name}>
              <Table.Td>
                <b>{arm.name}</b>
                {arm.value && ` (${experiment.label_key}=${arm.value})`}
              </Table.Td>
              <Table.Td>
                <Link to="/models/$name/$version" params={{ name: arm.package, version: arm.version }} className="link">
                  {arm.package} {arm.version}
                </Link>
              </Table.Td>
              <Table.Td className="num">{arm.devices}</Table.Td>
              <Table.Td className="num">{arm.on_version}</Table.Td>
              <Table.Td>
                {arm.rollout === null ? (
                  "Already installed"
                ) : (
                  <Link to="/rollouts/$id" params={{ id: arm.rollout }} className="link">
                    Rollout {arm.rollout}, {arm.rollout_state?.replaceAll("_", " ")}
                  </Link>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
