import { Button, Group, Modal, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorText } from "~/components/States";
import { useMay } from "~/components/role";
import { deviceIds } from "~/api/fleet";
import type { DeviceFilter } from "~/api/queries";
import { count, many } from "~/format/numbers";
import { ACTIONS, type BulkAction } from "./actions";
import classes from "./Bulk.module.css";
import { BulkForm } from "./BulkForm";

interface BulkBarProps {
  ids: ReadonlySet<string>;
  /** How many devices the list has in all, on all its pages. */
  total: number;
  filter: DeviceFilter;
  onChange: (ids: ReadonlySet<string>) => void;
}

/** Actions on the selected devices. */
export function BulkBar({ ids, total, filter, onChange }: BulkBarProps) {
  const mayAdmin = useMay("admin");
  const [chosen, setChosen] = useState<BulkAction | null>(null);
  const all = useMutation({ mutationFn: () => deviceIds(filter), onSuccess: ({ items }) => onChange(new Set(items)) });
  if (ids.size === 0) return null;
  return (
    <div className={classes.bar} role="region" aria-label="Selection">
      <Group gap="xs" wrap="wrap">
        <Text fz="sm" fw={600} className="num" role="status">
          {many(ids.size, "device")} selected
        </Text>
        {ids.size < total && (
          <Button variant="subtle" size="compact-sm" loading={all.isPending} onClick={() => all.mutate()}>
            Select all {count(total)}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(new Set())}>
          Clear selection
        </Button>
        <ErrorText error={all.error} />
      </Group>
      <Group gap={6} wrap="wrap">
        {ACTIONS.filter(({ role }) => role === "operator" || mayAdmin).map((action) => (
          <Button
            key={action.key}
            size="compact-sm"
            variant="default"
            c={action.isDestructive ? "var(--bad)" : undefined}
            onClick={() => setChosen(action)}
          >
            {action.text}
          </Button>
        ))}
      </Group>
      <Modal
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        title={chosen && <b>{`${chosen.text}: ${many(ids.size, "device")}`}</b>}
        size="lg"
      >
        {chosen && (
          <BulkForm
            key={chosen.key}
            action={chosen}
            ids={[...ids]}
            onClose={() => setChosen(null)}
            onDone={() => onChange(new Set())}
          />
        )}
      </Modal>
    </div>
  );
}
