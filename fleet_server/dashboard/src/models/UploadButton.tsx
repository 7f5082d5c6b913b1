import { Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import IconUpload from "@tabler/icons-react/dist/esm/icons/IconUpload.mjs";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type DragEvent } from "react";
import { useMay } from "~/components/role";
import { pushModel } from "~/api/actions";
import { ButtonLink } from "~/components/links";
import { bytes, percent } from "~/format/numbers";
import classes from "./ModelsPage.module.css";

/** Uploads a package. The server checks it like one from the command line. */
export function UploadButton() {
  const may = useMay("operator", "all");
  const [opened, { open, close }] = useDisclosure();
  if (!may) return null;
  return (
    <>
      <Button leftSection={<IconUpload size={16} stroke={1.8} aria-hidden />} onClick={open}>
        Push model
      </Button>
      <Modal opened={opened} onClose={close} title={<b>Push model</b>} size="lg">
        {opened && <Upload onClose={close} />}
      </Modal>
    </>
  );
}

function Upload({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [share, setShare] = useState(0);
  const push = useMutation({
    mutationFn: (file: File) => pushModel(file, setShare),
    onMutate: () => setShare(0),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["models"] }),
  });
  const upload = (files: FileList | null) => {
    const file = files?.[0];
    if (file && !push.isPending) push.mutate(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    upload(event.dataTransfer.files);
  };
  if (push.data) return <Pushed name={push.data.name} version={push.data.version} digest={push.data.digest} onClose={onClose} />;
  return (
    <Stack>
      <button
        type="button"
        className={classes.drop}
        data-over={over}
        disabled={push.isPending}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconUpload size={28} stroke={1.5} aria-hidden />
        <b>Drop a package here, or choose a file</b>
        <Text span fz="sm" c="dimmed">
          .tar file of the package folder, with model.toml at its root
        </Text>
      </button>
      <input
        ref={input}
        type="file"
        accept=".tar,application/x-tar"
        hidden
        aria-label="Package"
        onChange={(event) => upload(event.currentTarget.files)}
      />
      {push.isPending && push.variables && (
        <div role="status">
          <Group justify="space-between" fz="sm" mb={4}>
            <span>{push.variables.name}</span>
            <span className="num">
              {share < 1 ? `${percent(share, 1)} of ${bytes(push.variables.size)}` : "Verifying files…"}
            </span>
          </Group>
          <Progress value={share * 100} animated={share >= 1} aria-label="Upload progress" />
        </div>
      )}
      {push.error && (
        <div className={classes.refusal} role="alert">
          <b>Rejected.</b> {push.error.message}
        </div>
      )}
      <Text fz="sm" c="dimmed">
        On the command line: <span className="mono">edgefleet model push FOLDER</span>
      </Text>
    </Stack>
  );
}

function Pushed({ name, version, digest, onClose }: { name: string; version: string; digest: string; onClose: () => void }) {
  return (
    <Stack role="status">
      <Text>
        <b>
          {name} {version}
        </b>{" "}
        was pushed to the registry.
      </Text>
      <Text fz="xs" c="dimmed" className="mono" style={{ overflowWrap: "anywhere" }}>
        {digest}
      </Text>
      <Group justify="flex-end">
        <ButtonLink to="/models/$name/$version" params={{ name, version }} variant="default" onClick={onClose}>
          View
        </ButtonLink>
        <ButtonLink to="/rollouts/new" search={{ package: name, version }} onClick={onClose}>
          Roll out
        </ButtonLink>
      </Group>
    </Stack>
  );
}
