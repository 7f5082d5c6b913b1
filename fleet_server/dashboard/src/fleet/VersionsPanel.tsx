import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Overview } from "~/api/types";
import { Panel } from "~/components/Panel";
import { Loading } from "~/components/States";
import type { FleetSearch } from "./search";
import { VersionHistory } from "./VersionHistory";
import { VersionShares } from "./VersionShares";

const SPANS = [
  { value: "0", label: "Now" },
  { value: "86400", label: "24 h" },
  { value: "604800", label: "7 d" },
  { value: "2592000", label: "30 d" },
];

/** Running versions, now or over time. */
export function VersionsPanel({
  overview,
  search,
  onChange,
}: {
  overview: Overview | undefined;
  search: FleetSearch;
  onChange: (next: FleetSearch) => void;
}) {
  const [span, setSpan] = useState("0");
  return (
    <Panel
      title="Running versions"
      side={<SegmentedControl size="xs" aria-label="Time range of versions" data={SPANS} value={span} onChange={setSpan} />}
      className="fill"
    >
      {span !== "0" ? (
        <VersionHistory span_s={Number(span)} />
      ) : overview ? (
        <VersionShares
          shares={overview.versions}
          picked={search}
          onPick={(share) => onChange({ package: share?.package, version: share?.version, slot: share?.slot })}
        />
      ) : (
        <Loading rows={4} />
      )}
    </Panel>
  );
}
