import { SimpleGrid } from "@mantine/core";
import { useRef, type KeyboardEvent } from "react";
import classes from "./Wizard.module.css";

interface ChoicesProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; title: string; text: string }[];
  value: Value | null;
  onChange: (value: Value) => void;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Radio buttons as cards; arrow keys move between them. */
export function Choices<Value extends string>({ label, choices, value, onChange }: ChoicesProps<Value>) {
  const box = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, at: number) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (at + step + choices.length) % choices.length;
    const choice = choices[next];
    if (choice) onChange(choice.value);
    box.current?.querySelectorAll<HTMLElement>("[role=radio]")[next]?.focus();
  };
  const reachable = choices.some((choice) => choice.value === value) ? value : choices[0]?.value;
  return (
    <SimpleGrid ref={box} cols={{ base: 1, xs: 2, lg: choices.length }} spacing="sm" role="radiogroup" aria-label={label}>
      {choices.map((choice, at) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === reachable ? 0 : -1}
          className={classes.pick}
          onClick={() => onChange(choice.value)}
          onKeyDown={(event) => move(event, at)}
        >
          <b>{choice.title}</b>
          {choice.text}
        </button>
      ))}
    </SimpleGrid>
  );
}
