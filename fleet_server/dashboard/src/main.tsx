import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "uplot/dist/uPlot.min.css";
import "./theme/tokens.css";

import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/client";
import { sessionQuery } from "./api/people";
import { LiveProvider } from "./live/LiveProvider";
import { router } from "./router";
import { theme } from "./theme/theme";

const colours = localStorageColorSchemeManager({ key: "edgefleet-colour-scheme" });

/** A session can end at any moment: whoever is told so asks again who is at the screen, and the door shows itself. */
const refused = (error: Error): void => {
  if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: ["session"] });
};
const client: QueryClient = new QueryClient({
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

void client.prefetchQuery(sessionQuery); // while the page's own code is still on its way

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colours}>
      <Notifications position="bottom-right" autoClose={6000} />
      <QueryClientProvider client={client}>
        <LiveProvider>
          <RouterProvider router={router} />
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
