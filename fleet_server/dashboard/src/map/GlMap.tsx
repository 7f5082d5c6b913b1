import { ActionIcon, Tooltip } from "@mantine/core";
import IconFocusCentered from "@tabler/icons-react/dist/esm/icons/IconFocusCentered.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import { type GeoJSONSource, Map as MapLibre, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { useCallback, useEffect, useRef, useState } from "react";
import atlasUrl from "world-atlas/countries-50m.json?url";
import type { Place } from "~/api/types";
import { many } from "~/format/numbers";
import { boundsOf, clusters, type Cluster } from "./clusters";
import classes from "./FleetMap.module.css";
import { Marks } from "./Marks";
import { bordersOf, colours, landOf, styleOf, type Atlas } from "./world";

setWorkerUrl(workerUrl); // a file of this server: the page's policy allows no blobs as workers

const ZOOM_MIN = -1; // the whole world on a phone
const FIT = { padding: 44, maxZoom: 6, animate: false };
const CLOSER = { padding: 90, maxZoom: 12 };

interface GlMapProps {
  places: readonly Place[];
  isPicked: (place: Place) => boolean;
  onPick: (place: Place) => void;
}

/** Land, borders and marks. Wheel (with Ctrl), fingers, arrows, + and - move and enlarge it. */
export function GlMap({ places, isPicked, onPick }: GlMapProps) {
  const parent = useRef<HTMLDivElement>(null);
  const map = useRef<MapLibre>(null);
  const first = useRef(places);
  const [marks, setMarks] = useState<Cluster[]>([]);
  const label = `Map of ${many(places.length, "site")}; the list contains the same sites`;
  const title = useRef(label);
  const place = useCallback(() => {
    const { current } = map;
    if (!current) return;
    const { clientWidth, clientHeight } = current.getContainer();
    setMarks(clusters(places, ({ lon, lat }) => current.project([lon, lat]), clientWidth, clientHeight));
  }, [places]);
  useEffect(() => {
    if (!parent.current) return;
    const made = new MapLibre({
      container: parent.current,
      style: styleOf(colours(parent.current)),
      bounds: boundsOf(first.current),
      fitBoundsOptions: FIT,
      minZoom: ZOOM_MIN,
      attributionControl: false,
      renderWorldCopies: false,
      dragRotate: false,
      pitchWithRotate: false,
      cooperativeGestures: true,
      locale: { "Map.Title": title.current },
    });
    made.touchZoomRotate.disableRotation();
    made.keyboard.disableRotation();
    map.current = made;
    const stop = new AbortController();
    void draw(made, stop.signal);
    return () => {
      stop.abort();
      made.remove();
      map.current = null;
    };
  }, []);
  useEffect(() => {
    const { current } = map;
    place();
    const subscriptions = [current?.on("move", place), current?.on("resize", place)];
    return () => {
      for (const each of subscriptions) each?.unsubscribe();
    };
  }, [place]);
  useEffect(() => {
    const watch = new MutationObserver(() => {
      const { current } = map;
      if (current && parent.current) paint(current, parent.current);
    });
    watch.observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme"] });
    return () => watch.disconnect();
  }, []);
  const open = (cluster: Cluster) => {
    const [only] = cluster.places;
    if (cluster.places.length > 1) map.current?.fitBounds(boundsOf(cluster.places), CLOSER);
    else if (only) onPick(only);
  };
  const tools = [
    { text: "Zoom in", icon: IconPlus, act: () => map.current?.zoomIn() },
    { text: "Zoom out", icon: IconMinus, act: () => map.current?.zoomOut() },
    { text: "Zoom to fit", icon: IconFocusCentered, act: () => map.current?.fitBounds(boundsOf(places), FIT) },
  ];
  return (
    <>
      <div className={classes.map}>
        <div ref={parent} className={classes.globe} />
        <Marks marks={marks} isPicked={isPicked} onOpen={open} />
      </div>
      <div className={classes.tools}>
        {tools.map(({ text, icon: Sign, act }) => (
          <Tooltip key={text} label={text} position="left">
            <ActionIcon variant="default" size={30} aria-label={text} onClick={act}>
              <Sign size={16} stroke={1.8} />
            </ActionIcon>
          </Tooltip>
        ))}
      </div>
    </>
  );
}

/** Gives the map the colours of the page's scheme, once it is loaded. */
function paint(map: MapLibre, element: Element): void {
  const { sea, land, border } = colours(element);
  const set = () => {
    map.setPaintProperty("sea", "background-color", sea);
    map.setPaintProperty("land", "fill-color", land);
    for (const id of ["coast", "borders"]) map.setPaintProperty(id, "line-color", border);
  };
  if (map.isStyleLoaded()) set();
  else void map.once("load", set);
}

/** Fetches the outlines and draws them. Without them the marks are still there. */
async function draw(map: MapLibre, signal: AbortSignal): Promise<void> {
  const atlas = await fetch(atlasUrl, { signal })
    .then((answer) => answer.json() as Promise<Atlas>)
    .catch(() => null);
  if (!atlas || signal.aborted) return;
  const add = () => {
    map.getSource<GeoJSONSource>("land")?.setData(landOf(atlas));
    map.getSource<GeoJSONSource>("borders")?.setData(bordersOf(atlas));
  };
  if (map.isStyleLoaded()) add();
  else void map.once("load", add);
}
