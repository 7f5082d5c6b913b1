import { Button, Group, Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { lockDevice, unlockDevice } from "~/api/actions";
import { identityQuery } from "~/api/queries";
import type { DeviceStanding } from "~/api/types";
import { Ago } from "~/components/Ago";
import { ConfirmDialog, type Confirmation } from "~/components/ConfirmDialog";
import { PartFor } from "~/components/OnlyFor";
import { Panel } from "~/components/Panel";
import { ErrorText, Facts } from "~/components/States";
import { Tag } from "~/components/Tag";

/** Its certificate, and the way to lock it out: for the one that was stolen from the hall. */
export function IdentityPanel({ device }: { device: string }) {
  const { data } = useQuery(identityQuery(device));
  if (!data) return null;
  return (
    <Panel title="Identity">
      <Stack>
        <Facts rows={rows(data)} />
        <PartFor role="operator" what="lock devices out and let them in">
          <Group justify="flex-end">{data.lock ? <Unlock device={device} /> : <LockOut device={device} />}</Group>
        </PartFor>
      </Stack>
    </Panel>
  );
}

function rows({ lock, certificate }: DeviceStanding): [string, ReactNode][] {
  const standing = lock ? <Tag key="standing" tone="bad" text="locked out" /> : certificate ? "enrolled" : "no certificate of this server";
  const found: [string, ReactNode][] = [["standing", standing]];
  if (lock) found.push(["locked", <Ago key="locked" at={lock.locked_at} />], ["why", lock.why || "–"]);
  if (certificate) {
    found.push(
      ["certificate", <span key="serial" className="mono">{certificate.serial.slice(0, 12)}</span>],
      ["issued", <Ago key="issued" at={certificate.issued_at} />],
      ["counts until", new Date(certificate.expires_at * 1000).toLocaleDateString()],
    );
  }
  return found;
}

function LockOut({ device }: { device: string }) {
  const [asked, setAsked] = useState(false);
  const question: Confirmation<DeviceStanding> = {
    title: `Lock ${device} out`,
    lines: ["Its certificates are revoked, its session ends, and no token lets it in until it is unlocked. What it runs, it goes on running; you will not hear of it."],
    yes: "Lock out",
    isHard: true,
    why: { label: "Why", placeholder: "stolen from the hall" },
    act: (why) => lockDevice(device, why),
    done: useKeep(device),
  };
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={() => setAsked(true)}>
        Lock out
      </Button>
      <ConfirmDialog question={asked ? question : null} onClose={() => setAsked(false)} />
    </>
  );
}

function Unlock({ device }: { device: string }) {
  const unlock = useMutation({ mutationFn: () => unlockDevice(device), onSuccess: useKeep(device) });
  return (
    <>
      <ErrorText error={unlock.error} />
      <Button variant="default" loading={unlock.isPending} onClick={() => unlock.mutate()}>
        Unlock: it may enrol again
      </Button>
    </>
  );
}

/** Keep an answer as what is known of the device. */
function useKeep(device: string): (standing: DeviceStanding) => void {
  const client = useQueryClient();
  return (standing) => client.setQueryData(identityQuery(device).queryKey, standing);
}
