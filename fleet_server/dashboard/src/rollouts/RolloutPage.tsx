import { Grid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { rolloutQuery } from "~/api/queries";
import type { Rollout } from "~/api/types";
import { useTopics } from "~/live/LiveProvider";
import { Ago } from "~/components/Ago";
import { PackageLink } from "~/components/PackageLink";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Fault, Loading } from "~/components/States";
import { SegmentBar } from "~/components/SegmentBar";
import { Tag } from "~/components/Tag";
import type { RolloutSearch } from "./search";
import { count, many, percent } from "~/format/numbers";
import { doneOf, isLive, phaseCounts, ROLLOUT_STATE } from "~/format/rollouts";
import { span } from "~/format/time";
import { ActionButtons } from "./ActionButtons";
import { ApprovalNote } from "./ApprovalNote";
import { AttemptTable } from "./AttemptTable";
import classes from "./RolloutPage.module.css";
import { SequentialTestPanel } from "./SequentialTestPanel";
import { ShadowPanel } from "./ShadowPanel";
import { StateNote } from "./StateNote";
import { RolloutTerms } from "./RolloutTerms";
import { TimelineScrubber } from "./TimelineScrubber";
import { TimelineList } from "./TimelineList";
import { WaveList } from "./WaveList";

const route = getRouteApi("/rollouts/$id");

export function RolloutPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTopics(`rollout:${id}`);
  const { data: rollout, error, refetch } = useQuery(rolloutQuery(id));
  if (error && !rollout) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!rollout) return <Loading rows={8} />;
  const change = (next: RolloutSearch) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), resetScroll: false, replace: true });
  return (
    <>
      <RolloutHead rollout={rollout} />
      <Stack gap="md">
        <StateNote rollout={rollout} />
        <ApprovalNote rollout={rollout} />
        <Progress rollout={rollout} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Stack gap="md">
              <Panel flush title="Waves" note="Waves run in order; each waits for the previous gate">
                <WaveList rollout={rollout} picked={search.wave} onPick={(wave) => change({ wave })} />
              </Panel>
              <ShadowPanel rollout={rollout} />
              <AttemptTable rollout={rollout} search={search} onChange={change} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack gap="md">
              <SequentialTestPanel rollout={rollout} />
              {rollout.started_at !== null && <TimelineScrubber rollout={rollout} />}
              <Panel title="Timeline">
                <TimelineList rollout={id} />
              </Panel>
              <Panel title="Configuration">
                <RolloutTerms rollout={rollout} />
              </Panel>
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}

function RolloutHead({ rollout }: { rollout: Rollout }) {
  const word = ROLLOUT_STATE[rollout.state];
  return (
    <PageHead
      title={rollout.name}
      trail={[{ text: "Rollouts", to: "/rollouts" }]}
      heading={
        <span data-testid="rollout-state">
          <Tag tone={word.tone} text={word.text} live={isLive(rollout.state)} />
        </span>
      }
      under={
        <>
          {rollout.parts.map((part) => (
            <span key={part.slot}>
              <PackageLink name={part.package} version={part.version} className="link" /> in slot{" "}
              <span className="mono">{part.slot}</span>
            </span>
          ))}
          {rollout.parts.length > 1 && <span>Atomic: all parts or none</span>}
          <span>
            {rollout.finished_at ? (
              <>
                Ended <Ago at={rollout.finished_at} /> after{" "}
                {span(rollout.finished_at - (rollout.started_at ?? rollout.created_at))}
              </>
            ) : rollout.started_at ? (
              <Ago at={rollout.started_at} prefix="Started " />
            ) : (
              <Ago at={rollout.created_at} prefix="Created " />
            )}
          </span>
        </>
      }
      actions={<ActionButtons rollout={rollout} />}
    />
  );
}

function Progress({ rollout }: { rollout: Rollout }) {
  const done = doneOf(rollout);
  return (
    <Panel>
      <div className={classes.progress}>
        <div className={classes.big} data-testid="rollout-done">
          <b className="num">{percent(done, rollout.total)}</b>
          <span className="num">
            {count(done)} of {many(rollout.total, "device")} updated
          </span>
        </div>
        <div className={classes.bar}>
          <SegmentBar label="Devices by state" segments={phaseCounts(rollout.outcomes)} height={14} keys />
        </div>
      </div>
    </Panel>
  );
}
