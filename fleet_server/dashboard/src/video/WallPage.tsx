import { ActionIcon, Button, Group, SegmentedControl, Select, SimpleGrid, Text } from "@mantine/core";
import IconVideo from "@tabler/icons-react/dist/esm/icons/IconVideo.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { deviceQuery } from "~/api/queries";
import { PageHead } from "~/components/PageHead";
import { useMay } from "~/components/role";
import { Empty } from "~/components/States";
import { DevicePicker } from "~/events/DevicePicker";
import { CAMERAS_MAX, cameraOf, COLUMNS } from "./search";
import { WatchedCamera } from "./WatchedCamera";

const route = getRouteApi("/wall");

/** Live video of several cameras; those on the screen play. */
export function WallPage() {
  const { camera = [], columns = 2 } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay("operator");
  const show = (names: string[]) => void navigate({ search: (old) => ({ ...old, camera: names.length ? names : undefined }) });
  if (!may) {
    return (
      <Empty icon={IconVideo} title="Live video needs the role operator">
        Ask an administrator for it.
      </Empty>
    );
  }
  return (
    <>
      <PageHead
        title="Camera wall"
        actions={
          <SegmentedControl
            aria-label="Columns"
            size="xs"
            data={COLUMNS.map(String)}
            value={String(columns)}
            onChange={(value) => void navigate({ search: (old) => ({ ...old, columns: Number(value) }) })}
          />
        }
      />
      <CameraPicker
        onAdd={(name) => show([...camera.filter((each) => each !== name), name])}
        full={camera.length >= CAMERAS_MAX}
      />
      {camera.length === 0 && (
        <Empty icon={IconVideo} title="No cameras yet">
          Choose a device and one of its cameras. The address of this page keeps the choice.
        </Empty>
      )}
      <SimpleGrid cols={{ base: 1, sm: Math.min(2, columns), md: columns }} spacing="sm">
        {camera.map((name) => (
          <Tile key={name} name={name} onRemove={() => show(camera.filter((each) => each !== name))} />
        ))}
      </SimpleGrid>
    </>
  );
}

function Tile({ name, onRemove }: { name: string; onRemove: () => void }) {
  const found = cameraOf(name);
  if (!found) return null;
  const { device, pipeline } = found;
  return (
    <section aria-label={name}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text fz="sm" truncate>
          <Link to="/devices/$id" params={{ id: device }} search={{ tab: "live", pipeline }}>
            {device}
          </Link>{" "}
          <Text span c="dimmed" fz="sm">
            {pipeline}
          </Text>
        </Text>
        <ActionIcon size="sm" variant="subtle" aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </Group>
      <WatchedCamera device={device} pipeline={pipeline} />
    </section>
  );
}

function CameraPicker({ onAdd, full }: { onAdd: (name: string) => void; full: boolean }) {
  const [device, setDevice] = useState<string>();
  const [pipeline, setPipeline] = useState<string | null>(null);
  const { data } = useQuery({ ...deviceQuery(device ?? ""), enabled: device !== undefined });
  const names = Object.keys(data?.pipelines ?? {}).sort();
  const chosen = pipeline ?? (names.length === 1 ? (names[0] ?? null) : null);
  return (
    <Group mb="md" gap="sm">
      <DevicePicker
        device={device}
        onPick={(next) => {
          setDevice(next);
          setPipeline(null);
        }}
      />
      <Select
        aria-label="Camera"
        placeholder="Camera"
        data={names}
        value={chosen}
        onChange={setPipeline}
        disabled={!names.length}
      />
      <Button
        variant="default"
        disabled={!device || !chosen || full}
        onClick={() => device && chosen && onAdd(`${device}/${chosen}`)}
      >
        Add
      </Button>
      {full && (
        <Text fz="sm" c="dimmed">
          {CAMERAS_MAX} cameras are the most.
        </Text>
      )}
    </Group>
  );
}
