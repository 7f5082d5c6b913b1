import { classColour } from "~/format/classColour";
import classes from "./Tag.module.css";

/** The colour of a class of objects, beside its name; nothing for an empty one. */
export function ClassDot({ label }: { label: string }) {
  return label ? <span className={classes.swatch} style={{ background: classColour(label) }} aria-hidden /> : null;
}
