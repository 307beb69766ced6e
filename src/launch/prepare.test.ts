import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { codex } from "../clis/codex/provider.ts";
import { copilot } from "../clis/copilot/provider.ts";
import { grokStream } from "../clis/grok/messages.ts";
import { rehearsal } from "../clis/rehearsal/provider.ts";
import type { LaunchPlan } from "../spec/provider/cli-data.ts";
import { type Transport, withSpawn } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { type PlanContext, planLaunch } from "./prepare.ts";

const CONTEXT: PlanContext = { command: "/opt/bin/claude", prefixArgs: [], answersPermissions: false };
const PROMPT = "--version @/etc/hostname; $(whoami) /help";

it("a plan has the provider, the command and the provider's arguments after the prefix", () => {
  const plan = planLaunch(
    claude,
    { provider: "claude-code" },
    { prompt: PROMPT },
    { ...CONTEXT, prefixArgs: ["--trace", "cli.js"] },
  );
  expect(plan).toMatchObject({ provider: "claude", command: "/opt/bin/claude" });
  expect(plan.args.slice(0, 3)).toEqual(["--trace", "cli.js", "-p"]);
});

it("the prompt is on stdin and in no argument and no variable", () => {
  const plan = planOf({ prompt: PROMPT });
  expect(plan.stdin.text).toContain(PROMPT);
  expect(JSON.stringify([plan.command, plan.args, plan.env, plan.cwd, plan.tempFiles])).not.toContain("hostname");
});

it("planning is pure: the same input gives the same plan, nothing given is changed, and the plan is plain data", () => {
  const request = deepFreeze<PromptRequest>({
    prompt: PROMPT,
    mode: "agent",
    cwd: "/work",
    addDirs: ["/data"],
    permissions: { mode: "dont-ask", allow: ["Bash(git status)"], tools: ["Bash"] },
    mcpServers: { one: { command: "server", env: { KEY: "secret" } } },
    env: { A: "1" },
    metadata: { ticket: 7 },
  });
  const target = deepFreeze<Target>({ provider: "claude", model: "opus", profile: "/home/other" });
  const first = planLaunch(claude, target, request, deepFreeze({ ...CONTEXT }));
  expect(planLaunch(claude, target, request, CONTEXT)).toEqual(first);
  expect(JSON.parse(JSON.stringify(first))).toEqual(first);
  expect(JSON.stringify(first)).not.toContain("ticket");
});

it("only the plan of an agent that may write has leftovers", () => {
  const leftoversOf = (request: Partial<PromptRequest>): readonly string[] | undefined =>
    planLaunch(codex, { provider: "codex" }, { prompt: "x", ...request }, CONTEXT).leftovers;
  expect(leftoversOf({ mode: "agent", permissions: { mode: "accept-edits" } })).toEqual([".git", ".codex", ".agents", ".aws"]);
  for (const mode of ["default", "plan", "dont-ask", "bypass"] as const)
    expect(leftoversOf({ mode: "agent", permissions: { mode } }), mode).toBeUndefined();
  expect(leftoversOf({ permissions: { mode: "accept-edits" } })).toBeUndefined();
});

it("TERM, NO_COLOR and CI are set for every CLI, whatever it inherits", () => {
  const plan = planOf({ prompt: "x" });
  expect(plan.env).toMatchObject({ TERM: "dumb", NO_COLOR: "1", CI: "true" });
  expect(plan.stripEnv).toEqual(expect.arrayContaining(["FORCE_COLOR", "CLICOLOR_FORCE"]));
});

it("the provider's variables are set, its stripped variables and the signs of a session around are removed", () => {
  expect(planOf({ prompt: "x" }).env).toMatchObject(claude.env.set);
  const { stripEnv } = planLaunch(copilot, { provider: "copilot" }, { prompt: "x" }, CONTEXT);
  expect(stripEnv).toEqual(expect.arrayContaining(["COPILOT_ALLOW_ALL", "CLAUDECODE", "CODEX_THREAD_ID"]));
});

it("the request's variables take precedence over the provider's and ours", () => {
  const env = { NO_COLOR: "0", DISABLE_TELEMETRY: "0", CLAUDE_CONFIG_DIR: "/from-request", MINE: "1" };
  expect(planOf({ prompt: "x", env }, { provider: "claude", profile: "/from-target" }).env).toMatchObject(env);
});

