import { Button, Checkbox, Group, NumberInput, Select, Stack, Table, TagsInput, Text, TextInput } from "@mantine/core";
import IconPlugConnected from "@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { QRCodeSVG } from "qrcode.react";
import { fieldErrors } from "~/components/fieldErrors";
import { addEnrolment, enrolmentQuery, revokeEnrolment, type EnrolmentToken, type NewEnrolmentToken } from "~/api/people";
import { Ago, useSecond } from "~/components/Ago";
import { OnlyFor } from "~/components/OnlyFor";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Empty, ErrorText, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { count } from "~/format/numbers";
import { span } from "~/format/time";
import { isPair, splitPair } from "~/format/labels";
import { DataTable } from "~/components/DataTable";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { FormDialog, useForm } from "~/drafts/FormDialog";
import { Secret } from "./Secret";
import { WaitingDevices } from "./WaitingDevices";

const HOUR_S = 3_600;
const LIFETIMES = [
  { value: String(HOUR_S), label: "1 hour" },
  { value: String(24 * HOUR_S), label: "1 day" },
  { value: String(7 * 24 * HOUR_S), label: "1 week" },
  { value: String(30 * 24 * HOUR_S), label: "30 days" },
];

const DEVICES_MAX = 100_000;

/** Enrolment tokens; each enrols one device, or a number of them, once. */
export function EnrolmentPage() {
  return (
    <OnlyFor role="admin" what="enroll devices" title="Enrollment">
      <Enrolment />
    </OnlyFor>
  );
}

