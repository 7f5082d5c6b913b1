import { useState } from "react";

interface Steps {
  step: number;
  /** What is missing before the step that was asked for; empty if nothing is. */
  fault: string;
  forget: () => void;
  go: (to: number) => void;
}

interface StepsOptions<Name extends string> {
  /** All steps in order, by their names in the address. The first one has none there. */
  names: readonly Name[];
  /** The step in the address. */
  asked: Name | undefined;
  /** What is missing in a step; empty if it is complete. An address leads to the first step that is not. */
  faultOf: (step: number) => string;
  /** Writes a step to the address. */
  show: (name: Name | undefined) => unknown;
}

/** The steps of a wizard, in the address: Back and Forward walk them. */
export function useSteps<Name extends string>({ names, asked, faultOf, show }: StepsOptions<Name>): Steps {
  const [fault, setFault] = useState("");
  const requested = asked ? names.indexOf(asked) : 0;
  const firstOpen = (before: number) => names.findIndex((_, each) => each < before && faultOf(each) !== "");
  const open = firstOpen(requested);
  const go = (to: number) => {
    const first = firstOpen(to);
    setFault(first < 0 ? "" : faultOf(first));
    const next = first < 0 ? to : first;
    show(next > 0 ? names[next] : undefined);
    window.scrollTo({ top: 0 });
  };
  return { step: open < 0 ? requested : open, fault, forget: () => setFault(""), go };
}
