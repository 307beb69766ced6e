import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createAgent } from "../../../src/agent/index.ts";
import { createClient, type RunListener } from "../../../src/index.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails } from "../../support/clis/plays.ts";
import { rememberingProvider } from "../../support/clis/remembering-provider.ts";
import { finishRun } from "../../support/runs/read-run.ts";
import { serve } from "../../support/serve-gateway.ts";
import { openTestScope } from "../../support/test-scope.ts";
import { listenToRuns } from "./listened-runs.ts";

it("a listener gets every event of a run, with the target and the number of its attempt", async () => {
  const heard = listenToRuns();
  const fleet = openFleet({ a: [fails("server-error")], b: [answers("From b.")] });
  const client = fleet.another({ onRun: heard.onRun, policies: { retry: { retries: 1, firstDelayMs: 5 } } });
  const request = { prompt: "Say something.", metadata: { ticket: 1 } };
  const { events } = await finishRun(client.run([{ provider: "a", model: "big" }, "b"], request));
  const [run, ...others] = heard.runs();
  expect(others).toEqual([]);
  expect(run?.events).toEqual(events);
  expect(run?.places).toEqual(["run a big 0", "run a big 1", "run a big 2", "run b 3"]);
  expect(run?.batches.every((batch) => batch.request?.prompt === "Say something.")).toBe(true);
  expect(run?.batches.filter(({ end }) => end !== undefined)).toEqual([run?.batches.at(-1)]);
  expect(run?.batches.at(-1)?.end).toEqual(events.at(-1));
});

it("warm attempts and refused runs pass by the listener", async () => {
  const heard = listenToRuns();
  const { directory, env } = openTestScope();
  const note = join(directory, "note");
  writeFileSync(note, "first");
  const client = createClient({ policies: false, providers: [rememberingProvider()], env, onRun: heard.onRun });
  onTestFinished(() => client.close());
  const request = { prompt: "hello", env: { NOTE_FILE: note } };
  for (let run = 0; run < 2; run += 1) await client.run("bad", request).outcome();
  while (client.warmProcesses().length === 0) await sleep(10);
  await client.run("bad", request).outcome();
  await client.run("unknown", request).outcome();
  const runs = heard.runs();
  const starts = runs.map(({ events }) => events.flatMap((event) => (event.type === "attempt-start" ? [event.warm] : [])));
  expect(starts).toEqual([[false], [false], [true], []]);
  expect(runs.at(-1)?.batches.at(-1)).toMatchObject({ attempt: 0, end: { failure: { code: "provider-unknown" } } });
});

it("turns of a session, a deep check and an agent with its model pass by the listener", async () => {
  const heard = listenToRuns();
  const { env } = openTestScope();
  const client = createClient({ env, onRun: heard.onRun });
  onTestFinished(() => client.close());
  const session = client.session({ target: "rehearsal" });
  await session.stream({ prompt: "one" }).result();
  await session.stream({ prompt: "two" }).result();
  await client.check("rehearsal", { deep: true });
  await createAgent({ model: "cli:rehearsal", client }).ask("hello").result();
  const lasts = heard.runs().map(({ batches }) => batches.at(-1));
  expect(lasts.map((batch) => [batch?.kind, batch?.session?.turn])).toEqual([
    ["session", 1],
    ["session", 2],
    ["check", undefined],
    ["agent", undefined],
    ["run", undefined],
  ]);
  expect(lasts[1]?.session?.id).toBe(session.id);
  expect(lasts.every((batch) => batch?.provider === "rehearsal")).toBe(true);
});

it("runs of the gateway pass by the listener of its client", async () => {
  const heard = listenToRuns();
  const served = await serve({ onRun: heard.onRun });
  expect((await served.ask("rehearsal")).status).toBe(200);
  expect(heard.runs().map(({ places }) => places.at(-1))).toEqual([expect.stringMatching(/^run rehearsal .*1$/)]);
});

it("a listener that throws, rejects or never ends breaks no run, and its first error is a warning of the process", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const fleet = openFleet({ a: [answers("Answer.")] });
  const listeners: readonly RunListener[] = [
    () => {
      throw new Error("thrown on purpose");
    },
    async () => {
      throw new Error("rejected on purpose");
    },
    () => new Promise(() => {}),
  ];
  for (const onRun of listeners) {
    const { text, failure } = await fleet.another({ onRun }).run("a", { prompt: "hi" }).outcome();
    expect([text, failure]).toEqual(["Answer.", undefined]);
  }
  await sleep(0);
  const said = warnings.filter(({ name }) => name === "CoxswainWarning").map(({ message }) => message);
  expect(said).toEqual([
    "A listener of runs failed, the runs go on: thrown on purpose",
    "A listener of runs failed, the runs go on: rejected on purpose",
  ]);
});

it("what is no listener is refused when the client is created", () => {
  expect(() => createClient({ onRun: "console" as never })).toThrow(new TypeError("onRun must be a function."));
});
