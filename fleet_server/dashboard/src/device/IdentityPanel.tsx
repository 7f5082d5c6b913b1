import { Button, Group, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { blockDevice, unblockDevice } from "~/api/actions";
import { identityQuery } from "~/api/queries";
import type { DeviceStanding } from "~/api/types";
import { Ago } from "~/components/Ago";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { PartFor } from "~/components/OnlyFor";
import { Panel } from "~/components/Panel";
import { ErrorText, Facts } from "~/components/States";
import { Tag } from "~/components/Tag";
import { date } from "~/format/time";

/** The device's certificate, and blocking of a lost or stolen device. */
export function IdentityPanel({ device }: { device: string }) {
  const { data } = useQuery(identityQuery(device));
  if (!data) return null;
  return (
    <Panel title="Identity">
      <Stack>
        <Facts rows={rows(data)} />
        <PartFor role="operator" what="block and unblock devices">
          <Group justify="flex-end">{data.blocked ? <UnblockButton device={device} /> : <BlockButton device={device} />}</Group>
        </PartFor>
      </Stack>
    </Panel>
  );
}

function rows({ blocked, certificate }: DeviceStanding): [string, ReactNode][] {
  const status = blocked ? (
    <Tag key="status" tone="bad" text="Blocked" />
  ) : certificate ? (
    "Enrolled"
  ) : (
    "No certificate from this server"
  );
  const found: [string, ReactNode][] = [["Status", status]];
  if (blocked) found.push(["Blocked since", <Ago key="blocked" at={blocked.blocked_at} />], ["Reason", blocked.reason || "–"]);
  if (certificate) {
    found.push(
      [
        "Certificate serial",
        <span key="serial" className="mono">
          {certificate.serial.slice(0, 12)}
        </span>,
      ],
      ["Issued", <Ago key="issued" at={certificate.issued_at} />],
      ["Expires", date(certificate.expires_at)],
    );
  }
  return found;
}

function BlockButton({ device }: { device: string }) {
  const [confirming, setConfirming] = useState(false);
  const question: Confirmation<DeviceStanding> = {
    title: `Block ${device}?`,
    lines: [
      "Its certificates are revoked, its session ends, and it cannot enroll until it is unblocked. It keeps running its models but no longer reports.",
    ],
    yes: "Block device",
    isDestructive: true,
    why: { label: "Reason", placeholder: "e.g. stolen" },
    act: (why) => blockDevice(device, why),
    done: useCacheIdentity(device),
  };
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={() => setConfirming(true)}>
        Block device
      </Button>
      <ConfirmDialog question={confirming ? question : null} onClose={() => setConfirming(false)} />
    </>
  );
}

function UnblockButton({ device }: { device: string }) {
  const unblock = useMutation({ mutationFn: () => unblockDevice(device), onSuccess: useCacheIdentity(device) });
  return (
    <>
      <ErrorText error={unblock.error} />
      <Button variant="default" loading={unblock.isPending} onClick={() => unblock.mutate()}>
        Unblock device
      </Button>
    </>
  );
}

/** Writes a response into the query cache. */
function useCacheIdentity(device: string): (identity: DeviceStanding) => void {
  const client = useQueryClient();
  return (identity) => client.setQueryData(identityQuery(device).queryKey, identity);
}
