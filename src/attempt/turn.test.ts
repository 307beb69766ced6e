import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Client, createClient } from "../client.ts";
import { claude } from "../clis/claude/provider.ts";
import { Collector } from "../run/collect.ts";
import { KnownTotals } from "../run/known-totals.ts";
import type { PartContext } from "../run/part.ts";
import { RunWriter } from "../run/run-writer.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import { type Provider, withSpawn } from "../spec/provider/provider.ts";
import type { RunRequest } from "../spec/request.ts";
import { defineWire } from "../spec/wire/define-wire.ts";
import type { Wire } from "../spec/wire/wire.ts";
import { createFakeCli, type FakeStep } from "../testing/fake-cli.ts";
import { Turn } from "./turn.ts";

const SECRET = "sk-ant-api03-Ab3dEf6hIj9kLm2nOp5q";

it("the failure of a silent program has its stderr without secrets", async () => {
  const steps: readonly FakeStep[] = [
    { do: "write", text: `bad key ${SECRET}\n`, to: "stderr" },
    { do: "read", what: "all" },
  ];
  // Any output restarts this clock, so it expires after stderr was read.
  const failure = await failureOf(steps, { timeouts: { idleMs: 4_000 } });
  expect(failure).toMatchObject({ category: "timeout", code: "idle-timeout" });
  expect(failure.evidence).toEqual({ stderrTail: "bad key [redacted]\n" });
});

it("the failure of a failed program has its stderr without secrets", async () => {
  const failure = await failureOf([
    { do: "write", text: `odd key ${SECRET}\n`, to: "stderr" },
    { do: "exit", code: 3 },
  ]);
  expect(failure).toMatchObject({ code: "unclassified", message: "odd key [redacted]" });
  expect(failure.evidence).toEqual({ exitCode: 3, stderrTail: "odd key [redacted]\n" });
});

describe("a secret variable of the CLI, whatever its value looks like,", () => {
  const PASSPHRASE = "seven blue herons";
  const env = { VAULT_PASSPHRASE: PASSPHRASE };

  it("is in no failure of a program that prints it, also not in part", async () => {
    // The stored end of stderr begins in the middle of the value.
    const cut = `${PASSPHRASE}${".".repeat(8192 - 10)}`;
    for (const text of [`odd ${PASSPHRASE}\n`, cut]) {
      const steps: readonly FakeStep[] = [
        { do: "write", text, to: "stderr" },
        { do: "exit", code: 3 },
      ];
      const failure = await failureOf(steps, { env });
      expect(failure.code).toBe("unclassified");
      expect(failure.evidence.stderrTail).toContain("[redacted]");
      expect(JSON.stringify(failure)).not.toMatch(/seven blue|herons/);
    }
  });

  it("is in no failure that the CLI reports", async () => {
    const event = { type: "error", headers: { authorization: `Bearer ${PASSPHRASE}` } };
    const failing = defineWire({
      start: () => ({}),
      step: () => ({ events: [], turnEnd: { finish: "error", fault: { message: `not ${PASSPHRASE}!`, event } } }),
    });
    const failure = await failureOf([{ do: "print", value: {} }], { env }, withSpawn(claude, { wire: failing }));
    expect(failure.message).toBe("not [redacted]!");
    expect(failure.evidence.event).toEqual({ type: "error", headers: { authorization: "Bearer [redacted]" } });
  });

  it("is in no warning, and neither is the header of an MCP server", async () => {
    const { client } = openClient([{ do: "print", value: {} }], withSpawn(claude, { wire: warningOf(`${PASSPHRASE}, to-ken`) }));
    const mcpServers = {
      notes: { type: "http", url: "https://notes.example", headers: { Authorization: "Bearer to-ken" } },
    } as const;
    const { warnings } = await client.run("claude", { prompt: "Hello", env, mcpServers }).result();
    expect(warnings.map(({ message }) => message)).toContain("[redacted], [redacted]");
  });

  it("is in no plan, and neither are inline configurations", () => {
    const { client } = openClient([]);
    const mcpServers = { notes: { command: "notes", env: { NOTES_TOKEN: PASSPHRASE, NOTES_HOME: "/notes" } } };
    const headers = { ANTHROPIC_CUSTOM_HEADERS: "x-acme: herons", ACME: `?p=${encodeURIComponent(PASSPHRASE)}`, PLAIN: "yes" };
    const planned = client.plan("claude", { prompt: PASSPHRASE, mcpServers, env: { ...env, ...headers } });
    expect(planned).toMatchObject({
      plan: {
        env: { VAULT_PASSPHRASE: "[redacted]", ANTHROPIC_CUSTOM_HEADERS: "[redacted]", ACME: "[redacted]", PLAIN: "yes" },
        stdin: { text: expect.stringContaining("[redacted]") },
        tempFiles: expect.arrayContaining([
          expect.objectContaining({ content: expect.stringContaining('"NOTES_HOME":"/notes"') }),
        ]),
      },
    });
    expect(JSON.stringify(planned)).not.toMatch(/seven|herons/);
  });
});

