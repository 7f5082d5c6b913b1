import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client";
import { mustSignIn, sessionQuery } from "./people";
import { devicesQuery, overviewQuery } from "./queries";

/** Reloads the session when a request is refused with 401, so that the sign-in page is shown. */
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

/** Requests the data of the fleet page while its code is still loading; does nothing if the user must sign in. */
export async function prefetchFleet(filter: Parameters<typeof devicesQuery>[0]): Promise<void> {
  const session = await client.ensureQueryData(sessionQuery).catch(() => undefined);
  if (!session || mustSignIn(session)) return;
  void client.prefetchQuery(devicesQuery(filter));
  void client.prefetchQuery(overviewQuery);
}
