import { join } from "node:path";
import { expect, it } from "vitest";
import type { McpServer } from "../../src/spec/request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";

/** `cox mcp`, as `claude mcp add coxswain -- cox mcp` registers it. */
const COXSWAIN: McpServer = {
  command: process.execPath,
  args: [join(import.meta.dirname, "../../bin/cox.js"), "mcp"],
  required: true,
};

it("real claude asks another CLI through cox mcp, and its model gets the answer", async () => {
  const input = { prompt: "What does a coxswain do?", target: "rehearsal" };
  const wrong = { prompt: "hi", target: "rehearsal/not-logged-in" };
  const cli = await openRealCli("claude", [
    { kind: "tool-calls", calls: [input, wrong].map((each) => ({ name: "mcp__coxswain__ask", input: each })) },
    { kind: "text", text: "Done." },
  ]);
  const run = await cli.run({
    prompt: "Ask the rehearsal CLI.",
    mode: "agent",
    cwd: cli.workspace,
    permissions: { allow: ["mcp__coxswain"] },
    mcpServers: { coxswain: COXSWAIN },
  });
  expect(run.failure).toBeUndefined();
  expect(run.result.text).toBe("Done.");
  const [asked, failed] = eventsOf(run, "tool-end").toSorted((one, other) => Number(one.isError) - Number(other.isError));
  expect(asked).toMatchObject({ name: "mcp__coxswain__ask", isError: false });
  expect(JSON.stringify(asked?.output)).toContain("You asked: “What does a coxswain do?”.");
  expect(failed).toMatchObject({ name: "mcp__coxswain__ask", isError: true });
  expect(JSON.stringify(failed?.output)).toContain("Not logged in");
  const [started] = eventsOf(run, "session-start");
  const offered = started?.tools?.filter((tool) => tool.startsWith("mcp__coxswain__")).toSorted();
  expect(offered).toEqual(["ask", "compare", "health", "models", "session"].map((name) => `mcp__coxswain__${name}`));
  const [, second] = modelRequestsOf(cli);
  expect(JSON.stringify(second?.body)).toContain("You asked: “What does a coxswain do?”.");
});
