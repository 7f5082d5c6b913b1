import { ActionIcon, Button, Group, Text } from "@mantine/core";
import IconMaximize from "@tabler/icons-react/dist/esm/icons/IconMaximize.mjs";
import { useEffect, useRef, useState } from "react";
import { fetchLiveFrame } from "~/api/pipelines";
import { tenths } from "~/format/numbers";
import { turned } from "./messages";
import classes from "./CameraView.module.css";
import { useLiveVideo } from "./useLiveVideo";
import { FIRST_AGE_S, useStills } from "./useStills";

interface CameraViewProps {
  device: string;
  pipeline: string;
  /** Whether it is visible and wanted. */
  on: boolean;
  /** Stills with detections instead of video. */
  overlays?: boolean;
  /** Called when neither video nor stills come any more. */
  onEnd?: () => void;
}

/** A camera: its last picture at once, then live video; stills where there is no video. */
export function CameraView({ device, pipeline, on, overlays = false, onEnd }: CameraViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const live = useLiveVideo(video, device, pipeline, on && !overlays);
  const playing = live.state === "live" || live.state === "stalled";
  const instead = on && (overlays || (live.state === "ended" && live.stills));
  const stills = useStills(device, pipeline, instead, overlays);
  const poster = useFirst(device, pipeline, on && !instead && !playing);
  const url = instead ? stills.url : playing ? "" : poster;
  const over = on && (instead ? stills.over : live.state === "ended");
  useEffect(() => {
    if (over) onEnd?.();
  }, [over, onEnd]);
  const [still, setStill] = useState<{ aspectRatio: string }>();
  const shape = live.format && turned(live.format);
  return (
    <div
      className={classes.box}
      ref={box}
      style={shape?.box ?? still}
      data-state={instead ? "stills" : live.state}
      data-testid="camera"
    >
      <video
        ref={video}
        className={classes.video}
        style={shape?.video}
        hidden={!playing}
        muted
        playsInline
        aria-label={`Live video of ${pipeline} of ${device}`}
      />
      {url && (
        <img
          src={url}
          className={classes.picture}
          alt={`${pipeline} of ${device}`}
          data-testid="live-picture"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setStill({ aspectRatio: `${naturalWidth} / ${naturalHeight}` })
          }
        />
      )}
      <div className={classes.foot}>
        <Text fz="xs" role="status" className={classes.note}>
          {instead
            ? stills.notice || (overlays ? "Stills with detections, about 1 a second" : `${live.reason} Showing stills.`)
            : textOf(live)}
        </Text>
        <Group gap="xs">
          {live.asked && (
            <Button size="compact-xs" onClick={live.confirm}>
              Keep watching
            </Button>
          )}
          <ActionIcon
            size="sm"
            variant="transparent"
            color="white"
            aria-label="Full screen"
            onClick={() => void box.current?.requestFullscreen?.()}
          >
            <IconMaximize size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </div>
    </div>
  );
}

/** One picture, the last one of the camera, while there is no video yet. */
function useFirst(device: string, pipeline: string, on: boolean): string {
  const [url, setUrl] = useState("");
  useEffect(() => {
    if (!on) return;
    const cut = new AbortController();
    let made = "";
    fetchLiveFrame(device, pipeline, cut.signal, false, FIRST_AGE_S)
      .then((picture) => {
        if (cut.signal.aborted) return;
        made = URL.createObjectURL(picture);
        setUrl(made);
      })
      .catch(() => undefined); // the video says why there is none
    return () => {
      cut.abort();
      setUrl("");
      if (made) URL.revokeObjectURL(made);
    };
  }, [on, device, pipeline]);
  return url;
}

/** The line under a video. */
function textOf({ state, reason, behind_s, format }: ReturnType<typeof useLiveVideo>): string {
  const behind = behind_s === null ? "" : `${tenths(behind_s)} behind`;
  if (state === "live") return `Live · ${behind}${format?.encoded ? " · encoded by the device" : ""}`;
  if (state === "stalled") return `No new pictures · ${behind}`;
  if (state === "connecting") return "Connecting to the device…";
  return reason;
}
