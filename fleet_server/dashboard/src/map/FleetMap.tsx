import { ActionIcon, Code, Text, Tooltip } from "@mantine/core";
import IconFocusCentered from "@tabler/icons-react/dist/esm/icons/IconFocusCentered.mjs";
import IconMapPin from "@tabler/icons-react/dist/esm/icons/IconMapPin.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type PointerEvent } from "react";
import { sitesQuery } from "~/api/fleet";
import type { Place } from "~/api/types";
import { Empty, Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";
import { Canvas } from "./Canvas";
import classes from "./FleetMap.module.css";
import { PlaceList } from "./PlaceList";
import { around, clusters, HEIGHT, moved, WIDTH, zoomed, type Cluster, type View } from "./projection";

interface FleetMapProps {
  /** Labels that filter the list now. */
  picked: readonly string[];
  onPick: (place: Place | null) => void;
}

export const pairsOf = (place: Place): string[] => Object.entries(place.labels).map(([key, value]) => `${key}=${value}`);

/** Sites on a map. The list beside it has the same sites, for keyboard and screen reader users. */
export function FleetMap({ picked, onPick }: FleetMapProps) {
  const { data, error, refetch } = useQuery(sitesQuery);
  const [chosen, setChosen] = useState<View | null>(null);
  const drag = useRef<{ x: number; y: number; from: View; moved: boolean } | null>(null);
  if (error && !data) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  if (!data.items.length) {
    return (
      <Empty icon={IconMapPin} title="No device locations">
        Set the labels <Code>lat</Code> and <Code>lon</Code> (degrees, e.g. 45.76 and 4.84) on one device of each site, and{" "}
        <Code>site</Code> on all its devices.
      </Empty>
    );
  }
  const view = chosen ?? around(data.items);
  const isPicked = (place: Place) => pairsOf(place).every((pair) => picked.includes(pair));
  const open = (cluster: Cluster) => {
    if (drag.current?.moved) return;
    const [only] = cluster.places;
    if (cluster.places.length > 1) setChosen(around(cluster.places));
    else if (only) onPick(isPicked(only) ? null : only);
  };
  const hold = (event: PointerEvent<SVGSVGElement>) => {
    drag.current = { x: event.clientX, y: event.clientY, from: view, moved: false };
  };
  const pull = (event: PointerEvent<SVGSVGElement>) => {
    const held = drag.current;
    if (!held || event.buttons !== 1) return;
    const scale = WIDTH / event.currentTarget.clientWidth;
    const [dx, dy] = [(event.clientX - held.x) * scale, (event.clientY - held.y) * scale];
    held.moved ||= Math.hypot(dx, dy) > 6;
    if (held.moved) setChosen(moved(held.from, dx, dy));
  };
  const marks = clusters(view, data.items);
  const tools = [
    { text: "Zoom in", icon: IconPlus, act: () => setChosen(zoomed(view, 0.5)) },
    { text: "Zoom out", icon: IconMinus, act: () => setChosen(zoomed(view, 2)) },
    { text: "Zoom to fit", icon: IconFocusCentered, act: () => setChosen(null) },
  ];
  return (
    <div className={classes.split}>
      <div className={classes.frame}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          className={classes.map}
          role="img"
          aria-label={`Map of ${many(data.items.length, "site")}; the list contains the same sites`}
          onPointerDown={hold}
          onPointerMove={pull}
        >
          <Canvas view={view} marks={marks} isPicked={isPicked} onOpen={open} />
        </svg>
        <div className={classes.tools}>
          {tools.map(({ text, icon: Sign, act }) => (
            <Tooltip key={text} label={text} position="left">
              <ActionIcon variant="default" size={30} aria-label={text} onClick={act}>
                <Sign size={16} stroke={1.8} />
              </ActionIcon>
            </Tooltip>
          ))}
        </div>
        {data.unlocated > 0 && (
          <Text fz="xs" c="dimmed" mt={6}>
            {many(data.unlocated, "device has", "devices have")} no location: set <span className="mono">lat</span> and{" "}
            <span className="mono">lon</span>, or a <span className="mono">site</span> with a location.
          </Text>
        )}
      </div>
      <PlaceList places={data.items} isPicked={isPicked} onPick={onPick} />
    </div>
  );
}
