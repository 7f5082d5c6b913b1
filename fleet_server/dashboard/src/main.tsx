import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "uplot/dist/uPlot.min.css";
import "./theme/tokens.css";

import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { client } from "./api/prefetch";
import { sessionQuery } from "./api/people";
import { registerWorker } from "./layout/worker";
import { LiveProvider } from "./live/LiveProvider";
import { router } from "./router";
import { theme } from "./theme/theme";

const colours = localStorageColorSchemeManager({ key: "edgefleet-colour-scheme" });

void client.prefetchQuery(sessionQuery); // while the page's own code is still on its way

registerWorker();

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