function warningOf(message: string): Wire {
  return defineWire({
    start: () => ({}),
    step: () => ({ events: [{ type: "warning", code: "odd", message }], turnEnd: { finish: "stop" } }),
  });
}

it("a wire that throws ends its run and the program", async () => {
  const broken = defineWire({
    start: () => ({}),
    step: () => {
      throw new Error(`cannot read ${SECRET}`);
    },
  });
  const steps: readonly FakeStep[] = [
    { do: "print", value: {} },
    { do: "read", what: "all" },
  ];
  const failure = await failureOf(steps, {}, withSpawn(claude, { wire: broken }));
  expect(failure).toMatchObject({ category: "unknown", code: "unclassified" });
  expect(failure.message).toContain("could not be read: cannot read [redacted]");
});

it("a rejected flag is named with the installed version; without a flag in stderr none is named", async () => {
  const reject = (text: string): readonly FakeStep[] => [
    { do: "write", text, to: "stderr" },
    { do: "exit", code: 1 },
  ];
  const named = await failureOf(reject("error: unknown option '--frob'\n"));
  expect(named).toMatchObject({ code: "unknown-option", message: expect.stringContaining("does not accept --frob;") });
  const faults = [{ text: /^--auto {2}/, code: "unknown-option", message: "It printed its help instead of running." }] as const;
  const nameless = await failureOf(reject("--auto  approve what is not denied\n"), {}, { faults });
  expect(nameless).toMatchObject({
    code: "unknown-option",
    message: expect.stringContaining("does not accept an option that Coxswain passes;"),
  });
});

it("the wait that the CLI reports is in the failure", async () => {
  const waiting = defineWire({
    start: () => ({}),
    step: () => ({ events: [], turnEnd: { finish: "error", fault: { message: "HTTP 429", retryAfterMs: 2_100 } } }),
  });
  const failure = await failureOf([{ do: "print", value: {} }], {}, withSpawn(claude, { wire: waiting }));
  expect(failure).toMatchObject({ code: "rate-limited", retryAfterMs: 2_100 });
});

it.each([
  ["rejects", () => Promise.reject(new Error("no reason"))],
  ["resolves with nothing", () => Promise.resolve(undefined as never)],
])("a start that %s fails the turn", async (_name, opened) => {
  const writer = new RunWriter(
    "run",
    () => 0,
    () => {},
  );
  const resultAt: PartContext["resultAt"] = (end) => new Collector().resultAt(end);
  const context = { writer, signal: new AbortController().signal, commit: () => "end" as const, resultAt };
  const turn = new Turn({
    host: { totals: new KnownTotals() } as never,
    provider: claude,
    request: { prompt: "Hello" },
    context,
    idPrefix: "",
  });
  turn.begin(opened());
  expect(await turn.ended).toMatchObject({ type: "run-end", failure: { code: "unclassified" } });
});

async function failureOf(
  steps: readonly FakeStep[],
  request: Partial<RunRequest> = {},
  provider: Partial<Provider> = {},
): Promise<Failure> {
  const { client } = openClient(steps, provider);
  const run = client.run("claude", { prompt: "Hello", ...request });
  const error = await run.result().catch((reason: unknown) => reason);
  if (!RunError.is(error)) throw new Error(`no RunError: ${String(error)}`);
  return error.failure;
}

function openClient(steps: readonly FakeStep[], provider: Partial<Provider> = {}): { readonly client: Client } {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-turn-"));
  const cli = createFakeCli(steps);
  const client = createClient({
    policies: false,
    providers: [cli.as({ ...claude, ...provider })],
    env: { ...process.env, XDG_STATE_HOME: folder },
  });
  onTestFinished(async () => {
    await client.close();
    cli.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return { client };
}
