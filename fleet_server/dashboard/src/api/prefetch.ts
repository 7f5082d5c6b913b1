import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client";
import { mustSignIn, sessionQuery } from "./people";
import { devicesQuery, overviewQuery } from "./queries";

/** A session can end at any moment: whoever is told so asks again who is at the screen, and the door shows itself. */
const refused = (error: Error): void => {
  if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: ["session"] });
};
export const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refused }),
  mutationCache: new MutationCache({ onError: refused }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

/** Ask for what the fleet page shows first, while its code is still on its way; nothing for somebody who has to sign in. */
export async function prefetchFleet(filter: Parameters<typeof devicesQuery>[0]): Promise<void> {
  const session = await client.ensureQueryData(sessionQuery).catch(() => undefined);
  if (!session || mustSignIn(session)) return;
  void client.prefetchQuery(devicesQuery(filter));
  void client.prefetchQuery(overviewQuery);
}
