import { Group, Tooltip } from "@mantine/core";
import type { Tone } from "~/format/tones";
import classes from "./Tag.module.css";

/** A state as coloured label. Always with text: some users cannot tell colours apart. */
export function Tag({ tone, text, help, live = false }: { tone: Tone; text: string; help?: string; live?: boolean }) {
  const tag = (
    <span className={classes.tag} data-tone={tone}>
      <span className={classes.dot} data-live={live} aria-hidden />
      {text}
    </span>
  );
  return help ? <Tooltip label={help}>{tag}</Tooltip> : tag;
}

export function Dot({ tone, live = false }: { tone: Tone; live?: boolean }) {
  return <span className={classes.dot} data-tone={tone} data-live={live} aria-hidden />;
}

interface LabelsProps {
  labels: Record<string, string>;
  most?: number;
  onPick?: (pair: string) => void;
}

/** Labels of a device; a click on one filters the list. */
export function Labels({ labels, most = 99, onPick }: LabelsProps) {
  const pairs = Object.entries(labels);
  const hidden = pairs.slice(most);
  return (
    <Group gap={4} wrap="wrap">
      {pairs.slice(0, most).map(([key, value]) =>
        onPick ? (
          <button
            key={key}
            type="button"
            className={classes.chip}
            onClick={() => onPick(`${key}=${value}`)}
            title={`Filter by ${key}=${value}`}
          >
            {key}
            <b>{value}</b>
          </button>
        ) : (
          <span key={key} className={classes.chip}>
            {key}
            <b>{value}</b>
          </span>
        ),
      )}
      {hidden.length > 0 && (
        <Tooltip label={hidden.map(([key, value]) => `${key}=${value}`).join(", ")}>
          <span className={classes.chip}>+{hidden.length}</span>
        </Tooltip>
      )}
    </Group>
  );
}
