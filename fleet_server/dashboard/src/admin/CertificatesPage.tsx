import { Grid, Stack, Table, Text } from "@mantine/core";
import IconCertificate from "@tabler/icons-react/dist/esm/icons/IconCertificate.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AuthorityRotation } from "./AuthorityRotation";
import { certificatesQuery, trustQuery, type CertificateReport } from "~/api/server";
import { useSecond } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Digest } from "~/components/Digest";
import { Empty, Facts, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { capital, count, many } from "~/format/numbers";
import { absolute, span } from "~/format/time";
import { DataTable } from "~/components/DataTable";

const RENEWAL_SHARE = 2 / 3;

/** Certificate authority, device certificates and signing keys, with their expiry. */
export function CertificatesPage() {
  return (
    <OnlyFor role="admin" what="view certificates" title="Certificates">
      <Certificates />
    </OnlyFor>
  );
}

function Certificates() {
  const { data, error, refetch } = useQuery(certificatesQuery);
  return (
    <>
      <PageHead
        title="Certificates"
        under="Device certificates accepted by the broker and signing keys trusted by devices"
        actions={
          <ButtonLink to="/enrolment" variant="default">
            Enrollment
          </ButtonLink>
        }
      />
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={8} />
      ) : (
        <Report report={data} />
      )}
    </>
  );
}

function Report({ report }: { report: CertificateReport }) {
  const { authority } = report;
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Panel
          flush
          title="Devices"
          note={
            report.total > report.items.length
              ? `${count(report.items.length)} of ${count(report.total)}, by expiry`
              : "By expiry"
          }
        >
          {report.items.length === 0 ? (
            <Empty
              icon={IconCertificate}
              title="No device certificates"
              action={<ButtonLink to="/enrolment">Enroll device</ButtonLink>}
            />
          ) : (
            <Devices rows={report.items} />
          )}
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="md">
          <AuthorityRotation />
          <Panel title="Status">
            <Facts
              rows={[
                ["Devices with certificate", count(report.total)],
                ["Renewal due", report.due > 0 ? <Tag key="due" tone="warn" text={count(report.due)} /> : "None"],
                ["Revoked", count(report.revoked)],
                ["Blocked devices", count(report.blocked)],
              ]}
            />
            <Text fz="xs" c="dimmed" mt="sm">
              Devices renew their certificate automatically after two thirds of its lifetime, or when they reconnect. After expiry
              a device needs a new enrollment token.
            </Text>
          </Panel>
          <Panel title="Certificate authority">
            <Facts
              rows={[
                ["Subject", authority.subject],
                ["SHA-256", <Digest key="sha" value={authority.fingerprint} />],
                ["Issued", absolute(authority.issued_at)],
                ["Expires", absolute(authority.expires_at)],
                ["Device certificate lifetime", span(authority.device_days * 86_400)],
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
    <DataTable name="Certificates" headings={["Device", "Expires", "Renewal", "Serial"]} width={620}>
      {rows.map((row) => {
        const used = (now - row.issued_at) / Math.max(1, row.expires_at - row.issued_at);
        return (
          <Table.Tr key={row.serial}>
            <Table.Td>
              <Link to="/devices/$id" params={{ id: row.device }} search={{ tab: "about" }} className="strong-link">
                {row.device}
              </Link>
            </Table.Td>
            <Table.Td style={{ whiteSpace: "nowrap" }}>In {span(row.expires_at - now)}</Table.Td>
            <Table.Td>
              {used > RENEWAL_SHARE ? (
                <Tag tone={row.online ? "warn" : "bad"} text={row.online ? "Due" : "Due, device offline"} />
              ) : (
                <Tag
                  tone="ok"
                  text={`Renews in ${span(row.issued_at + RENEWAL_SHARE * (row.expires_at - row.issued_at) - now)}`}
                />
              )}
            </Table.Td>
            <Table.Td className="mono">{row.serial.slice(0, 16)}</Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

/** TUF roles that devices verify every package against. */
function Signatures() {
  const { data } = useQuery(trustQuery);
  const now = useSecond();
  if (!data) return null;
  return (
    <Panel title="Signatures" note="Trusted by devices">
      <Facts
        rows={[
          ...data.roles.map(
            (role) =>
              [
                capital(role.role),
                `${role.threshold} of ${many(role.key_ids.length, "key")}, ${role.expires_at > now ? `expires in ${span(role.expires_at - now)}` : "expired"}, ${role.online ? "key on this server" : "offline key"}`,
              ] as const,
          ),
          ["Signed packages", count(data.signed.length)] as const,
        ]}
      />
      {data.waiting.length > 0 && (
        <Text fz="sm" c="var(--warn)" mt="sm">
          {many(data.waiting.length, "package")} not signed:{" "}
          {data.waiting
            .slice(0, 3)
            .map(({ name, version }) => `${name} ${version}`)
            .join(", ")}
          ; run <span className="mono">edgefleet sign</span>
        </Text>
      )}
    </Panel>
  );
}
