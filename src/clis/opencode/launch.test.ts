import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../spec/json.ts";
import { pathOf, RUN_DIRECTORY, type StdinPlan } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { firstInput } from "../../spec/wire/define-wire.ts";
import { OPENCODE_AGENT } from "./config.ts";
import { launchOpencode, refuseOpencode } from "./launch.ts";
import { opencodeRun } from "./run-lines.ts";

type Launched = LaunchParts & { readonly stdin: StdinPlan };

const SESSION = "ses_e1f984f60ffe0hNa50Lr5xBPMl";

it("a bare completion names an agent without tools and is stored in memory only", () => {
  const { args, env = {}, stdin } = launch({});
  expect(args).toEqual([
    ...["run", "--format", "json", "--thinking", "--agent", OPENCODE_AGENT, "--pure", "--title", "Coxswain"],
    ...["--model", "fake/model"],
  ]);
  expect(env).toMatchObject({ OPENCODE_DB: ":memory:", OPENCODE_DISABLE_PROJECT_CONFIG: "1", XDG_CONFIG_HOME: "" });
  expect(stdin).toEqual({ text: "hi", close: "now" });
  expect(configOf(launch({}))).toMatchObject({
    share: "disabled",
    agent: { [OPENCODE_AGENT]: { mode: "primary", prompt: " ", permission: { "*": "deny" } } },
  });
});

it("the configuration is a private file, and OpenCode's leftovers are in the same directory", () => {
  const { env = {}, tempFiles = [] } = launch({});
  const [file] = tempFiles;
  expect(file?.name).toBe("opencode.json");
  expect(env).toMatchObject({ OPENCODE_CONFIG: file && pathOf(file), BUN_TMPDIR: RUN_DIRECTORY });
});

it("if the user has a configuration file, ours is passed in the other variable", () => {
  const { env = {} } = launch({}, { env: { OPENCODE_CONFIG: "/mine.json" } });
  expect(env).not.toHaveProperty("OPENCODE_CONFIG");
  expect(JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "")).toHaveProperty(["agent", OPENCODE_AGENT]);
});

it("a completion takes the models of the user's inline configuration, and an agent takes all of it", () => {
  const inline = { model: "fake/model", provider: { fake: { options: { apiKey: "{env:KEY}" } } }, mcp: {}, instructions: ["x"] };
  const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify(inline) };
  const { OPENCODE_CONFIG_CONTENT: kept = "" } = launch({}, { env }).env ?? {};
  expect(JSON.parse(kept)).toEqual({ model: inline.model, provider: inline.provider });
  expect(launch({ mode: "agent" }, { env }).env).not.toHaveProperty("OPENCODE_CONFIG_CONTENT");
  const jsonc = '{ "model": "fake/model" } // mine';
  expect(launch({}, { env: { OPENCODE_CONFIG_CONTENT: jsonc } }).env).toMatchObject({ OPENCODE_CONFIG_CONTENT: jsonc });
});

