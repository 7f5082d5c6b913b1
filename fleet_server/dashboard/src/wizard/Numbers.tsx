import { NumberInput, SimpleGrid } from "@mantine/core";
import { DurationInput } from "~/components/DurationInput";

export interface Field<Key extends string> {
  key: Key;
  label: string;
  help: string;
  suffix: string;
  min: number;
  max: number;
  decimal?: boolean;
}

interface NumbersProps<Key extends string> {
  fields: readonly Field<Key>[];
  values: Readonly<Record<Key, number>>;
  onChange: (key: Key, value: number) => void;
}

/** A grid of number inputs with units. */
export function Numbers<Key extends string>({ fields, values, onChange }: NumbersProps<Key>) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
      {fields.map(({ key, label, help, suffix, min, max, decimal = suffix === " %" }) =>
        suffix === " s" ? (
          <DurationInput
            key={key}
            label={label}
            description={help}
            value={values[key]}
            min={min}
            max={max}
            onChange={(value) => onChange(key, value)}
          />
        ) : (
          <NumberInput
            key={key}
            label={label}
            description={help}
            value={values[key]}
            min={min}
            max={max}
            clampBehavior="blur"
            suffix={suffix}
            allowDecimal={decimal}
            onChange={(value) => typeof value === "number" && onChange(key, value)}
          />
        ),
      )}
    </SimpleGrid>
  );
}
