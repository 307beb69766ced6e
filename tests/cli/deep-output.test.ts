import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cox, temporaryFolder } from "../support/cox/start-cox.ts";
import { toLines } from "../support/cox/start-rehearsal.ts";

const DEEP = `${'{"a":['.repeat(10_000)}${"]}".repeat(10_000)}`;

/** A configuration whose only provider prints a line of 20,000 levels and then its answer. */
function withDeepProvider(folder: { write(name: string, content: string): string }): string {
  const lines = [`{"type":"weather","sky":${DEEP}}`, '{"type":"content","content":"All good."}', '{"type":"turn.completed"}'];
  const script = `for (const line of ${JSON.stringify(lines)}) console.log(line);`;
  const provider = { providerId: "deep", command: process.execPath, outputFormat: "stream-json", defaultArgs: ["-e", script] };
  return folder.write("config.json", JSON.stringify({ providers: [provider] }));
}

describe.concurrent("a CLI that prints a line of 20,000 levels", () => {
  test.each([["--json"], ["--stream-json"], []])("loses no answer in cox ask %s", async (...args) => {
    using folder = temporaryFolder();
    const config = withDeepProvider(folder);
    const options = { env: { HOME: folder.path, XDG_STATE_HOME: folder.path } };
    const { stdout, stderr, exitCode } = await cox(["ask", "--config", config, "--provider", "deep", ...args, "hi"], options);
    expect({ exitCode, stderr: args.length > 0 ? stderr : "" }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("All good.");
    if (args.length > 0) expect(JSON.stringify(toLines(stdout))).toContain("line-too-deep");
  });

  test("loses no answer in cox decode", async () => {
    using folder = temporaryFolder();
    const recorded = fileURLToPath(new URL("../../fixtures/claude/partial-text/stdout", import.meta.url));
    const file = folder.write("stdout", `${DEEP}\n${readFileSync(recorded, "utf8")}`);
    const { stdout, exitCode } = await cox(["decode", "claude", file]);
    expect(exitCode).toBe(0);
    expect(toLines(stdout).at(-1)).toMatchObject({ type: "run-end", finish: "stop" });
  });
});
