import IconCube from "@tabler/icons-react/dist/esm/icons/IconCube.mjs";
import type { VersionShare } from "~/api/types";
import { ButtonLink } from "~/components/links";
import { Empty } from "~/components/States";
import { SegmentBar } from "~/components/SegmentBar";
import { count, percent } from "~/format/numbers";
import classes from "./VersionShares.module.css";

export const FILLS = ["#3f6ff0", "#12a594", "#8e6cf0", "#d6762c", "#c2489b", "#7a8699"] as const;
const SHOWN_MAX = 5;

interface VersionSharesProps {
  shares: readonly VersionShare[];
  picked: { package?: string; version?: string };
  onPick: (share: VersionShare | undefined) => void;
}

/** Running versions by slot. Selecting one filters the list. */
export function VersionShares({ shares, picked, onPick }: VersionSharesProps) {
  if (!shares.length) {
    return (
      <Empty icon={IconCube} title="No running models" action={<ButtonLink to="/models">Go to models</ButtonLink>}>
        Push a model and roll it out to see its running versions here.
      </Empty>
    );
  }
  const slots = [...new Set(shares.map((share) => share.slot))];
  return slots.map((slot) => {
    const mine = shares.filter((share) => share.slot === slot).sort((a, b) => b.count - a.count);
    const all = mine.reduce((sum, share) => sum + share.count, 0);
    const rows = mine.slice(0, SHOWN_MAX);
    const rest = mine.slice(SHOWN_MAX).reduce((sum, share) => sum + share.count, 0);
    const segments = rows.map((share, at) => ({
      key: `${share.package}@${share.version}`,
      text: `${share.package} ${share.version}`,
      value: share.count,
      fill: FILLS[at] ?? FILLS[5],
    }));
    return (
      <div key={slot} className={classes.slot}>
        <div className={classes.name}>
          Slot <b style={{ color: "var(--ink)" }}>{slot}</b>
        </div>
        <SegmentBar
          label={`Versions in slot ${slot}`}
          segments={[...segments, { key: "rest", text: "other versions", value: rest, fill: "var(--off-fill)" }]}
          height={10}
        />
        <div className={classes.rows}>
          {rows.map((share, at) => {
            const on = picked.package === share.package && picked.version === share.version;
            return (
              <button
                key={share.digest}
                type="button"
                className={classes.row}
                aria-pressed={on}
                onClick={() => onPick(on ? undefined : share)}
              >
                <i style={{ background: FILLS[at] ?? FILLS[5] }} aria-hidden />
                <span style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>
                  {share.package} <b>{share.version}</b>
                </span>
                <span className="num">{count(share.count)}</span>
                <small className="num">{percent(share.count, all)}</small>
              </button>
            );
          })}
          {rest > 0 && (
            <div className={classes.row} style={{ cursor: "default" }}>
              <i style={{ background: "var(--off-fill)" }} aria-hidden />
              <span>{mine.length - SHOWN_MAX} other versions</span>
              <span className="num">{count(rest)}</span>
              <small className="num">{percent(rest, all)}</small>
            </div>
          )}
        </div>
      </div>
    );
  });
}
