import { describe, expect, test } from "vitest";
import { cox } from "../support/cox/start-cox.ts";
import { openMachine } from "./open-machine.ts";

const CATALOG = JSON.stringify({
  models: [
    { slug: "gpt-6.1-sol", visibility: "list", about: "x".repeat(9000) },
    { slug: "new-model", visibility: "list" },
    { slug: "reviewer", visibility: "hide" },
  ],
});

describe.concurrent("cox models", () => {
  test("lists the models of the installed CLIs: as the CLI lists them, or those that Coxswain knows", async () => {
    using machine = openMachine();
    machine.install("claude");
    machine.install("codex", `[ "$*" = "debug models --bundled" ] && echo '${CATALOG}'`);
    const { stdout, stderr, exitCode } = await cox(["models"], machine.options);
    expect(stdout).toMatch(/^claude \(known to Coxswain; the account may have others\)\n {2}opus\n/);
    expect(stdout).toContain("\ncodex (as the CLI lists them)\n  gpt-6.1-sol (default)\n  new-model\n\n");
    expect(stdout).toContain("\nglm (known to Coxswain");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("does not say that an account of the rehearsal CLI may have others: there is no account", async () => {
    const { stdout } = await cox(["models", "rehearsal"]);
    expect(stdout).toMatch(/^rehearsal \(known to Coxswain\)\n {2}friendly \(default\)\n/);
  });

  test("--json says why a CLI did not list its models; one without any list is a failure", async () => {
    using machine = openMachine();
    machine.install("codex", "exit 1");
    machine.install("opencode", "echo broken");
    const { stdout, exitCode } = await cox(["models", "codex", "opencode", "--json"], machine.options);
    expect(JSON.parse(stdout)).toMatchObject([
      { provider: "codex", source: "built-in", models: expect.arrayContaining(["gpt-5.5"]), failure: { code: "unclassified" } },
      { provider: "opencode", source: "built-in", models: [], failure: { message: "OpenCode did not list its models." } },
    ]);
    expect(exitCode).toBe(1);
    expect((await cox(["models", "grok"], machine.options)).stderr).toContain("Grok Build was not found");
  });

  test("lists the known models of a missing CLI as a success; a missing CLI without any is a failure", async () => {
    using machine = openMachine();
    const known = await cox(["models", "codex"], machine.options);
    expect(known).toMatchObject({ stdout: expect.stringContaining("gpt-5.5"), exitCode: 0 });
    expect(known.stderr).toContain("Codex was not found");
    expect((await cox(["models", "opencode"], machine.options)).exitCode).toBe(7);
  });
});
