import { Button, Group, Modal, Select, Stack, Table, Text, TagsInput, TextInput } from "@mantine/core";
import IconPlugConnected from "@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QRCodeSVG } from "qrcode.react";
import { useState } from "react";
import { addEnrolment, enrolmentQuery, revokeEnrolment, type EnrolmentToken } from "~/api/people";
import { Ago, useSecond } from "~/components/Ago";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { span } from "~/format/time";
import { isPair, splitPair } from "~/format/labels";
import { DataTable } from "~/components/DataTable";
import { Secret } from "./Secret";

const HOUR_S = 3_600;
const LIVES = [
  { value: String(HOUR_S), label: "An hour" },
  { value: String(24 * HOUR_S), label: "A day" },
  { value: String(7 * 24 * HOUR_S), label: "A week" },
  { value: String(30 * 24 * HOUR_S), label: "30 days" },
];

/** How devices come into the fleet: each with a token that counts once. */
export function EnrolmentPage() {
  return (
    <OnlyFor role="admin" what="let devices in" title="Enrolment">
      <Enrolment />
    </OnlyFor>
  );
}

function Enrolment() {
  const { data, error, refetch } = useQuery(enrolmentQuery);
  const [making, setMaking] = useState(false);
  return (
    <>
      <PageHead title="Enrolment" under="A token lets one device in, once; the device then has a certificate of its own" actions={<Button onClick={() => setMaking(true)}>Enrol a device</Button>} />
      <Panel flush>
        {error && !data ? (
          <Fault error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading rows={4} height={34} />
        ) : data.items.length === 0 ? (
          <Empty icon={IconPlugConnected} title="No device was invited yet" command="edgefleet token create --label site=lyon">
            Make a token, and type or scan the command that comes with it at the device.
          </Empty>
        ) : (
          <Tokens tokens={data.items} />
        )}
      </Panel>
      <Modal opened={making} onClose={() => setMaking(false)} title={<b>Enrol a device</b>}>
        {making && <EnrolForm onDone={() => setMaking(false)} />}
      </Modal>
    </>
  );
}

function Tokens({ tokens }: { tokens: readonly EnrolmentToken[] }) {
  const now = useSecond();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: revokeEnrolment,
    onSettled: () => client.invalidateQueries({ queryKey: enrolmentQuery.queryKey }),
  });
  return (
    <>
      <ErrorText error={revoke.error} />
      <DataTable name="Enrolment tokens" headings={["Token", "For", "Labels", "State", "Made", ""]} width={720}>
        {tokens.map((token) => (
          <Table.Tr key={token.id}>
            <Table.Td className="mono">{token.id}</Table.Td>
            <Table.Td>{token.device || "any device"}</Table.Td>
            <Table.Td>{Object.entries(token.labels).map(([key, value]) => `${key}=${value}`).join(" ") || "–"}</Table.Td>
            <Table.Td>
              <State token={token} now={now} />
            </Table.Td>
            <Table.Td>
              <Ago at={token.created_at} />
            </Table.Td>
            <Table.Td>
              {isOpen(token, now) && (
                <Button size="compact-xs" variant="default" loading={revoke.isPending && revoke.variables === token.id} onClick={() => revoke.mutate(token.id)} aria-label={`Revoke ${token.id}`}>
                  Revoke
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </>
  );
}

const isOpen = (token: EnrolmentToken, now: number): boolean => token.used_at === null && token.revoked_at === null && token.expires_at > now;

function State({ token, now }: { token: EnrolmentToken; now: number }) {
  if (token.used_at !== null)
    return (
      <Group gap={6} wrap="nowrap">
        <Tag tone="ok" text="Used" />
        <Link to="/devices/$id" params={{ id: token.used_by }}>
          {token.used_by}
        </Link>
      </Group>
    );
  if (token.revoked_at !== null) return <Tag tone="off" text="Revoked" />;
  return isOpen(token, now) ? <Tag tone="busy" text={`Open for ${span(token.expires_at - now)}`} /> : <Tag tone="off" text="Expired" />;
}

function EnrolForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const [device, setDevice] = useState("");
  const [labels, setLabels] = useState<string[]>([]);
  const [life, setLife] = useState(String(HOUR_S));
  const wrong = labels.find((label) => !isPair(label));
  const make = useMutation({
    mutationFn: () => addEnrolment({ device: device.trim(), labels: Object.fromEntries(labels.map(splitPair)), life_s: Number(life) }),
    onSuccess: () => client.invalidateQueries({ queryKey: enrolmentQuery.queryKey }),
  });
  if (make.data) return <Invitation token={make.data.token} device={make.data.device} life={span(Number(life))} onDone={onDone} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <TextInput label="Device" description="Its id, as line-7; empty: whichever device comes first. Named, it may be enrolled already" value={device} onChange={(event) => setDevice(event.currentTarget.value)} maxLength={64} autoCapitalize="none" data-autofocus />
        <TagsInput label="Labels" description="site=lyon, then Enter; rollouts choose devices by them" value={labels} onChange={setLabels} error={wrong && `${wrong} is no label: write name=value`} />
        <Select label="Counts for" data={LIVES} value={life} onChange={(value) => value && setLife(value)} allowDeselect={false} />
        <ErrorText error={make.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={Boolean(wrong)}>
            Make a token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Invitation({ token, device, life, onDone }: { token: string; device: string; life: string; onDone: () => void }) {
  const command = `sudo edgefleet-agent enroll ${window.location.origin} --token ${token}${device && ` --device ${device}`}`;
  return (
    <Secret text={command} onDone={onDone}>
      <Group gap="lg" wrap="nowrap" align="center">
        {/* Dark on white in both schemes: not every phone reads an inverted code. */}
        <QRCodeSVG value={command} size={148} marginSize={2} level="M" bgColor="#ffffff" fgColor="#18202b" title="The command as a QR code" style={{ flexShrink: 0 }} />
        <Text fz="sm" c="dimmed">
          Type or scan it at the device within {life}. It appears in the fleet as soon as its agent runs.
        </Text>
      </Group>
    </Secret>
  );
}
