import { Grid, Stack, Table, Text } from "@mantine/core";
import IconCertificate from "@tabler/icons-react/dist/esm/icons/IconCertificate.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { certificatesQuery, trustQuery, type CertificateReport } from "~/api/server";
import { useSecond } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Digest, Empty, Facts, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { count, many } from "~/format/numbers";
import { absolute, span } from "~/format/time";
import { DataTable } from "~/components/DataTable";

const RENEWS_AT = 2 / 3;

/** Whom the server believes, and until when: the authority, devices, and the keys that sign what may run. */
export function CertificatesPage() {
  return (
    <OnlyFor role="admin" what="see certificates" title="Certificates">
      <Certificates />
    </OnlyFor>
  );
}

function Certificates() {
  const { data, error, refetch } = useQuery(certificatesQuery);
  return (
    <>
      <PageHead title="Certificates" under="Whom the broker lets in, and whose signature devices believe" actions={<ButtonLink to="/enrolment" variant="default">Enrolment</ButtonLink>} />
      {error && !data ? <Fault error={error} onRetry={() => void refetch()} /> : !data ? <Loading rows={8} /> : <Report report={data} />}
    </>
  );
}

function Report({ report }: { report: CertificateReport }) {
  const { authority } = report;
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Panel flush title="Devices" note={report.total > report.items.length ? `${count(report.items.length)} of ${count(report.total)}, those that end first` : "those that end first come first"}>
          {report.items.length === 0 ? (
            <Empty icon={IconCertificate} title="No device has a certificate of this server" action={<ButtonLink to="/enrolment">Enrol a device</ButtonLink>} />
          ) : (
            <Devices rows={report.items} />
          )}
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="md">
          <Panel title="Standing">
            <Facts
              rows={[
                ["devices with a certificate", count(report.total)],
                ["in their last third", report.due > 0 ? <Tag key="due" tone="warn" text={count(report.due)} /> : "none"],
                ["revoked before their end", count(report.revoked)],
                ["locked out", count(report.locked)],
              ]}
            />
            <Text fz="xs" c="dimmed" mt="sm">
              Devices renew by themselves when two thirds of the time are over. One that does not was away: when it comes back in time it renews, later it needs a new token.
            </Text>
          </Panel>
          <Panel title="Certificate authority">
            <Facts
              rows={[
                ["subject", authority.subject],
                ["SHA-256", <Digest key="sha" value={authority.fingerprint} />],
                ["since", absolute(authority.issued_at)],
                ["until", absolute(authority.expires_at)],
                ["gives devices", span(authority.device_days * 86_400)],
              ]}
            />
          </Panel>
          <Signatures />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Devices({ rows }: { rows: CertificateReport["items"] }) {
  const now = useSecond();
  return (
    <DataTable name="Certificates" headings={["Device", "Ends", "Life", "Serial"]} width={620}>
      {rows.map((row) => {
        const used = (now - row.issued_at) / Math.max(1, row.expires_at - row.issued_at);
        return (
          <Table.Tr key={row.serial}>
            <Table.Td>
              <Link to="/devices/$id" params={{ id: row.device }} search={{ tab: "about" }} className="strong-link">
                {row.device}
              </Link>
            </Table.Td>
            <Table.Td style={{ whiteSpace: "nowrap" }}>in {span(row.expires_at - now)}</Table.Td>
            <Table.Td>
              {used > RENEWS_AT ? (
                <Tag tone={row.online ? "warn" : "bad"} text={row.online ? "due, renews soon" : "due, but the device is away"} />
              ) : (
                <Tag tone="ok" text={`renews in ${span(row.issued_at + RENEWS_AT * (row.expires_at - row.issued_at) - now)}`} />
              )}
            </Table.Td>
            <Table.Td className="mono">{row.serial.slice(0, 16)}</Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

/** The roles of the signed repository: what devices check every package against. */
function Signatures() {
  const { data } = useQuery(trustQuery);
  const now = useSecond();
  if (!data) return null;
  return (
    <Panel title="Signatures" note="what devices believe">
      <Facts
        rows={[
          ...data.roles.map((role) => [role.role, `${role.threshold} of ${many(role.key_ids.length, "key")}, ${role.expires_at > now ? `ends in ${span(role.expires_at - now)}` : "has ended"}, ${role.online ? "key on this server" : "key kept elsewhere"}`] as const),
          ["signed packages", count(data.signed.length)] as const,
        ]}
      />
      {data.waiting.length > 0 && (
        <Text fz="sm" c="var(--warn)" mt="sm">
          {many(data.waiting.length, "package waits", "packages wait")} for a signature: {data.waiting.slice(0, 3).map(({ name, version }) => `${name} ${version}`).join(", ")}. <span className="mono">edgefleet sign</span> signs.
        </Text>
      )}
    </Panel>
  );
}
