import { textIn, type RawSearch } from "~/search";

/** What the address of a pipeline's page holds: the version shown, and the one to compare it with. */
export interface PipelineSearch {
  version?: string;
  against?: string;
}

export const pipelineSearch = (raw: RawSearch): PipelineSearch => ({
  version: textIn(raw.version),
  against: textIn(raw.against),
});
