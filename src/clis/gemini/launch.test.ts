import { expect, it } from "vitest";
import { pathOf, type StdinPlan } from "../../spec/provider/cli-data.ts";
import type { LaunchParts } from "../../spec/provider/provider.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { firstInput } from "../../spec/wire/define-wire.ts";
import { launchGemini, refuseForGemini } from "./launch.ts";
import { geminiStream } from "./stream.ts";

type Launched = LaunchParts & { readonly stdin: StdinPlan };

const ID = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const BASE = ["-o", "stream-json", "--raw-output", "--accept-raw-output-risk"];

const RULES = pathOf({ name: "permissions.toml", content: "" });
const POLICY = ["--admin-policy", RULES, "--policy", RULES];

function launch(given: Partial<PromptRequest>, env: Surroundings = {}): Launched {
  const request = { prompt: "Hello", ...given };
  return { ...launchGemini(request, { answersPermissions: false, env }), stdin: firstInput(geminiStream, request) };
}

function settingsOf({ homeFiles = [] }: LaunchParts): { security: { auth: { selectedType: string } } } {
  return JSON.parse(homeFiles.find(({ path }) => path === ".gemini/settings.json")?.content ?? "null");
}

it("a completion has our settings, its prompt as a command and an empty system prompt", () => {
  const { args, env, stdin, tempFiles, homeFiles } = launch({});
  const file = { name: "system-prompt.md", content: "" };
  expect({ args, env, stdin, tempFiles }).toEqual({
    args: BASE,
    env: { GEMINI_SYSTEM_MD: pathOf(file) },
    stdin: { text: "/coxswain-prompt", close: "now" },
    tempFiles: [file],
  });
  expect(homeFiles?.map(({ path }) => path)).toEqual([".gemini/settings.json", ".gemini/commands/coxswain-prompt.toml"]);
  expect(settingsOf(launch({}))).toMatchObject({
    tools: { core: [] },
    context: { memoryBoundaryMarkers: [] },
    hooksConfig: { enabled: false },
    general: { maxAttempts: 1 },
    privacy: { usageStatisticsEnabled: false },
  });
});

it("an agent has its own home, its own system prompt, its prompt on stdin, its rules and a hidden project, unless that is trusted", () => {
  const { args, env, stdin, tempFiles, homeFiles } = launch({ mode: "agent", trustProject: true });
  expect({ args, env, stdin }).toEqual({
    args: [...BASE, "--approval-mode", "default", ...POLICY],
    env: {},
    stdin: { text: "Hello", close: "now" },
  });
  expect([tempFiles?.map(({ name }) => name), homeFiles]).toEqual([["permissions.toml"], undefined]);
  const untrusted = launch({ mode: "agent" }, { NODE_OPTIONS: "--no-warnings" });
  expect(untrusted.env).toEqual({
    GEMINI_CLI_TRUST_WORKSPACE: "false",
    NODE_OPTIONS: expect.stringMatching(/^--import "\0json:hide-project\.cjs\0" --no-warnings$/),
  });
  expect(untrusted.tempFiles?.map(({ name }) => name)).toEqual(["permissions.toml", "hide-project.cjs"]);
});

it.each([
  ["default", "default", POLICY],
  ["plan", "plan", POLICY],
  ["dont-ask", "default", POLICY],
  ["accept-edits", "auto_edit", POLICY],
  ["bypass", "yolo", POLICY.slice(0, 2)],
] as const)("the permission mode %s is Gemini's %s", (mode, word, policy) => {
  const { args } = launch({ mode: "agent", permissions: { mode }, addDirs: ["/a", "/b"] });
  const directories = ["--include-directories", "/a", "--include-directories", "/b"];
  expect(args).toEqual([...BASE, "--approval-mode", word, ...directories, ...policy]);
});

it.each([
  [{ id: ID }, ["--session-id", ID]],
  [{ keep: true }, []],
  [{ resume: ID }, ["--resume", ID]],
] as const)("the session %j has the flags %j", (session, flags) => {
  expect(launch({ session }).args).toEqual([...BASE, ...flags]);
});

it.each<[string, Surroundings, Partial<PromptRequest>, string]>([
  ["nothing", {}, {}, "oauth-personal"],
  ["a key", { GEMINI_API_KEY: "k" }, {}, "gemini-api-key"],
  ["a key that is not meant", { GEMINI_API_KEY: "k" }, { auth: "subscription" }, "oauth-personal"],
  ["Vertex", { GOOGLE_GENAI_USE_VERTEXAI: "true", GEMINI_API_KEY: "k" }, {}, "vertex-ai"],
  ["a Google login and a key", { GOOGLE_GENAI_USE_GCA: "true", GEMINI_API_KEY: "k" }, {}, "oauth-personal"],
  ["the machine's login", { GEMINI_CLI_USE_COMPUTE_ADC: "true" }, {}, "compute-default-credentials"],
  ["an explicit login type", { GEMINI_DEFAULT_AUTH_TYPE: "gemini-api-key" }, {}, "gemini-api-key"],
])("%s in the environment selects the login", (_what, env, request, expected) => {
  expect(settingsOf(launch(request, env)).security.auth.selectedType).toBe(expected);
});

it("a prompt that no command can carry is passed on stdin if Gemini would execute nothing in it, and refused otherwise", () => {
  const plain = "a !{x} b @{y}";
  expect(launch({ prompt: plain }).stdin.text).toBe(plain);
  expect(refuseForGemini({ prompt: plain })).toBeUndefined();
  for (const prompt of [`/help ${plain}`, `/ help ${plain}`, `me@x.org ${plain}`]) {
    expect(refuseForGemini({ prompt })).toMatchObject({ code: "prompt-malformed" });
    expect(refuseForGemini({ prompt, mode: "agent" })).toBeUndefined();
  }
});

it("a system prompt with one of Gemini's placeholders is refused", () => {
  const refused = ["AgentSkills", "SubAgents", "AvailableTools", "other"].map(
    (name) => refuseForGemini({ prompt: "hi", system: `$\{${name}}` })?.code,
  );
  expect(refused).toEqual(["prompt-malformed", "prompt-malformed", "prompt-malformed", undefined]);
});

it("a directory with a comma is refused, because Gemini would make two of it", () => {
  expect(refuseForGemini({ prompt: "hi", mode: "agent", addDirs: ["/a", "/b,c"] })?.message).toContain('"/b,c"');
  expect(refuseForGemini({ prompt: "hi", mode: "agent", addDirs: ["/a"] })).toBeUndefined();
});
