import type { RawSearch } from "~/search";

/** What the address of the proposals page holds: `past` shows decided proposals, too. */
export interface ProposalsSearch {
  past?: true;
  page?: number;
}

export const proposalsSearch = (raw: RawSearch): ProposalsSearch => {
  const page = Number(raw.page);
  return {
    past: raw.past === true || raw.past === "true" || undefined,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  };
};
