import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "~/api/people";
import classes from "./AppLayout.module.css";

/** Explains to a viewer why pages have no actions. */
export function ViewerNote() {
  const { data } = useQuery(sessionQuery);
  if (data?.role !== "viewer") return null;
  return (
    <p className={classes.viewer}>
      You are signed in as <b>viewer</b> with read-only access. To make changes, ask an administrator for the operator role.
    </p>
  );
}
