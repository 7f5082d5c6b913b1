import { Button } from "@mantine/core";
import IconPlugConnectedX from "@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs";
import { useConnection, useConnectionState } from "~/live/LiveProvider";
import { Since } from "~/components/Ago";
import { clockTime } from "~/format/time";
import classes from "./AppLayout.module.css";

/** Says that the numbers below are old, and how old. */
export function ConnectionBanner() {
  const state = useConnectionState();
  const link = useConnection();
  if (state.is !== "down") return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={18} stroke={1.8} aria-hidden />
      <span>
        <b>The link to the server is down.</b> Everything below is stale since {clockTime(state.sinceAt)} (<Since at={state.sinceAt} />
        ). Devices go on working without it.
      </span>
      <Button size="compact-sm" variant="default" ml="auto" onClick={() => link.retry()}>
        Try now
      </Button>
    </div>
  );
}
