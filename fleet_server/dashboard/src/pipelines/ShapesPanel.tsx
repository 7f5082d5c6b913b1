import { ActionIcon, Button, Group, NumberInput, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import IconArrowsExchange from "@tabler/icons-react/dist/esm/icons/IconArrowsExchange.mjs";
import IconPlus from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import type { PipelineProblem } from "~/api/pipelines";
import { problemAt } from "./problem";
import {
  at,
  movedPoint,
  ONE,
  pointsOf,
  renamed,
  withoutShape,
  withPoints,
  type Line,
  type Mask,
  type ShapeRef,
  type Spec,
  type Zone,
} from "./spec";

interface ShapesPanelProps {
  spec: Spec;
  chosen: ShapeRef | null;
  problem: PipelineProblem | null | undefined;
  onChoose: (shape: ShapeRef | null) => void;
  /** `gesture`: the same for all letters of one name. */
  onChange: (spec: Spec, gesture?: string) => void;
}

/** All shapes by name, and the selected one as numbers, for keyboard and screen reader users. */
export function ShapesPanel({ spec, chosen, problem, onChoose, onChange }: ShapesPanelProps) {
  const shapes = (["lines", "zones", "masks"] as const).flatMap((kind) =>
    (spec[kind] ?? []).map(({ name }, index) => ({ kind, index, name })),
  );
  const value = chosen && spec[chosen.kind]?.[chosen.index] ? `${chosen.kind}.${chosen.index}` : null;
  if (!shapes.length) {
    return (
      <Text fz="sm" c="dimmed">
        No shapes yet. Lines count crossings, zones detect presence, masks hide parts of the frame.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Select
        label="Shape"
        placeholder="Select a shape here or in the image"
        data={shapes.map(({ kind, index, name }) => ({ value: `${kind}.${index}`, label: `${ONE[kind]} ${name}` }))}
        value={value}
        onChange={(next) => {
          const found = shapes.find(({ kind, index }) => `${kind}.${index}` === next);
          onChoose(found ? { kind: found.kind, index: found.index } : null);
        }}
      />
      {chosen && value && (
        <ShapeForm key={value} spec={spec} shape={chosen} problem={problem} onChange={onChange} onDelete={() => onChoose(null)} />
      )}
    </Stack>
  );
}

interface ShapeFormProps {
  spec: Spec;
  shape: ShapeRef;
  problem: PipelineProblem | null | undefined;
  /** `gesture`: the same for all letters of one name. */
  onChange: (spec: Spec, gesture?: string) => void;
  onDelete: () => void;
}

function ShapeForm({ spec, shape, problem, onChange, onDelete }: ShapeFormProps) {
  const { kind, index } = shape;
  const item = spec[kind]?.[index];
  const points = pointsOf(spec, shape);
  if (!item) return null;
  const patch = (part: Partial<Line & Zone & Mask>) =>
    onChange({ ...spec, [kind]: spec[kind]?.map((each, place) => (place === index ? { ...each, ...part } : each)) });
  const set = (next: typeof points) => onChange(withPoints(spec, shape, next));
  const whole =
    problemAt(problem, kind, index, kind === "lines" ? "points" : "polygon") ??
    (problem?.path.length === 2 ? problemAt(problem, kind, index) : undefined);
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        value={item.name}
        onChange={({ currentTarget }) => onChange(renamed(spec, shape, currentTarget.value), `name ${kind} ${index}`)}
        error={problemAt(problem, kind, index, "name")}
      />
      {kind === "lines" && (
        <Group grow align="flex-start">
          <TextInput
            label="Forward name"
            placeholder="forward"
            value={(item as Line).forward ?? ""}
            onChange={({ currentTarget }) => patch({ forward: currentTarget.value || undefined })}
          />
          <TextInput
            label="Backward name"
            placeholder="backward"
            value={(item as Line).backward ?? ""}
            onChange={({ currentTarget }) => patch({ backward: currentTarget.value || undefined })}
          />
        </Group>
      )}
      {kind === "masks" && (
        <Select
          label="Fill"
          data={[
            { value: "black", label: "Black" },
            { value: "blur", label: "Blur" },
          ]}
          value={(item as Mask).fill ?? "black"}
          onChange={(fill) => patch({ fill: fill === "blur" ? "blur" : undefined })}
          allowDeselect={false}
        />
      )}
      {kind === "zones" && (
        <NumberInput
          label="Frames analyzed/s while occupied"
          description="0 = inherit"
          value={(item as Zone).fps ?? 0}
          onChange={(fps) => patch({ fps: Number(fps) || undefined })}
          min={0}
          max={240}
          error={problemAt(problem, kind, index, "fps")}
        />
      )}
      <Table fz="sm" verticalSpacing={4} aria-label={`Points of ${item.name}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Point</Table.Th>
            <Table.Th>X</Table.Th>
            <Table.Th>Y</Table.Th>
            <Table.Th aria-label="Remove" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map(([x, y], place) => (
            <Table.Tr key={place}>
              <Table.Td>{place + 1}</Table.Td>
              <Table.Td>
                <Place
                  label={`Point ${place + 1}, X`}
                  value={x}
                  onChange={(next) => set(movedPoint(points, place, at(next, y)))}
                />
              </Table.Td>
              <Table.Td>
                <Place
                  label={`Point ${place + 1}, Y`}
                  value={y}
                  onChange={(next) => set(movedPoint(points, place, at(x, next)))}
                />
              </Table.Td>
              <Table.Td>
                {kind !== "lines" && points.length > 3 && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove point ${place + 1}`}
                    onClick={() => set(points.filter((_, each) => each !== place))}
                  >
                    <IconTrash size={16} stroke={1.6} aria-hidden />
                  </ActionIcon>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {whole && (
        <Text c="var(--bad)" fz="xs" role="alert">
          {whole}
        </Text>
      )}
      <Group gap="xs">
        {kind === "lines" ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowsExchange size={15} aria-hidden />}
            onClick={() => set([...points].reverse())}
          >
            Reverse direction
          </Button>
        ) : (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => set([...points, middle(points)])}
          >
            Add point
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          c="var(--bad)"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={() => {
            onDelete();
            onChange(withoutShape(spec, shape));
          }}
        >
          Delete {ONE[kind]} {item.name}
        </Button>
      </Group>
    </Stack>
  );
}

const middle = (points: readonly (readonly [number, number])[]) => {
  const [first, last] = [points[0] ?? [0.5, 0.5], points[points.length - 1] ?? [0.5, 0.5]];
  return at((first[0] + last[0]) / 2, (first[1] + last[1]) / 2);
};

function Place({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <NumberInput
      aria-label={label}
      size="xs"
      value={value}
      onChange={(next) => typeof next === "number" && onChange(next)}
      min={0}
      max={1}
      step={0.01}
      decimalScale={4}
      w={96}
    />
  );
}
