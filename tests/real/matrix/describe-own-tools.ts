import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentRequest, agentTargetOf, DONE, shellCall, shellCalls } from "../agent-request.ts";
import type { MatrixRow } from "../clis/matrix-row.ts";
import { modelRequestsOf } from "../model-request.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";

/** The CLI's own tools: reported when they run, not run without permission, not available in a completion. */
export function describeOwnTools({ name, shellName, providerAt }: MatrixRow): void {
  const { traits, options } = providerAt("");
  const target = agentTargetOf(name);

  describe(`the own tools of real ${name}`, () => {
    it(`a command that ${name} runs is reported, has run in the workspace, and its output reaches the model`, async () => {
      const call = shellCall(name, "pwd > where.txt; echo printed");
      const cli = await openRealCli(name, [{ kind: "tool-calls", text: "Let me look.", calls: [call] }, DONE]);
      const run = await cli.run(agentRequest(cli, { permissions: { mode: "bypass" } }), { target });
      expect(run.failure).toBeUndefined();
      expect(run.result.text).toBe("Done.");
      expect(readFileSync(join(cli.workspace, "where.txt"), "utf8").trim()).toBe(realpathSync(cli.workspace));
      const seen = eventsOf(run, "tool-end").map(({ name, isError }) => ({ name, isError }));
      expect(seen).toEqual([{ name: shellName, isError: false }]);
      expect(eventsOf(run, "tool-call")).toMatchObject([{ name: shellName, executor: "cli" }]);
      expect(JSON.stringify(run.result.toolCalls[0]?.input)).toContain("echo printed");
      expect(JSON.stringify(run.result.toolCalls[0]?.output)).toContain("printed");
      expect(modelRequestsOf(cli).at(-1)?.user.at(-1)).toContain("printed");
    });

    it(`${name} does not run a command without permission`, async () => {
      const cli = await openRealCli(name, shellCalls(name, "touch made.txt"));
      const run = await cli.run(agentRequest(cli), { target });
      expect(existsSync(join(cli.workspace, "made.txt"))).toBe(false);
      expect(run.result.toolCalls.filter((call) => !call.isError)).toEqual([]);
      if (options.includes("denial-reports")) {
        expect(eventsOf(run, "permission-denied")).toMatchObject([{ name: shellName }]);
        expect(run.result.permissionDenials).toMatchObject([{ name: shellName }]);
      }
      // A CLI whose tools cannot be restricted is not started.
      if (traits.ownTools === "restrict") expect(run.events).toHaveLength(2);
    });

    it(`in completion mode ${name} runs no tool, even if the model calls one`, async () => {
      const cli = await openRealCli(name);
      const made = join(cli.workspace, "made.txt");
      cli.api.answerWith(shellCalls(name, `touch ${made}`));
      const run = await cli.run({ prompt: "Do it." });
      expect(run.end).toMatchObject({ finish: "stop" });
      expect(cli.api.modelRequests.length).toBeGreaterThan(0);
      expect(existsSync(made)).toBe(false);
    });
  });
}
