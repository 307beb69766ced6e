import { expect, test } from "vitest";
import { builtinProviders } from "../../src/index.ts";
import type { StdinPlan } from "../../src/spec/provider/cli-data.ts";
import type { LaunchParts, Provider } from "../../src/spec/provider/provider.ts";
import type { RunMode } from "../../src/spec/request.ts";
import { firstInput } from "../../src/spec/wire/define-wire.ts";

const PROMPT = "Say hello, please.";

test("R69 gemini is the command gemini, prints JSON lines and takes its prompt by stdin, never as an argument, with a Google login", () => {
  const gemini = named("gemini");
  expect(gemini).toMatchObject({
    binary: { names: ["gemini"] },
    transports: { spawn: { wire: { framing: "stream-json" } } },
    login: "gemini",
  });
  expect(gemini.loginStatus).toMatchObject({ files: { names: [".gemini/oauth_creds.json"] } });
  expectOnStdin(gemini);
});

test("R71 qwen is the command qwen, takes its prompt by stdin, never as an argument, knows text, and takes DashScope credentials", () => {
  const qwen = named("qwen");
  expect(qwen).toMatchObject({ binary: { names: ["qwen"] }, login: "qwen auth" });
  expect(qwen.recordedWires?.map(({ framing }) => framing)).toContain("text");
  expect(qwen.env.apiKeys).toContain("DASHSCOPE_API_KEY");
  expectOnStdin(qwen);
});

test.for([
  ["R72", "ax-glm", "ZAI_API_KEY"],
  ["R73", "ax-grok", "XAI_API_KEY"],
] as const)("%s %s is the command of that name, prints JSON lines and takes the prompt as argument, with %s", ([, id, key]) => {
  const provider = named(id);
  expect(provider).toMatchObject({ binary: { names: [id] }, transports: { spawn: { wire: { framing: "stream-json" } } } });
  expect(provider.env.apiKeys).toContain(key);
  const { args, stdin } = launch(provider);
  expect(args.some((argument) => argument.endsWith(PROMPT))).toBe(true);
  expect(stdin).toEqual({ text: "", close: "now" });
});

test("R72 R73 glm and grok mean what users have today", () => {
  expect(named("glm")).toMatchObject({
    binary: { names: ["claude"] },
    env: { apiKeys: expect.arrayContaining(["ZAI_API_KEY"]) },
  });
  expect(named("grok")).toMatchObject({ binary: { names: ["grok"] }, install: "npm install -g @xai-official/grok" });
});

function named(id: string): Provider {
  const provider = builtinProviders.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new Error(`there is no ${id}`);
  return provider;
}

function launch({ transports }: Provider, mode: RunMode = "completion"): LaunchParts & { readonly stdin: StdinPlan } {
  const request = { prompt: PROMPT, mode };
  const { launch: launchIt, wire } = transports.spawn;
  return { ...launchIt(request, { answersPermissions: false }), stdin: firstInput(wire, request) };
}

/**
 * In a completion stdin refers to a private file with the prompt, so that nothing in the prompt is taken for a command or a
 * mention.
 */
function expectOnStdin(provider: Provider): void {
  const completion = launch(provider);
  expect([completion.stdin.text, ...(completion.homeFiles ?? []).map(({ content }) => content)].join("\n")).toContain(PROMPT);
  const agent = launch(provider, "agent");
  expect(agent.stdin.text).toContain(PROMPT);
  for (const { args, stdin } of [completion, agent]) {
    expect(args.join("\n")).not.toContain(PROMPT);
    expect(stdin.text).not.toBe("");
  }
}
