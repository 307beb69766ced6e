import { expect, it } from "vitest";
import type { PromptRequest } from "../../spec/request.ts";
import { launchCodex } from "./launch.ts";
import { codexResident } from "./resident.ts";

const launch = (request: Partial<PromptRequest>, model = "gpt-6.1-sol", answersPermissions = false) =>
  codexResident.launch({ prompt: "hi", ...request }, { model, answersPermissions });

it("completions that differ in what a thread can be told share a process", () => {
  const plain = launch({});
  expect(launch({ prompt: "another", system: "Be brief." })).toEqual(plain);
  expect(launch({ system: "Be brief.", systemMode: "append", effort: "high" })).toEqual(plain);
  expect(launch({ outputSchema: { type: "object" }, images: [{ mediaType: "image/png", data: "AA==" }] })).toEqual(plain);
  expect(launch({ session: { keep: true } })).toEqual(plain);
});

it("completions of another model have another process, because its catalogue of models belongs to the process", () => {
  const { args, tempFiles } = launch({}, 'a "model"');
  expect(args).toContain('model="a \\"model\\""');
  expect(tempFiles?.map(({ content }) => JSON.parse(content).models[0].slug)).toEqual(['a "model"']);
});

it("an agent keeps its own tools and context", () => {
  const { args, tempFiles } = launch({ mode: "agent" });
  expect(args).toEqual([
    ...["app-server", "-c", "analytics.enabled=false", "--disable", "plugins", "--disable", "unbounded_connection_retries"],
    ...["--disable", "shell_snapshot", "-c", "sandbox_workspace_write.exclude_slash_tmp=true"],
    ...["-c", "sandbox_workspace_write.exclude_tmpdir_env_var=false"],
    ...["-c", 'approval_policy="never"', "-c", "thread_unload_delay_secs=0", "-c", 'model="gpt-6.1-sol"'],
  ]);
  expect(tempFiles).toEqual([]);
});

it("an agent without permissions may not write", () => {
  const { args } = launchCodex({ prompt: "hi", mode: "agent" }, { answersPermissions: false });
  expect(args.slice(args.indexOf("--sandbox"))[1]).toBe("read-only");
});

it.each([
  ["default", "on-request"],
  ["accept-edits", "on-request"],
  ["plan", "never"],
  ["dont-ask", "never"],
  ["bypass", "never"],
] as const)("an agent in mode %s whose host answers asks %s", (mode, policy) => {
  expect(launch({ mode: "agent", permissions: { mode } }, "gpt-5.5", true).args).toContain(`approval_policy="${policy}"`);
});

it("a completion never asks", () => {
  expect(launch({}, "gpt-5.5", true).args).toContain('approval_policy="never"');
});

it("only an agent that may edit may leave mount points", () => {
  const permissions = { mode: "accept-edits" } as const;
  expect(launch({ mode: "agent", permissions }).leftovers).toEqual([".git", ".codex", ".agents", ".aws"]);
  expect(launch({ mode: "agent" })).not.toHaveProperty("leftovers");
});

it.each([
  [undefined, true],
  [{ keep: true }, true],
  [{ resume: "x" }, true],
  [{ id: "x" }, false],
  [{ fork: "x" }, false],
] as const)("a session %j is served: %s", (session, isServed) => {
  const request = { prompt: "hi", ...(session !== undefined && { session }) };
  expect(codexResident.serves(request, { answersPermissions: false })).toBe(isServed);
});
