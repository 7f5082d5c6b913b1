import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import type { Rollout } from "~/api/types";
import { many } from "~/format/numbers";
import { doneOf } from "~/format/rollouts";
import { nowOf, whyOf } from "./reason";
import classes from "./RolloutPage.module.css";

/** Explains the state of the rollout and the possible actions. */
export function StateNote({ rollout }: { rollout: Rollout }) {
  const note = noteOf(rollout);
  if (!note) return null;
  const Sign = note.tone === "ok" ? IconCircleCheck : note.tone === "off" ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={classes.note} data-tone={note.tone} role={note.tone === "bad" ? "alert" : "status"}>
      <Sign size={20} stroke={1.8} aria-hidden />
      <div>
        <b>{note.title}</b> {note.text}
      </div>
    </div>
  );
}

function noteOf(rollout: Rollout): { tone: "ok" | "warn" | "bad" | "off"; title: string; text: string } | null {
  const why = whyOf(rollout.state_reason);
  const now = nowOf(rollout.results ?? "", rollout.state_reason);
  const stopped = rollout.waves.find((wave) => wave.state === "failed");
  const left = rollout.total - doneOf(rollout);
  switch (rollout.state) {
    case "draft":
      return {
        tone: "off",
        title: "Not started.",
        text: "No devices are affected yet. The start selects the devices anew, as they match then.",
      };
    case "paused":
      return stopped
        ? {
            tone: "bad",
            title: `Stopped by the gate of wave ${stopped.name}.`,
            text: `${why}${now}Check the devices below, then resume (accepts the failures so far), roll back or abort.`,
          }
        : { tone: "warn", title: "Paused.", text: `${why}${now}Updates in progress finish; no new updates start.` };
    case "aborting":
      return { tone: "warn", title: "Aborting.", text: `${why}Devices in trial finish their update.` };
    case "aborted":
      return { tone: "off", title: "Aborted.", text: `${why}Updated devices keep the new version.` };
    case "rolling_back":
      return { tone: "warn", title: "Rolling back.", text: `${why}Updated devices return to their previous version.` };
    case "rolled_back":
      return { tone: "off", title: "Rolled back.", text: `${why}${now}Devices run their previous version.` };
    case "completed":
      return {
        tone: "ok",
        title: "Completed.",
        text: !rollout.total
          ? "No device was to be updated."
          : left > 0
            ? `${why}${many(left, "device")} not updated; see the list below.`
            : "All devices updated.",
      };
    default:
      return null;
  }
}
