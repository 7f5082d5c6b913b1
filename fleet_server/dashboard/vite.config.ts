import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const API = process.env.EDGEFLEET_API ?? "http://127.0.0.1:8080";
/** Modules of charts: several pages share them, but the first one does not. `figures` and `search` belong to the addresses. */
const CHARTS = /node_modules\/uplot\/.*js$|src\/history\/(?!figures|search)/;

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "~": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../edgefleet_server/ui",
    emptyOutDir: true, // it lies outside this folder
    target: "es2022",
    assetsInlineLimit: 0, // the page's policy allows no data: URLs for fonts
    reportCompressedSize: false,
    // What several pages share is one file: thirty small ones cost a first visit more than the bytes that it may not need.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "shared", test: (id) => !CHARTS.test(id), minShareCount: 2, priority: 2 },
            { name: "charts", test: CHARTS, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
    license: { fileName: "third-party-notices.md" },
  },
  server: { proxy: { "/api": API } },
  preview: { proxy: { "/api": API } },
});
