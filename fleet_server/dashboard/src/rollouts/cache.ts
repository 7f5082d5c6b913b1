import type { QueryClient } from "@tanstack/react-query";
import type { Rollout } from "~/api/types";

/** What everybody who steers a rollout is asked. */
export const REASON = { label: "Reason", help: "Stands in the timeline, for those who come after you" };

/** Keep an answer as what is known of the rollout; its timeline and devices are asked for again. */
export function cacheRollout(client: QueryClient, fresh: Rollout): void {
  client.setQueryData(["rollout", fresh.id], fresh);
  void client.invalidateQueries({ queryKey: ["timeline", fresh.id] });
  void client.invalidateQueries({ queryKey: ["attempts", fresh.id] });
}
