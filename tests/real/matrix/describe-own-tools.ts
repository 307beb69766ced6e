import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { agentRequest, agentTargetOf, DONE, shellCall, shellCalls } from "../../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import type { MatrixRow } from "../../support/real-clis/rows/matrix-row.ts";
import { eventsOf, openRealCli } from "../open-real-cli.ts";
import { secretsIn } from "../planted-surroundings.ts";
import { openPlanted, START_GRACE_MS } from "./open-planted.ts";

/** The CLI's own tools: reported when they run, and not run without permission. An agent uses what a completion does not. */
export function describeOwnTools(row: MatrixRow): void {
  const { name, shellName, providerAt, pure } = row;
  const { traits, options } = providerAt("");
  const target = agentTargetOf(name);

  describe(`the own tools of real ${name}`, () => {
    it(`a command that ${name} runs is reported, has run in the project, its output reaches the model, and the agent uses the plants`, async () => {
      const { cli, plants, env } = await openPlanted(row);
      const call = shellCall(name, "pwd > where.txt; echo printed");
      cli.api.answerWith([{ kind: "tool-calls", text: "Let me look.", calls: [call] }, DONE]);
      const permissions = row.wholeShell ?? { mode: "bypass" };
      const run = await cli.run(agentRequest(cli, { permissions, cwd: plants.project, env }), { target });
      expect(run.failure).toBeUndefined();
      expect(run.result).toMatchObject({ text: "Done.", permissionDenials: [] });
      expect(readFileSync(join(plants.project, "where.txt"), "utf8").trim()).toBe(realpathSync(plants.project));
      const seen = eventsOf(run, "tool-end").map(({ name, isError }) => ({ name, isError }));
      expect(seen).toEqual([{ name: shellName, isError: false }]);
      expect(eventsOf(run, "tool-call")).toMatchObject([{ name: shellName, executor: "cli" }]);
      expect(JSON.stringify(run.result.toolCalls[0]?.input)).toContain("echo printed");
      expect(JSON.stringify(run.result.toolCalls[0]?.output)).toContain("printed");
      // The texts of planted hooks may follow it.
      expect(modelRequestsOf(cli).at(-1)?.user.join("\n")).toContain("printed");
      await sleep(START_GRACE_MS);
      expect([...secretsIn(cli.api.requests), ...plants.started()]).toEqual(expect.arrayContaining([...pure.heeds]));
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
  });
}

/** A completion has no tools of its own. describe-pure-answers.ts proves the same and more. */
export function describeNoOwnTools({ name }: MatrixRow): void {
  it(`in completion mode ${name} runs no tool, even if the model calls one`, async () => {
    const cli = await openRealCli(name);
    const made = join(cli.workspace, "made.txt");
    cli.api.answerWith(shellCalls(name, `touch ${made}`));
    const run = await cli.run({ prompt: "Do it." });
    expect(run.end).toMatchObject({ finish: "stop" });
    expect(cli.api.modelRequests.length).toBeGreaterThan(0);
    expect(existsSync(made)).toBe(false);
  });
}
