/** The five states that have a colour. Nothing else on a page is coloured. */
export type Tone = "ok" | "busy" | "warn" | "bad" | "off";