it.each([
  ["subscription", true],
  ["inherit", false],
  ["api-key", false],
  [undefined, false],
] as const)("with auth %s, API keys are stripped: %s", (auth, stripped) => {
  const { stripEnv } = planOf({ prompt: "x", ...(auth !== undefined && { auth }) });
  expect(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"].map((name) => stripEnv.includes(name))).toEqual([stripped, stripped]);
});

it("a profile sets the variable that selects another login", () => {
  expect(planOf({ prompt: "x" }, { provider: "claude", profile: "/home/other" }).env).toMatchObject({
    CLAUDE_CONFIG_DIR: "/home/other",
  });
  expect(planOf({ prompt: "x" }).env).not.toHaveProperty("CLAUDE_CONFIG_DIR");
});

it("a provider without profiles ignores a profile", () => {
  const plan = planLaunch(rehearsal, { provider: "rehearsal", profile: "/home/other" }, { prompt: "x" }, CONTEXT);
  expect(JSON.stringify(plan)).not.toContain("/home/other");
});

it("a completion runs in a private directory, an agent in the given one or the host's", () => {
  expect(planOf({ prompt: "x" }).cwd).toEqual({ kind: "private" });
  expect(planOf({ prompt: "x", mode: "completion" }).cwd).toEqual({ kind: "private" });
  expect(planOf({ prompt: "x", mode: "agent", cwd: "/work" }).cwd).toEqual({ kind: "given", path: "/work" });
  expect(planOf({ prompt: "x", mode: "agent" }).cwd).toEqual({ kind: "given", path: "." });
});

it("the target's model takes precedence over the provider's default; without both there is none", () => {
  expect(planLaunch(rehearsal, { provider: "rehearsal" }, { prompt: "x" }, CONTEXT).args).toEqual(
    expect.arrayContaining(["--model", "friendly"]),
  );
  const chosen = planLaunch(rehearsal, { provider: "rehearsal", model: "slow" }, { prompt: "x" }, CONTEXT).args;
  expect(chosen[chosen.indexOf("--model") + 1]).toBe("slow");
  expect(planOf({ prompt: "x" }).args).not.toContain("--model");
});

it("the launch gets whether the host answers permission requests", () => {
  const agent: PromptRequest = { prompt: "x", mode: "agent" };
  const answered = planLaunch(claude, { provider: "claude" }, agent, { ...CONTEXT, answersPermissions: true });
  expect(answered.args).toContain("--permission-prompt-tool");
  expect(planOf(agent).args).not.toContain("--permission-prompt-tool");
});

it("the plan has the files and variables of the launch; without files it has none", () => {
  const tempFiles = [{ name: "f.json", content: "{}" }];
  const launch: Transport["launch"] = () => ({
    args: ["f.json"],
    env: { FROM_LAUNCH: "1" },
    tempFiles,
  });
  const plan = planLaunch(withSpawn(claude, { launch, wire: grokStream }), { provider: "claude" }, { prompt: "x" }, CONTEXT);
  expect(plan).toMatchObject({ args: ["f.json"], tempFiles, stdin: { text: "", close: "now" }, env: { FROM_LAUNCH: "1" } });
  const bare: Transport["launch"] = () => ({ args: [] });
  expect(planLaunch(withSpawn(claude, { launch: bare }), { provider: "claude" }, { prompt: "x" }, CONTEXT).tempFiles).toEqual([]);
});

it("stdout is a pipe unless the provider asks for a file", () => {
  expect(planOf({ prompt: "x" }).stdout).toBe("pipe");
  expect(planLaunch(withSpawn(claude, { stdout: "file" }), { provider: "claude" }, { prompt: "x" }, CONTEXT).stdout).toBe("file");
});

it("the launch gets the inherited environment with the request's variables", () => {
  const launch: Transport["launch"] = (_, { env }) => ({ args: [JSON.stringify(env)] });
  const context = { ...CONTEXT, env: { LANG: "C", KEY: "inherited" } };
  const plan = planLaunch(withSpawn(claude, { launch }), { provider: "claude" }, { prompt: "x", env: { KEY: "given" } }, context);
  expect(JSON.parse(plan.args[0] ?? "")).toEqual({ LANG: "C", KEY: "given" });
  expect(plan.env).not.toHaveProperty("LANG");
});

it("the home of a run has the files of the launch, and has kept folders only with a session", () => {
  const own = { path: "settings.json", content: "{}" };
  const launch: Transport["launch"] = () => ({
    args: [],
    homeFiles: [{ path: "prompt.md", content: "x" }],
  });
  const privateHome = { variable: "CLI_HOME", folder: ".cli", links: ["login"], files: [own], forRun: true, kept: ["chats"] };
  const planWith = (request: PromptRequest, home = privateHome): LaunchPlan =>
    planLaunch(withSpawn({ ...claude, privateHome: home }, { launch }), { provider: "claude" }, request, CONTEXT);
  const files = [own, { path: "prompt.md", content: "x" }];
  expect(planWith({ prompt: "x" }).home).toEqual({ ...privateHome, files, kept: [] });
  expect(planWith({ prompt: "x", session: { keep: true } }).home).toEqual({ ...privateHome, files });
  expect(planWith({ prompt: "x" }, { ...privateHome, forRun: false }).home).toEqual({ ...privateHome, forRun: false });
  expect(planWith({ prompt: "x", mode: "agent" }).home).toBeUndefined();
});

function planOf(request: PromptRequest, target: Target = { provider: "claude" }): LaunchPlan {
  return planLaunch(claude, target, request, CONTEXT);
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
