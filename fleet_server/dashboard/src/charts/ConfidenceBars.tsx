import { useEffect, useRef } from "react";
import type { Series } from "~/live/series";
import { count, fixed } from "~/format/numbers";
import classes from "./ConfidenceBars.module.css";

const BINS_MAX = 50;

/** Histogram of detection confidence over the last window. */
export function ConfidenceBars({ series, pipeline }: { series: Series; pipeline: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const draw = () => {
      const box = host.current;
      if (!box) return;
      const bins = (series.measured?.pipelines?.[pipeline]?.confidence ?? []).slice(0, BINS_MAX);
      const most = Math.max(1, ...bins);
      while (box.children.length > bins.length) box.lastElementChild?.remove();
      while (box.children.length < bins.length) box.append(document.createElement("i"));
      for (const [at, value] of bins.entries()) {
        const bar = box.children[at] as HTMLElement;
        bar.style.height = `${Math.max(value ? 3 : 0, (100 * value) / most)}%`;
        bar.title = `${fixed(at / bins.length, 2)} to ${fixed((at + 1) / bins.length, 2)}: ${count(value)}`;
      }
      box.dataset.empty = String(bins.every((value) => value === 0));
    };
    draw();
    return series.watch(draw);
  }, [series, pipeline]);
  return (
    <figure className={classes.figure}>
      <div ref={host} className={classes.bars} role="img" aria-label="Histogram of detection confidence from 0 to 1" />
      <figcaption className={classes.scale}>
        <span>0</span>
        <span>Confidence</span>
        <span>1</span>
      </figcaption>
    </figure>
  );
}
