declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { Icon } from "@tabler/icons-react";
  const icon: Icon;
  export default icon;
}
declare module "@fontsource-variable/inter";

/** It comes without types; these are of what is used. */
declare module "topojson-client" {
  import type { Feature, FeatureCollection, MultiLineString } from "geojson";

  export interface Topology {
    type: "Topology";
    arcs: number[][][];
  }
  export function feature(topology: Topology, object: unknown): Feature | FeatureCollection;
  export function mesh(topology: Topology, object: unknown, filter: (one: unknown, other: unknown) => boolean): MultiLineString;
}
