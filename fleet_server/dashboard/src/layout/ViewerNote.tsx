import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "~/api/people";
import classes from "./AppLayout.module.css";

/** Why there are no buttons: a page that only looks says so. */
export function ViewerNote() {
  const { data } = useQuery(sessionQuery);
  if (data?.role !== "viewer") return null;
  return (
    <p className={classes.viewer}>
      You are signed in as <b>viewer</b>: you see everything, and nothing here changes anything. An administrator can give you the role of an operator.
    </p>
  );
}
