import { Button } from "@mantine/core";
import IconPlugConnectedX from "@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs";
import { useConnection, useConnectionState } from "~/live/LiveProvider";
import { Since } from "~/components/Ago";
import { clockTime } from "~/format/time";
import classes from "./AppLayout.module.css";

/** Warns that the data below is stale, and since when. */
export function ConnectionBanner() {
  const state = useConnectionState();
  const connection = useConnection();
  if (state.is !== "down") return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={18} stroke={1.8} aria-hidden />
      <span>
        <b>Disconnected from the server.</b> Data on this page has been stale since {clockTime(state.sinceAt)} (
        <Since at={state.sinceAt} />
        ). Devices keep running.
      </span>
      <Button size="compact-sm" variant="default" ml="auto" onClick={() => connection.retry()}>
        Reconnect
      </Button>
    </div>
  );
}
