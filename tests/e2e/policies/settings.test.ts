import { expect, it } from "vitest";
import type { Capabilities } from "../../../src/index.ts";
import type { RunRequest } from "../../../src/spec/request.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { playedCli } from "../../support/clis/played-cli.ts";
import { answers, fails } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const SETTINGS = { effort: "high", maxTurns: 3, maxOutputTokens: 500 } as const;
const able = { options: [...playedCli.options, "effort" as const, "max-turns" as const, "max-output-tokens" as const] };

it.each(Object.entries(SETTINGS))("%s is omitted with a warning if the CLI does not support it", async (name, value) => {
  const fleet = openFleet({ a: [answers("Here.")] });
  const { events, result } = await fleet.finish("a", { [name]: value });
  expect(result.text).toBe("Here.");
  expect(eventsOf(events, "warning")).toMatchObject([{ code: "setting-ignored", message: expect.stringContaining(name) }]);
  expect(result.warnings).toHaveLength(1);
  expect(fleet.calls("a")[0]?.told).not.toHaveProperty(name);
});

it("backgroundTasks off is left out with a warning where the CLI has no such switch; wait is what every CLI does", async () => {
  const fleet = openFleet({ a: [answers("Here.")] });
  const { result } = await fleet.finish("a", { mode: "agent", backgroundTasks: "off" });
  expect(result.text).toBe("Here.");
  const message = "CLI a does not support switching off background tasks; backgroundTasks was left out.";
  expect(result.warnings).toEqual([{ code: "setting-ignored", message, setting: "backgroundTasks" }]);
  expect((await fleet.finish("a", { mode: "agent", backgroundTasks: "wait" })).result.warnings).toEqual([]);
  const strict = await fleet.finish("a", { mode: "agent", backgroundTasks: "off", strict: true });
  expect(strict.end.failure).toMatchObject({ code: "option-unsupported" });
  const completion = await fleet.finish("a", { backgroundTasks: "off" });
  expect(completion.end.failure).toMatchObject({ code: "options-conflict" });
});

it("settings that the CLI supports are passed without a warning", async () => {
  const fleet = openFleet({ a: [answers("Here.")] }, { changes: { a: able } });
  const { result } = await fleet.finish("a", { ...SETTINGS, strict: true });
  expect(result.warnings).toEqual([]);
  expect(fleet.calls("a")[0]?.told).toMatchObject(SETTINGS);
});

it("the warning comes once for each target, not for each attempt", async () => {
  const fleet = openFleet({ a: [fails("overloaded")], b: [fails("overloaded"), answers("From b.")], c: [] });
  const { result } = await fleet.finish(["a", "b", "c"], SETTINGS);
  expect([fleet.starts("a"), fleet.starts("b")]).toEqual([3, 2]);
  expect(result.warnings.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => "setting-ignored"));
  expect(result.warnings.filter(({ message }) => message.includes("CLI a"))).toHaveLength(3);
  expect(result.warnings.filter(({ message }) => message.includes("CLI b"))).toHaveLength(3);
});

it("two targets of one provider are two targets", async () => {
  const fleet = openFleet({ a: [fails("model-unknown"), answers("Small.")] });
  const { result } = await fleet.finish(["a/big", "a/small"], { effort: "low" });
  expect(result.warnings.map(({ code }) => code)).toEqual(["setting-ignored", "setting-ignored"]);
});

it("a target that supports the setting gets it although the one before did not", async () => {
  const fleet = openFleet({ a: [fails("model-unknown")], b: [answers("From b.")] }, { changes: { b: able } });
  const { result } = await fleet.finish(["a", "b"], { effort: "low" });
  expect(result.warnings).toHaveLength(1);
  expect(fleet.calls("b")[0]?.told).toMatchObject({ effort: "low" });
});

it.each(Object.entries(SETTINGS))("with strict %s is a failure before anything is started", async (name, value) => {
  const fleet = openFleet({ a: [answers("Here.")], b: [answers("From b.")] }, { changes: { b: able } });
  expect((await fleet.finish("a", { [name]: value, strict: true })).end.failure).toMatchObject({ code: "option-unsupported" });
  const { events, result } = await fleet.finish(["a", "b"], { [name]: value, strict: true });
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ failure: { code: "option-unsupported" } }]);
  expect(fleet.starts("a")).toBe(0);
});

it.each<[string, Partial<RunRequest>]>([
  ["images", { images: [{ mediaType: "image/png", data: "AAAA" }] }],
  ["MCP servers", { mcpServers: { files: { command: "files" } } }],
  ["patterns of tools", { mode: "agent", permissions: { allow: ["Bash(ls)"] } }],
  ["additional directories", { mode: "agent", addDirs: ["."] }],
])("%s are refused where they are not supported, strict or not", async (_name, request) => {
  const fleet = openFleet({ a: [answers("Here.")] });
  expect((await fleet.finish("a", request)).end.failure).toMatchObject({ code: "option-unsupported" });
  expect(fleet.starts("a")).toBe(0);
});

it.each<Partial<Capabilities>>([
  { images: true },
  { structuredOutput: "native" },
  { mcp: ["stdio"] },
  { streaming: "token", hostTools: "native" },
  { ownTools: "restrict" },
])("a provider that lacks %j is refused before anything is started, and a chain continues", async (requires) => {
  const fleet = openFleet({ a: [answers("Here.")], b: [answers("From b.")] });
  const target = { provider: "a", requires };
  const { end } = await fleet.finish(target);
  expect(end.failure).toMatchObject({ category: "validation", code: "option-unsupported" });
  expect(end.failure?.message).toContain(Object.keys(requires).at(-1));
  const { events, result } = await fleet.finish([target, "b"]);
  expect(result.text).toBe("From b.");
  expect(eventsOf(events, "fallback")).toMatchObject([{ from: "a", to: "b", failure: { code: "option-unsupported" } }]);
  expect(fleet.starts("a")).toBe(0);
});

it("a provider with the required capabilities is asked", async () => {
  const options = [...playedCli.options, "mcp-stdio", "mcp-http"] as const;
  const changes = { a: { options } };
  const fleet = openFleet({ a: [answers("Here.")] }, { changes });
  for (const requires of [{}, { streaming: "token" }, { mcp: ["http"] }, { mcp: [] }, { images: false }] as const)
    expect((await fleet.finish({ provider: "a", requires })).result.text).toBe("Here.");
});

it("requires and strict apply without policies too", async () => {
  const fleet = openFleet({ a: [answers("Here.")] }, { policies: false });
  const { end } = await fleet.finish({ provider: "a", requires: { images: true } });
  expect(end.failure).toMatchObject({ code: "option-unsupported" });
  expect((await fleet.finish("a", { effort: "low", strict: true })).end.failure).toMatchObject({ code: "option-unsupported" });
  expect((await fleet.finish("a", { effort: "low" })).result.warnings).toMatchObject([{ code: "setting-ignored" }]);
  expect(fleet.starts("a")).toBe(1);
});
