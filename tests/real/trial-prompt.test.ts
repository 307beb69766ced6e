import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { type JsonValue, objectOf } from "../../src/spec/json.ts";
import type { Wire } from "../../src/spec/wire/wire.ts";
import { type OpenRealCli, openRealCli } from "./open-real-cli.ts";
import { openResident, residentOf } from "./open-resident.ts";
import { expectSameRequest } from "./same-request.ts";

const REQUEST = { prompt: "Hello", system: "Answer in one word." } as const;

it.each([
  ["with a system prompt", REQUEST],
  ["without settings", { prompt: "Hello" }],
])(
  "a waiting process of real claude drops the trial prompt, and its request is that of a new process, %s",
  async (_, request) => {
    const cli = await openRealCli("claude");
    const lines: JsonValue[] = [];
    const { take } = await openResident("claude", { cli: reading(cli, lines), request });
    await vi.waitFor(() => expect(lines.map(typeOf)).toContain("result"), 20_000);
    expect(lines.map(typeOf).filter((type) => type !== "control_response")).toEqual([
      "ui_log",
      "init",
      "informational",
      "result",
    ]);
    expect(cli.api.requests).toEqual([]);
    expect((await take(request)).failure).toBeUndefined();
    expect((await cli.run(request)).failure).toBeUndefined();
    const [resident, spawned] = cli.api.modelRequests;
    expect(cli.api.modelRequests).toHaveLength(2);
    expectSameRequest(resident?.body ?? null, spawned?.body ?? null);
  },
);

it("a prompt that comes while real claude reads the trial prompt is answered after it", async () => {
  const cli = await openRealCli("claude");
  const lines: JsonValue[] = [];
  const { ask } = await openResident("claude", { cli: reading(cli, lines), request: REQUEST });
  await vi.waitFor(() => expect(lines.map(typeOf)).toContain("ui_log"), { timeout: 20_000, interval: 1 });
  const result = await ask(REQUEST).done;
  expect(result.failure).toBeUndefined();
  expect(cli.api.modelRequests).toHaveLength(1);
  expect(cli.api.modelRequests[0]?.rawBody).toContain('"Hello"');
});

it("real claude without hooks gets no trial prompt", async () => {
  const opened = await openRealCli("claude");
  const cli = { ...opened, env: { ...opened.env, CLAUDE_CODE_SAFE_MODE: "1" } };
  const lines: JsonValue[] = [];
  const { take } = await openResident("claude", { cli: reading(cli, lines), request: REQUEST });
  await vi.waitFor(() => expect(lines.map(typeOf)).toContain("control_response"), 20_000);
  await sleep(1000);
  expect(lines.map(typeOf)).not.toContain("init");
  expect((await take(REQUEST)).failure).toBeUndefined();
  expect(cli.api.modelRequests).toHaveLength(1);
});

/** The CLI with a wire that adds each line of the process to the list. */
function reading(cli: OpenRealCli, lines: JsonValue[]): OpenRealCli {
  const resident = residentOf(cli);
  const { readLine: _, ...wire } = resident.wire;
  const connect: Wire["connect"] = (place) => {
    const connection = wire.connect(place);
    const { route } = connection;
    return Object.assign(connection, {
      route: (native: JsonValue) => {
        lines.push(native);
        return route?.(native);
      },
    });
  };
  const transports = { ...cli.provider.transports, resident: { ...resident, wire: { ...wire, connect } } };
  return { ...cli, provider: { ...cli.provider, transports } };
}

function typeOf(native: JsonValue): unknown {
  const line = objectOf(native);
  return line?.["type"] === "system" ? line["subtype"] : line?.["type"];
}
