import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useMay } from "~/account/role";
import { lockDevice, unlockDevice } from "~/api/actions";
import { identityQuery } from "~/api/queries";
import type { DeviceStanding } from "~/api/types";
import { Ago } from "~/parts/Ago";
import { Panel } from "~/parts/Panel";
import { Facts } from "~/parts/Plain";
import { Tag } from "~/parts/Tag";

/** Its certificate, and the way to lock it out: for the one that was stolen from the hall. */
export function IdentityPanel({ device }: { device: string }) {
  const { data } = useQuery(identityQuery(device));
  const may = useMay("operator");
  if (!data) return null;
  return (
    <Panel title="Identity">
      <Stack>
        <Facts rows={rows(data)} />
        {may ? (
          <Group justify="flex-end">{data.lock ? <Unlock device={device} /> : <LockOut device={device} />}</Group>
        ) : (
          <Text fz="xs" c="dimmed">
            Only operators lock devices out and let them in.
          </Text>
        )}
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
  const [why, setWhy] = useState("");
  const keep = useKeep(device);
  const lock = useMutation({
    mutationFn: () => lockDevice(device, why),
    onSuccess: (standing) => {
      keep(standing);
      setAsked(false);
    },
  });
  return (
    <>
      <Button variant="default" c="var(--bad)" onClick={() => setAsked(true)}>
        Lock out
      </Button>
      <Modal opened={asked} onClose={() => setAsked(false)} title={<b>Lock {device} out</b>}>
        <Stack>
          <Text fz="sm">
            Its certificates are revoked, its session ends, and no token lets it in until it is unlocked. What it runs, it goes on running; you will
            not hear of it.
          </Text>
          <TextInput label="Why" placeholder="stolen from the hall" value={why} maxLength={500} onChange={(event) => setWhy(event.currentTarget.value)} data-autofocus />
          {lock.error && (
            <Text c="var(--bad)" fz="sm" role="alert">
              {lock.error.message}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(false)}>
              Cancel
            </Button>
            <Button color="red" loading={lock.isPending} onClick={() => lock.mutate()}>
              Lock out
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Unlock({ device }: { device: string }) {
  const unlock = useMutation({ mutationFn: () => unlockDevice(device), onSuccess: useKeep(device) });
  return (
    <>
      {unlock.error && (
        <Text c="var(--bad)" fz="sm" role="alert">
          {unlock.error.message}
        </Text>
      )}
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
