import type { QueryClient } from "@tanstack/react-query";
import type { Rollout } from "~/api/types";

/** The reason field of every operator action on a rollout. */
export const REASON = { label: "Reason", help: "Shown in the timeline" };

/** Writes a response into the query cache and reloads the rollout's timeline and devices. */
export function cacheRollout(client: QueryClient, fresh: Rollout): void {
  client.setQueryData(["rollout", fresh.id], fresh);
  void client.invalidateQueries({ queryKey: ["timeline", fresh.id] });
  void client.invalidateQueries({ queryKey: ["attempts", fresh.id] });
}
