import { ActionIcon } from "@mantine/core";
import IconArrowsMaximize from "@tabler/icons-react/dist/esm/icons/IconArrowsMaximize.mjs";
import IconZoomIn from "@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs";
import IconZoomOut from "@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs";
import classes from "./Drawing.module.css";
import { ZOOM_STEP } from "./useView";
import { ZOOM_MAX } from "./view";

interface ZoomButtonsProps {
  zoom: number;
  onZoom: (factor: number) => void;
  onReset: () => void;
}

/** Enlarges the picture, for those who use neither wheel nor two fingers. */
export function ZoomButtons({ zoom, onZoom, onReset }: ZoomButtonsProps) {
  return (
    <div className={classes.zoom}>
      <ActionIcon variant="default" size="md" aria-label="Zoom out" disabled={zoom <= 1} onClick={() => onZoom(1 / ZOOM_STEP)}>
        <IconZoomOut size={17} stroke={1.7} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" size="md" aria-label="Zoom in" disabled={zoom >= ZOOM_MAX} onClick={() => onZoom(ZOOM_STEP)}>
        <IconZoomIn size={17} stroke={1.7} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" size="md" aria-label="Show the whole picture" disabled={zoom <= 1} onClick={onReset}>
        <IconArrowsMaximize size={17} stroke={1.7} aria-hidden />
      </ActionIcon>
    </div>
  );
}