it("references to variables and files in a system prompt are not expanded", () => {
  const system = "Keep {env:HOME}, {file:/etc/hostname} and {x}.\n";
  const parts = launch({ system });
  expect(configOf(parts)).toMatchObject({ agent: { [OPENCODE_AGENT]: { prompt: system } } });
  expect(parts.tempFiles?.[0]?.content).not.toMatch(/\{(?:env|file):/);
});

it("a rule that OpenCode would misread is refused", () => {
  const request: PromptRequest = { prompt: "hi", mode: "agent", permissions: { deny: ["bash(123)"] } };
  expect(refuseOpencode(request, { model: "fake/model" })).toMatchObject({ message: expect.stringContaining('"bash(123)"') });
});

it("accept-edits is refused, because the tools follow links out of the working directory", () => {
  const request: PromptRequest = { prompt: "hi", mode: "agent", permissions: { mode: "accept-edits" } };
  expect(refuseOpencode(request, { model: "fake/model" })).toMatchObject({ message: expect.stringContaining("accept-edits") });
  expect(refuseOpencode({ ...request, permissions: { allow: ["Edit"] } }, { model: "fake/model" })).toBeUndefined();
});

it("the hosted service exists only for a target that names it", () => {
  const nothing = { opencode: { whitelist: [] } };
  expect(configOf(launch({}))["provider"]).toEqual(nothing);
  expect(configOf(launchOpencode({ prompt: "hi", mode: "agent" }, { answersPermissions: false }))["provider"]).toEqual(nothing);
  expect(configOf(launch({}, { model: "opencode/big-pickle" }))).not.toHaveProperty("provider");
});

it("an agent keeps the user's configuration and its own system prompt, under our rules", () => {
  const parts = launch({ mode: "agent", cwd: "/work" });
  expect(parts.args).toContain("--title=");
  expect(parts.args).not.toContain("--pure");
  expect(Object.keys(parts.env ?? {}).toSorted()).toEqual(["BUN_TMPDIR", "OPENCODE_CONFIG", "OPENCODE_DISABLE_PROJECT_CONFIG"]);
  expect(configOf(parts)).toMatchObject({ agent: { [OPENCODE_AGENT]: { permission: { "*": "deny", grep: "allow" } } } });
  expect(configOf(parts)).not.toHaveProperty(["agent", OPENCODE_AGENT, "prompt"]);
});

it("sessions are stored, resumed and forked in our own database", () => {
  expect(launch({ session: { keep: true } }).env).toMatchObject({ OPENCODE_DB: "coxswain.db" });
  expect(launch({ session: { resume: SESSION } }).args.slice(-2)).toEqual(["--session", SESSION]);
  expect(launch({ session: { fork: SESSION } }).args.slice(-3)).toEqual(["--session", SESSION, "--fork"]);
  expect(launch({ mode: "agent", session: { keep: true } }).env).not.toHaveProperty("OPENCODE_DB");
});

it("MCP servers of a completion are configured and allowed", () => {
  const mcpServers = {
    lab: { command: "node", args: ["lab.mjs"], env: { KEY: "secret" } },
    far: { type: "http", url: "https://x.example", headers: { a: "b" } },
  } as const;
  expect(configOf(launch({ mcpServers }))).toMatchObject({
    mcp: {
      lab: { type: "local", command: ["node", "lab.mjs"], environment: { KEY: "secret" }, enabled: true },
      far: { type: "remote", url: "https://x.example", headers: { a: "b" }, enabled: true },
    },
    agent: { [OPENCODE_AGENT]: { permission: { "*": "deny", "lab_*": "allow", "far_*": "allow" } } },
  });
});

it("an agent may call host tools, without OpenCode's time limit and whatever its permissions are", () => {
  const server = { type: "http", url: "http://127.0.0.1:1/x" } as const;
  const request = { mode: "agent", mcpServers: { host: server, own: server }, hostServer: "host" } as const;
  const config = configOf(launch({ ...request, permissions: { tools: ["read"] } }));
  expect(config).toMatchObject({
    mcp: { host: { timeout: 86_400_000 } },
    agent: { [OPENCODE_AGENT]: { permission: { "host_*": "allow" } } },
  });
  expect(config).not.toHaveProperty("mcp.own.timeout");
  expect(config).not.toHaveProperty(["agent", OPENCODE_AGENT, "permission", "own_*"]);
});

it("a byte order mark of the prompt is written twice", () => {
  expect(launch({ prompt: "\uFEFFhi" }).stdin.text).toBe("\uFEFF\uFEFFhi");
});

describe("refused requests", () => {
  it.each([
    ["a completion without a model", {}, {}, "model-unknown"],
    ["a model without a provider", { model: "gpt" }, {}, "model-unknown"],
    [
      "both variables of the user",
      { model: "a/b" },
      { OPENCODE_CONFIG: "x", OPENCODE_CONFIG_CONTENT: "{}" },
      "cli-misconfigured",
    ],
  ])("%s", (_name, chosen, env, code) => {
    expect(refuseOpencode({ prompt: "hi" }, { ...chosen, env })?.code).toBe(code);
  });

  it.each([
    ["a completion with a model", {}, { model: "fake/a/b" }, {}],
    ["a completion whose model may be configured by environment", {}, {}, { OPENCODE_CONFIG_CONTENT: "{}" }],
    ["an agent, whose model may be configured", { mode: "agent" }, {}, {}],
  ] as const)("not %s", (_name, request, chosen, env) => {
    expect(refuseOpencode({ prompt: "hi", ...request }, { ...chosen, env })).toBeUndefined();
  });
});

function launch(given: Partial<PromptRequest>, options: Partial<LaunchOptions> = {}): Launched {
  const request = { prompt: "hi", ...given };
  const parts = launchOpencode(request, { model: "fake/model", answersPermissions: false, ...options });
  return { ...parts, stdin: firstInput(opencodeRun, request) };
}

function configOf({ tempFiles = [] }: LaunchParts): JsonObject {
  return JSON.parse(tempFiles[0]?.content ?? "");
}
