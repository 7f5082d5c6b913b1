import { NativeSelect, NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";
import { DURATION_UNITS, inUnit, sizeOf, unitOf } from "~/format/time";
import { rounded } from "~/format/numbers";

interface DurationInputProps extends Pick<NumberInputProps, "label" | "description" | "error"> {
  "data-autofocus"?: boolean;
  /** In seconds, like the limits. */
  value: number;
  min?: number;
  max?: number;
  onChange: (seconds: number) => void;
}

/** A duration with its unit: 3600 s are 1 h. */
export function DurationInput({ label, value, min = 0, max, onChange, ...props }: DurationInputProps) {
  const [chosen, setChosen] = useState(() => unitOf(value));
  const unit = inUnit(value, chosen) === undefined ? unitOf(value) : chosen;
  const size = sizeOf(unit);
  return (
    <NumberInput
      {...props}
      label={label}
      value={rounded(value / size)}
      min={min / size}
      max={max === undefined ? undefined : max / size}
      clampBehavior="blur"
      allowNegative={false}
      onChange={(next) => typeof next === "number" && onChange(rounded(next * size))}
      rightSectionWidth={74}
      rightSection={
        <NativeSelect
          aria-label={`Unit of ${typeof label === "string" ? label.toLowerCase() : "the duration"}`}
          variant="unstyled"
          size="xs"
          data={DURATION_UNITS}
          value={unit}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            onChange(rounded((value / size) * sizeOf(currentTarget.value)));
          }}
        />
      }
    />
  );
}
