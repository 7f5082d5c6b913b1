/** The states that have a colour. */
export type Tone = "ok" | "busy" | "warn" | "bad" | "off";
