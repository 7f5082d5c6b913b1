import { Progress, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { rotationQuery, type RotationReport } from "~/api/server";
import { Ago } from "~/components/Ago";
import { DataTable } from "~/components/DataTable";
import { Panel } from "~/components/Panel";
import { Facts } from "~/components/States";
import { count, many } from "~/format/numbers";
import { absolute } from "~/format/time";

const SHOWN = 20;

/** Rotation of the certificate authority: how many devices have renewed, and which are missing. Nothing outside of one. */
export function AuthorityRotation() {
  const { data } = useQuery(rotationQuery);
  const since = data?.rotating_since;
  if (!data || since === null || since === undefined) return null;
  return (
    <Panel title="Rotation of the authority">
      <Text fz="sm" mb={6}>
        {count(data.renewed)} of {many(data.devices, "device")} renewed
      </Text>
      <Progress
        value={data.devices > 0 ? (100 * data.renewed) / data.devices : 100}
        aria-label="Devices that have renewed"
        mb="sm"
      />
      <Facts
        rows={[
          ["Since", absolute(since)],
          ["Missing", count(data.missing)],
          ["Of these seen within 30 days", count(data.missing_online)],
          ...(data.open_tokens > 0 ? [["Tokens with the old fingerprint", count(data.open_tokens)] as const] : []),
        ]}
      />
      {data.missing > 0 && <Missing report={data} />}
      <Text fz="xs" c="dimmed" mt="sm">
        {data.missing > 0
          ? "Both authorities are trusted until "
          : "All devices have renewed. To trust the old one no more, run "}
        <span className="mono">edgefleet ca finish</span>
      </Text>
    </Panel>
  );
}

function Missing({ report }: { report: RotationReport }) {
  return (
    <>
      <DataTable name="Devices that have not renewed" headings={["Device", "Last seen"]} width={260}>
        {report.items.slice(0, SHOWN).map((row) => (
          <Table.Tr key={row.device}>
            <Table.Td>
              <Link to="/devices/$id" params={{ id: row.device }} search={{ tab: "about" }} className="strong-link">
                {row.device}
              </Link>
            </Table.Td>
            <Table.Td>{row.online ? "Online" : row.last_seen_at > 0 ? <Ago at={row.last_seen_at} /> : "Never"}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {report.missing > SHOWN && (
        <Text fz="sm" mt={6}>
          {count(report.missing - SHOWN)} more
        </Text>
      )}
    </>
  );
}
