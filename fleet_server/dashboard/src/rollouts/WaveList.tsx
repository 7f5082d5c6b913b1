import { Button } from "@mantine/core";
import type { Rollout, Wave } from "~/api/types";
import { Since } from "~/components/Ago";
import { SegmentBar } from "~/components/SegmentBar";
import { Tag } from "~/components/Tag";
import { capital, count, many } from "~/format/numbers";
import { phaseCounts, WAVE_STATE } from "~/format/rollouts";
import { span } from "~/format/time";
import { GatePanel } from "./GatePanel";
import { SkipButton } from "./SkipButton";
import classes from "./RolloutPage.module.css";

interface WaveListProps {
  rollout: Rollout;
  picked: number | undefined;
  onPick: (wave: number | undefined) => void;
}

export function WaveList({ rollout, picked, onPick }: WaveListProps) {
  return (
    <div>
      {rollout.waves.map((wave) => (
        <WaveRow key={wave.index} rollout={rollout} wave={wave} picked={picked === wave.index} onPick={onPick} />
      ))}
    </div>
  );
}

function WaveRow({
  rollout,
  wave,
  picked,
  onPick,
}: {
  rollout: Rollout;
  wave: Wave;
  picked: boolean;
  onPick: (wave: number | undefined) => void;
}) {
  const word = WAVE_STATE[wave.state];
  const open = wave.state !== "pending" && wave.state !== "skipped";
  return (
    <section
      className={classes.wave}
      data-tone={word.tone}
      data-picked={picked}
      aria-label={`Wave ${wave.index + 1}, ${wave.name}`}
    >
      <div className={classes.step} aria-hidden>
        {wave.index + 1}
      </div>
      <div>
        <div className={classes.top}>
          <span className={classes.name}>{wave.name}</span>
          <Tag tone={word.tone} text={word.text} live={wave.state === "running" || wave.state === "soaking"} />
          <span className={`${classes.side} num`}>
            {count(wave.committed)} of {many(wave.total, "device")}
            <Duration wave={wave} />
          </span>
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => onPick(picked ? undefined : wave.index)}
            aria-pressed={picked}
            aria-label={picked ? "All devices" : `View devices of wave ${wave.name}`}
          >
            {picked ? "All devices" : "View devices"}
          </Button>
          <SkipButton rollout={rollout} wave={wave} />
        </div>
        <SegmentBar
          label={`Wave ${wave.name}`}
          segments={phaseCounts(wave.outcomes)}
          height={8}
          keys={open && wave.state !== "passed"}
        />
        {!wave.total && <p className={classes.decided}>{capital(wave.gate.text)}.</p>}
        {open && wave.total > 0 && <GatePanel wave={wave} test={rollout.gate.test} />}
      </div>
    </section>
  );
}

function Duration({ wave }: { wave: Wave }) {
  if (!wave.started_at) return null;
  if (wave.finished_at) return <> · Took {span(wave.finished_at - wave.started_at)}</>;
  return (
    <>
      {" · "}
      <Since at={wave.started_at} prefix="for " />
    </>
  );
}
