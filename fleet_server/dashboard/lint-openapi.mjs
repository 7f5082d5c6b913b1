// Checks docs/openapi.json by the recommended rules of Redocly; any finding fails.
import { createConfig, formatProblems, getTotals, lint } from "@redocly/openapi-core";

// The two operations of a sign-in with OpenID answer with redirections alone.
const config = await createConfig({ extends: ["recommended"], rules: { "operation-2xx-response": "off" } });
const problems = await lint({ ref: "../../docs/openapi.json", config });
if (problems.length > 0) {
  formatProblems(problems, { format: "stylish", version: "", totals: getTotals(problems) });
  process.exit(1);
}
