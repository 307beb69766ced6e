import { describe, expect, it } from "vitest";
import { builtinProviders } from "../clis/index.ts";
import type { ToolDefinition } from "../spec/message.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { RunRequest, Target } from "../spec/request.ts";
import { chooseToolWay } from "./native-tools.ts";

const LOOK: ToolDefinition = { name: "look", parameters: { type: "object", properties: { place: { type: "string" } } } };
const ANYTHING: ToolDefinition = { name: "note", parameters: { type: "object", additionalProperties: { type: "string" } } };

/** Why the tools go by text; undefined if they are tools of the CLI. */
function whyByText(
  id: string,
  request: Partial<RunRequest>,
  target: Partial<Target> = {},
  runner: "function" | "caller" = "function",
  env: Surroundings = {},
) {
  const provider = builtinProviders.find((one) => one.id === id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const whole = { prompt: "Hi.", tools: [LOOK], ...request } as RunRequest;
  const way = chooseToolWay({ provider, target: { provider: id, ...target } }, whole, { runner, canPark: true, env });
  return "reason" in way ? way.reason : undefined;
}

describe.each(["gemini", "qwen", "opencode", "copilot"])("host tools of %s", (id) => {
  it("are its own tools for a function, and for the caller if the CLI tells when all calls of an answer are known", () => {
    const isTold = id === "qwen" || id === "copilot";
    const reason = expect.stringContaining("does not tell when all calls of an answer are known");
    expect(whyByText(id, {})).toBeUndefined();
    expect(whyByText(id, {}, {}, "caller")).toEqual(isTold ? undefined : reason);
  });

  it("go by text where the bridge cannot serve the request", () => {
    expect(whyByText(id, {}, { transport: "resident" })).toContain("cannot offer host tools");
    expect(whyByText(id, { maxTurns: 2 })).toEqual(id === "qwen" ? undefined : expect.stringContaining("cannot limit its turns"));
    expect(whyByText(id, { mode: "agent" })).toEqual(id === "gemini" ? expect.stringContaining("cannot offer") : undefined);
    expect(whyByText(id, { tools: [ANYTHING] })).toEqual(id === "opencode" ? expect.stringContaining("schema") : undefined);
  });
});

it("a description that Claude Code would cut goes into the schema of its tool", () => {
  const provider = builtinProviders.find(({ id }) => id === "claude");
  if (provider === undefined) throw new Error("There is no provider claude.");
  const description = "Looks. ".repeat(300);
  const parameters = { ...LOOK.parameters, description: "Where." };
  const request = { prompt: "Hi.", tools: [{ ...LOOK, description, parameters }] };
  const way = chooseToolWay({ provider, target: { provider: "claude" } }, request, { runner: "caller", canPark: true, env: {} });
  expect("tools" in way ? way.tools : way).toEqual([
    {
      name: "look",
      description: "The description of look is that of its input schema.",
      parameters: { ...parameters, description: `${description}\n\nWhere.` },
    },
  ]);
  expect(whyByText("codex", { tools: [{ ...LOOK, description: "x".repeat(10_001) }] })).toContain("cut the description");
});

/** The names that the CLI gets for host tools with these names. */
function namesFor(id: string, names: readonly string[], mode: "agent" | "completion"): readonly string[] {
  const provider = builtinProviders.find((one) => one.id === id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const request = { prompt: "Hi.", tools: names.map((name) => ({ name })), mode };
  const way = chooseToolWay({ provider, target: { provider: id } }, request, { runner: "function", canPark: true, env: {} });
  return "tools" in way ? way.tools.map(({ name }) => name) : [way.reason];
}

it("a host tool with the name of a tool of the CLI, or one that it does not take, gets another name that no other tool has", () => {
  expect(namesFor("claude", ["Agent", "host_Agent", "look"], "completion")).toEqual(["host_Agent_2", "host_Agent", "look"]);
  expect(namesFor("claude", ["look.at", "look_at"], "agent")).toEqual(["host_look_at", "look_at"]);
  expect(namesFor("codex", ["apply_patch", "mcp__a__b"], "completion")).toEqual(["apply_patch", "mcp_a_b"]);
  expect(namesFor("codex", ["apply_patch"], "agent")).toEqual(["host_apply_patch"]);
  const long = "n".repeat(51);
  expect(namesFor("qwen", [long, `${long}m`], "completion")).toEqual(["n".repeat(50), `host_${"n".repeat(45)}`]);
});

it("host tools go by text if the CLI would ask a proxy for the bridge: the oldest Qwen Code, by the variables that it reads", () => {
  const byProxy = (variables: Surroundings, request: Partial<RunRequest> = {}) => [
    whyByText("qwen", request, {}, "caller", variables),
    whyByText("qwen", request, {}, "function", variables),
  ];
  for (const name of ["HTTP_PROXY", "https_proxy"])
    expect(byProxy({ [name]: "http://proxy:1" })).toEqual(Array(2).fill(`Qwen Code would ask the proxy of ${name} for them.`));
  expect(byProxy({}, { env: { HTTPS_PROXY: "http://proxy:1" } })).toEqual(Array(2).fill(expect.stringContaining("HTTPS_PROXY")));
  expect(byProxy({ HTTP_PROXY: "http://proxy:1" }, { env: { HTTP_PROXY: "" } })).toEqual([undefined, undefined]);
  expect(byProxy({ ALL_PROXY: "http://proxy:1" })).toEqual([undefined, undefined]);
  expect(whyByText("copilot", {}, {}, "caller", { HTTP_PROXY: "http://proxy:1" })).toBeUndefined();
});
