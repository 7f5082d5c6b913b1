import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    env: { TZ: "UTC" },
    restoreMocks: true,
    testTimeout: 20_000,
    projects: [
      { extends: true, test: { name: "logic", include: ["tests/**/*.test.ts"], environment: "node" } },
      {
        extends: true,
        test: { name: "components", include: ["tests/**/*.test.tsx"], environment: "happy-dom", setupFiles: ["tests/setup.ts"] },
      },
    ],
  },
});
