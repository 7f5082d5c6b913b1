import { useId, type ReactNode } from "react";
import classes from "./Panel.module.css";

interface PanelProps {
  title?: ReactNode;
  note?: ReactNode;
  side?: ReactNode;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** A titled surface. `flush`: no padding (tables). */
export function Panel({ title, note, side, flush = false, className = "", children }: PanelProps) {
  const id = useId();
  return (
    <section className={`${classes.panel} ${className}`} aria-labelledby={title ? id : undefined}>
      {title && (
        <header className={classes.head}>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          {note && <span className={classes.note}>{note}</span>}
          {side && <div className={classes.side}>{side}</div>}
        </header>
      )}
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  );
}
