import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const API = process.env.EDGEFLEET_API ?? "http://127.0.0.1:8080";
const ENTRY = fileURLToPath(new URL("./src/main.tsx", import.meta.url));
/** Modules of charts: several pages share them, but the first one does not. `figures` and `search` belong to the addresses. */
const CHARTS = /node_modules\/uplot\/.*js$|src\/charts\/|src\/history\/(?!figures|search)/;

/** A file of re-exports only: a page that imports one name of it does not need the others. */
const COMPONENTS = /@mantine\/core\/esm\/index\.mjs$/;
const NAMES = /import \{([^}]*)\} from "@mantine\/core"/g;

interface Modules {
  getModuleInfo(id: string): { code: string | null; exports: string[]; importedIds: string[] } | null;
}

let first: Set<string> | undefined;

/** Modules that have to be there before any page: what the entry imports, and what that imports. */
function firstModules(modules: Modules): Set<string> {
  if (first) return first;
  first = new Set([ENTRY]);
  for (const id of first) {
    const info = modules.getModuleInfo(id);
    for (const each of info?.importedIds ?? []) {
      if (!COMPONENTS.test(each)) first.add(each);
      else for (const found of componentsOf(info?.code ?? "", each, modules)) first.add(found);
    }
  }
  return first;
}

/** The modules of the names that `code` imports from the file of components. */
function componentsOf(code: string, barrel: string, modules: Modules): string[] {
  const names = [...code.matchAll(NAMES)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().split(" ")[0] ?? ""),
  );
  const all = modules.getModuleInfo(barrel)?.importedIds ?? [];
  return all.filter((id) => modules.getModuleInfo(id)?.exports.some((name) => names.includes(name)));
}

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "~": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../edgefleet_server/ui",
    emptyOutDir: true, // it lies outside this folder
    target: "es2022",
    assetsInlineLimit: 0, // the page's policy allows no data: URLs for fonts
    reportCompressedSize: false,
    // What several pages share is one file: thirty small ones cost a first visit more than the bytes that it may not need. The
    // entry has only what is there before any page, so that signing in does not wait for the rest.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: (id, modules) => (firstModules(modules).has(id) ? "first" : null), priority: 3 },
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
