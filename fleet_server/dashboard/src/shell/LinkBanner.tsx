import { Button } from "@mantine/core";
import IconPlugConnectedX from "@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs";
import { useLink, useLinkState } from "~/live/LiveProvider";
import { Since } from "~/parts/Ago";
import { clockTime } from "~/words/time";
import classes from "./Frame.module.css";

/** Says that the numbers below are old, and how old. */
export function LinkBanner() {
  const state = useLinkState();
  const link = useLink();
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