function Enrolment() {
  const { data, error, refetch } = useQuery(enrolmentQuery);
  const { open } = useForm();
  return (
    <>
      <PageHead
        title="Enrollment"
        under="A token enrolls one device, or several, each once. Each device then has its own certificate"
        actions={<Button onClick={() => open("enrol")}>Enroll device</Button>}
      />
      <Stack>
        <WaitingDevices />
        <Panel title="Tokens" flush>
          {error && !data ? (
            <Fault error={error} onRetry={() => void refetch()} />
          ) : !data ? (
            <Loading rows={4} height={34} />
          ) : data.items.length === 0 ? (
            <Empty icon={IconPlugConnected} title="No enrollment tokens yet" command="edgefleet token create --label site=lyon">
              Create a token, then run or scan the displayed command on the device.
            </Empty>
          ) : (
            <Tokens tokens={data.items} />
          )}
        </Panel>
      </Stack>
      <FormDialog name="enrol" title="Enroll device">
        {(close) => <EnrolForm onDone={close} />}
      </FormDialog>
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
      <DataTable name="Enrollment tokens" headings={["Token", "Device", "Labels", "State", "Created", ""]} width={720}>
        {tokens.map((token) => (
          <Table.Tr key={token.id}>
            <Table.Td className="mono">{token.id}</Table.Td>
            <Table.Td>{token.device || (token.devices_max > 1 ? `${count(token.devices_max)} devices` : "Any device")}</Table.Td>
            <Table.Td>
              {Object.entries(token.labels)
                .map(([key, value]) => `${key}=${value}`)
                .join(" ") || "–"}
            </Table.Td>
            <Table.Td>
              <State token={token} now={now} />
            </Table.Td>
            <Table.Td>
              <Ago at={token.created_at} />
            </Table.Td>
            <Table.Td>
              {isOpen(token, now) && (
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={revoke.isPending && revoke.variables === token.id}
                  onClick={() => revoke.mutate(token.id)}
                  aria-label={`Revoke ${token.id}`}
                >
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

const isOpen = (token: EnrolmentToken, now: number): boolean =>
  token.uses < token.devices_max && token.revoked_at === null && token.expires_at > now;

function State({ token, now }: { token: EnrolmentToken; now: number }) {
  if (token.devices_max > 1)
    return (
      <Group gap={6} wrap="nowrap">
        <OpenState token={token} now={now} />
        <Text fz="sm" c="dimmed">
          {count(token.uses)} enrolled
        </Text>
      </Group>
    );
  if (token.used_at !== null)
    return (
      <Group gap={6} wrap="nowrap">
        <Tag tone="ok" text="Used" />
        <Link to="/devices/$id" params={{ id: token.used_by }}>
          {token.used_by}
        </Link>
      </Group>
    );
  return <OpenState token={token} now={now} />;
}

function OpenState({ token, now }: { token: EnrolmentToken; now: number }) {
  if (token.revoked_at !== null) return <Tag tone="off" text="Revoked" />;
  if (token.uses >= token.devices_max) return <Tag tone="ok" text="Used up" />;
  return isOpen(token, now) ? (
    <Tag tone="busy" text={`Valid for ${span(token.expires_at - now)}`} />
  ) : (
    <Tag tone="off" text="Expired" />
  );
}

interface EnrolDraft {
  device: string;
  labels: string[];
  lifetime_s: string;
  devices: number;
  approval: boolean;
}

/** Where the request has each field. */
const PLACES = {
  device: "/device",
  devices: "/devices_max",
  approval: "/approval",
  labels: "/labels",
  life: "/life_s",
} as const;

function EnrolForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient();
  const drafted = useDraft<EnrolDraft>("enrol", () => ({
    device: "",
    labels: [],
    lifetime_s: String(HOUR_S),
    devices: 1,
    approval: false,
  }));
  const { device, labels, lifetime_s, devices, approval } = drafted.value;
  const end = () => {
    drafted.discard();
    onDone();
  };
  const many = !device.trim() && Number(devices) > 1;
  const wrong = labels.find((label) => !isPair(label));
  const create = useMutation({
    mutationFn: (life_s: number) =>
      addEnrolment({
        device: device.trim(),
        labels: Object.fromEntries(labels.map(splitPair)),
        life_s,
        devices_max: many ? Number(devices) : 1,
        approval,
      }),
    onSuccess: () => {
      drafted.discard();
      return client.invalidateQueries({ queryKey: enrolmentQuery.queryKey });
    },
  });
  const { at, rest } = fieldErrors(create.error, PLACES);
  if (create.data) return <EnrolmentCommand made={create.data} lifetime={span(create.variables)} onDone={onDone} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(Number(lifetime_s));
      }}
    >
      <DraftNote draft={drafted} what="the token" />
      <Stack>
        <TextInput
          label="Device"
          error={at.device}
          description="Device ID, e.g. line-7; also to enroll a device again. Empty = the first that use the token"
          value={device}
          onChange={(event) => drafted.change({ device: event.currentTarget.value })}
          maxLength={64}
          autoCapitalize="none"
          data-autofocus
        />
        <NumberInput
          label="Number of devices"
          error={at.devices}
          description="More than one: for an image from which many devices start"
          value={device.trim() ? 1 : devices}
          onChange={(next) => drafted.change({ devices: Number(next) })}
          disabled={Boolean(device.trim())}
          min={1}
          max={DEVICES_MAX}
          allowDecimal={false}
        />
        <Checkbox
          label="Each device waits for approval on this page"
          error={at.approval}
          checked={approval}
          onChange={(event) => drafted.change({ approval: event.currentTarget.checked })}
        />
        <TagsInput
          label="Labels"
          description="Rollouts select devices by labels, e.g. site=lyon; press Enter after each"
          value={labels}
          onChange={(next) => drafted.change({ labels: next })}
          error={wrong ? `${wrong} is not of the form name=value` : at.labels}
        />
        <Select
          label="Valid for"
          error={at.life}
          data={LIFETIMES}
          value={lifetime_s}
          onChange={(value) => value && drafted.change({ lifetime_s: value })}
          allowDeselect={false}
        />
        <ErrorText error={rest} />
        <Group justify="flex-end">
          <Button variant="default" onClick={end}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={Boolean(wrong) || !(Number(devices) >= 1)}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function EnrolmentCommand({ made, lifetime, onDone }: { made: NewEnrolmentToken; lifetime: string; onDone: () => void }) {
  return (
    <Secret text={made.command} onDone={onDone}>
      {made.warning && (
        <Text fz="sm" role="alert" data-testid="warning">
          <b>Warning:</b> {made.warning}
        </Text>
      )}
      <Group gap="lg" wrap="nowrap" align="center">
        {/* Dark on white in both schemes: some phones cannot scan inverted codes. */}
        <QRCodeSVG
          value={made.command}
          size={184}
          marginSize={2}
          level="L"
          bgColor="#ffffff"
          fgColor="#18202b"
          title="Command as QR code"
          style={{ flexShrink: 0 }}
        />
        <Text fz="sm" c="dimmed">
          Run or scan the command as root on the device within {lifetime}. The device appears in the fleet when its agent starts.
        </Text>
      </Group>
      {made.ca_sha256 && (
        <Text fz="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          The device accepts only a server whose certificate authority has the SHA-256 fingerprint{" "}
          <span className="mono">{made.ca_sha256}</span>
        </Text>
      )}
    </Secret>
  );
}
