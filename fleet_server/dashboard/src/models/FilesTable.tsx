import { Anchor, Button, Center, Table } from "@mantine/core";
import { useState } from "react";
import type { ModelDetail } from "~/api/types";
import { Digest } from "~/components/Digest";
import { bytes } from "~/format/numbers";

const SHOWN_FIRST = 8;

export function FilesTable({ files }: { files: ModelDetail["files"] }) {
  const [all, setAll] = useState(false);
  const shown = all ? files : files.slice(0, SHOWN_FIRST);
  return (
    <>
      <Table.ScrollContainer minWidth={420}>
        <Table verticalSpacing={6} horizontalSpacing="md" fz="sm" aria-label="Files">
          <Table.Tbody>
            {shown.map((file) => (
              <Table.Tr key={file.path}>
                <Table.Td>
                  <Anchor href={`/api/v1/blobs/${file.sha256}`} download={file.path.split("/").at(-1)} fz="sm" className="mono">
                    {file.path}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right">{bytes(file.length)}</Table.Td>
                <Table.Td ta="right" w={130}>
                  <Digest value={file.sha256} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {files.length > SHOWN_FIRST && !all && (
        <Center pb="sm">
          <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
            Show all {files.length} files
          </Button>
        </Center>
      )}
    </>
  );
}
