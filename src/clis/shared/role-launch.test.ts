import { expect, it } from "vitest";
import { pathInJson, RUN_DIRECTORY } from "../../spec/provider/cli-data.ts";
import { firstInput } from "../../spec/wire/define-wire.ts";
import { axGlm, axGrok } from "../ax/provider.ts";
import { grokVibe } from "../grok-vibe/provider.ts";
import { TOOLS_OFF } from "./role-launch.ts";

const OPTIONS = { answersPermissions: false };

it.each([axGlm, axGrok, grokVibe])("$id gets the prompt as an argument that is no option, and nothing on stdin", (provider) => {
  const { launch, wire } = provider.transports.spawn;
  const { args } = launch({ prompt: "--help" }, { ...OPTIONS, model: "m" });
  expect(args).toEqual(["--prompt=--help", "--max-tool-rounds", "5", "--directory", RUN_DIRECTORY, "--model", "m"]);
  expect(firstInput(wire, { prompt: "--help" })).toEqual({ text: "", close: "now" });
});

it.each([axGlm, axGrok, grokVibe])(
  "in a completion of $id the tools have no effect, whatever NODE_OPTIONS had before",
  (provider) => {
    const preload = `--require "${pathInJson(TOOLS_OFF)}"`;
    const alone = provider.transports.spawn.launch({ prompt: "hi" }, OPTIONS);
    expect(alone.env).toMatchObject({ NODE_OPTIONS: preload });
    expect(alone.tempFiles).toEqual([TOOLS_OFF]);
    const env = { NODE_OPTIONS: "--use-system-ca" };
    expect(provider.transports.spawn.launch({ prompt: "hi" }, { ...OPTIONS, env }).env).toMatchObject({
      NODE_OPTIONS: `--use-system-ca ${preload}`,
    });
  },
);

it.each([axGlm, axGrok, grokVibe])(
  "$id runs as an agent only if everything is allowed, with its tools and in its directory",
  (provider) => {
    const agent = { prompt: "hi", mode: "agent", permissions: { mode: "bypass" } } as const;
    expect(provider.refuse?.(agent, {})).toBeUndefined();
    expect(provider.refuse?.({ prompt: "hi" }, {})).toBeUndefined();
    for (const mode of ["default", "plan", "accept-edits", "dont-ask"] as const)
      expect(provider.refuse?.({ ...agent, permissions: { mode } }, {})).toMatchObject({ code: "option-unsupported" });
    expect(provider.refuse?.({ prompt: "hi", mode: "agent" }, {})).toMatchObject({ code: "option-unsupported" });
    const { args, env = {} } = provider.transports.spawn.launch(agent, OPTIONS);
    expect(args).toEqual(["--prompt=hi", "--max-tool-rounds", "400"]);
    expect(env).not.toHaveProperty("NODE_OPTIONS");
  },
);

it("grok-vibe requests more than its default of 1,536 tokens", () => {
  const limit = (request: object, env = {}): unknown =>
    grokVibe.transports.spawn.launch({ prompt: "hi", ...request }, { ...OPTIONS, env }).env?.["GROK_MAX_TOKENS"];
  expect(limit({})).toBe("16384");
  expect(limit({}, { GROK_MAX_TOKENS: "99" })).toBe("99");
  expect(limit({ maxOutputTokens: 7 }, { GROK_MAX_TOKENS: "99" })).toBe("7");
});

it("the program of another vendor with the same name is recognised by its version", async () => {
  const { grok } = await import("../grok/provider.ts");
  expect(grok.versionPattern?.test("grok 1.0.41 (4220f3b224a6)")).toBe(true);
  expect(grok.versionPattern?.test("1.0.1")).toBe(false);
  expect(grokVibe.versionPattern?.test("1.0.1")).toBe(true);
  expect(grokVibe.versionPattern?.test("grok 1.0.41 (4220f3b224a6)")).toBe(false);
});
