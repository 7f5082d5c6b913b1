import { Code, Text } from "@mantine/core";
import IconMapPin from "@tabler/icons-react/dist/esm/icons/IconMapPin.mjs";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { sitesQuery } from "~/api/fleet";
import type { Place } from "~/api/types";
import { Empty, Fault, Loading } from "~/components/States";
import { many } from "~/format/numbers";
import { part } from "~/layout/part";
import classes from "./FleetMap.module.css";
import { PlaceList } from "./PlaceList";

const GlMap = lazy(part(() => import("./GlMap").then((module) => ({ default: module.GlMap }))));

/** True if the browser can draw the map. */
const hasWebGl = (): boolean => document.createElement("canvas").getContext("webgl2") !== null;

interface FleetMapProps {
  /** Labels that filter the list now. */
  picked: readonly string[];
  onPick: (place: Place | null) => void;
}

export const pairsOf = (place: Place): string[] => Object.entries(place.labels).map(([key, value]) => `${key}=${value}`);

/** Sites on a map. The list beside it has the same sites, for keyboard and screen reader users. */
export function FleetMap({ picked, onPick }: FleetMapProps) {
  const { data, error, refetch } = useQuery(sitesQuery);
  const [canDraw] = useState(hasWebGl);
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
  const isPicked = (place: Place) => pairsOf(place).every((pair) => picked.includes(pair));
  return (
    <div className={classes.split}>
      <div className={classes.frame}>
        {canDraw ? (
          <Suspense fallback={<Loading rows={8} />}>
            <GlMap places={data.items} isPicked={isPicked} onPick={(place) => onPick(isPicked(place) ? null : place)} />
          </Suspense>
        ) : (
          <Empty icon={IconMapPin} title="No map in this browser">
            It has no WebGL, or its graphics are switched off. The list has the same sites.
          </Empty>
        )}
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
