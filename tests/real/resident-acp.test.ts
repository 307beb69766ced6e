import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { PermissionAnswer } from "../../src/spec/stream.ts";
import { DONE } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { gemini } from "../support/real-clis/rows/gemini.ts";
import { grok } from "../support/real-clis/rows/grok.ts";
import type { ErrorName, MatrixRow, PromptName } from "../support/real-clis/rows/matrix-row.ts";
import { qwen } from "../support/real-clis/rows/qwen.ts";
import { INERT_PROMPTS, MADE_BY_PROMPT } from "./matrix/inert-prompts.ts";
import { plantForAll } from "./matrix/plants.ts";
import { ERROR_CODES, errorAnswer } from "./matrix/upstream-errors.ts";
import { type OpenRealCli, openRealCli } from "./open-real-cli.ts";
import { type OpenResident, openResident, residentOf } from "./open-resident.ts";
import { secretsIn } from "./planted-surroundings.ts";
import { expectSameRequest } from "./same-request.ts";

/** A CLI with a resident process, and what differs from the others. */
type ResidentRow = {
  readonly row: MatrixRow;
  /** The errors that it reports at once. */
  readonly errors: readonly ErrorName[];
  /** The prompts that a new process answers instead. */
  readonly cold: readonly PromptName[];
  /** Whether it continues sessions that it has open, or also those of other processes. */
  readonly sessions: "none" | "open" | "loaded";
  readonly asks: boolean;
};

const ERRORS: readonly ErrorName[] = [
  "wrong key",
  "unknown model",
  "rate limit",
  "spent quota",
  "failing server",
  "cut stream",
  "garbage",
];

const ROWS: readonly ResidentRow[] = [
  { row: qwen, errors: ["wrong key", "unknown model", "garbage"], cold: [], sessions: "loaded", asks: true },
  {
    row: gemini,
    errors: ERRORS,
    cold: ["a command with words", "a command that empties a conversation"],
    sessions: "open",
    asks: true,
  },
  { row: grok, errors: ERRORS, cold: [], sessions: "none", asks: false },
];

/** Gemini reports the output without the tokens of the model's thoughts, so that it is not used. */
const COUNTED_OUTPUT = { outputTokens: 50, totalTokens: 350, cacheReadTokens: 200, reasoningTokens: 30 };

const HELLO = { kind: "text", text: "Hello." } as const;

const isMade = (path: string): boolean => path.endsWith(MADE_BY_PROMPT);

describe.each(ROWS.map((resident) => ({ name: resident.row.name, ...resident })))(
  "a resident process of real $name",
  (resident) => {
    const { name, row } = resident;

    it("sends what a new process sends, and no tool, and reports the tokens of each turn", async () => {
      const request = { prompt: "hi", system: "Answer in one word." };
      const usage = { inputTokens: 300, outputTokens: 50, cacheReadTokens: 200, reasoningTokens: 30 };
      const { cli, take } = await openResident(name, { answers: { ...HELLO, usage }, request });
      await take(request);
      const { usage: reported } = await take(request);
      const counted = { estimated: false, scope: "turn", inputTokens: 300, ...(name === "gemini" ? {} : COUNTED_OUTPUT) };
      expect(reported).toMatchObject(counted);
      expect(reported !== undefined && "outputTokens" in reported).toBe(name !== "gemini");
      await cli.run(request);
      const [first, second, spawned] = modelRequestsOf(cli);
      if (first === undefined || second === undefined || spawned === undefined) throw new Error("a request is missing");
      expect(cli.api.modelRequests).toHaveLength(3);
      expect([first.tools, second.tools]).toEqual([[], []]);
      expectSameRequest(first.body, spawned.body);
      expectSameRequest(second.body, spawned.body);
      expect(first.user.at(-1)).toBe(spawned.user.at(-1));
    });

    it(`answers stateless requests that do not see one another, sends prompts byte for byte among planted files, or leaves them to a new process, and fails after each of ${resident.errors.length} errors with the code of a new process`, async () => {
      const cli = await openRealCli(name, HELLO);
      const { project, started } = plantForAll(cli);
      const env = { PWD: project, OLDPWD: project, INIT_CWD: project };
      const opened = await openResident(name, { cli, request: { prompt: "hi", env } });
      const pid = opened.channel.pid();
      await expectStateless(row, opened);
      cli.api.answerWith(HELLO);
      expect(await leftToNewProcess(row, opened)).toEqual(resident.cold);
      await expectErrors(resident, opened);
      expect(opened.channel.pid()).toBe(pid);
      // Hooks and servers start in parallel to the answers.
      await sleep(1_000);
      expect({ sent: secretsIn(cli.api.requests), started: started() }).toEqual({ sent: [], started: [] });
      expect(readdirSync(join(cli.home, ".."), { recursive: true, encoding: "utf8" }).filter(isMade)).toEqual([]);
    });

    if (resident.sessions !== "none") {
      it("continues a session in the same process and in a new process, and in another resident one if it can", async () => {
        const request = { prompt: "My name is Ottokar.", session: { keep: true } } as const;
        const { cli, take, channel } = await openResident(name, { answers: HELLO, request });
        const { sessionId: id = "" } = await take(request);
        const asked = (prompt: string) => ({ prompt, session: { resume: id } });
        expect(await take(asked("And my age is 40."))).toMatchObject({ text: "Hello.", sessionId: id });
        await untilStored(cli, id, 2);
        channel.end();
        await channel.gone;
        const other = await openResident(name, { cli, request });
        expect(other.channel.canTake(asked(""))).toBe(resident.sessions === "loaded");
        if (resident.sessions === "loaded")
          expect(await other.take(asked("And my town is Ulm."))).toMatchObject({ text: "Hello.", sessionId: id });
        if (resident.sessions === "loaded") await untilStored(cli, id, 3);
        other.channel.end();
        await other.channel.gone;
        // Another client has no process with the session.
        const target = { provider: name, transport: "resident" } as const;
        const { result } = await cli.run(asked("Who am I?"), { target });
        expect(result).toMatchObject({ text: "Hello.", sessionId: id });
        expect(result.warnings.map(({ code }) => code)).toEqual(resident.sessions === "loaded" ? [] : ["spawned-instead"]);
        const words = cli.api.modelRequests.map(({ rawBody }) => rawBody.match(/Ottokar|age is 40|Ulm|Who am I/g));
        const all = ["Ottokar", "age is 40", ...(resident.sessions === "loaded" ? ["Ulm"] : []), "Who am I"];
        expect(words).toEqual(all.map((_, index) => all.slice(0, index + 1)));
      });
    }

    if (resident.asks) {
      it("asks before each command of an agent runs, and the answers deny and allow count", async () => {
        const cli = await openRealCli(name);
        const request = { prompt: "Do it.", mode: "agent", cwd: cli.workspace } as const;
        const { take } = await openResident(name, { cli, request, answersPermissions: true });
        for (const behavior of ["deny", "allow"] as const) {
          const made = join(cli.workspace, "made.txt");
          cli.api.answerWith([{ kind: "tool-calls", calls: [row.shellCall(`touch ${made}`)] }, DONE]);
          const names: string[] = [];
          const onPermission = (question: { readonly name: string }): PermissionAnswer => {
            names.push(question.name);
            return behavior === "allow" ? { behavior } : { behavior, message: "No." };
          };
          const result = await take(request, { onPermission });
          expect(names).toEqual([row.shellName]);
          expect(existsSync(made)).toBe(behavior === "allow");
          expect(result.permissionDenials.length).toBe(behavior === "allow" ? 0 : 1);
        }
      });
    }
  },
);

/** Requests after one another, after an interrupt and an error, and at the same time do not see one another. */
async function expectStateless({ protocol }: MatrixRow, { cli, channel, take, ask }: OpenResident): Promise<void> {
  expect(await take({ prompt: "The word is APPLE." })).toMatchObject({ text: "Hello.", finish: "stop" });
  cli.api.answerWith({ kind: "stall", afterText: "Half" });
  const stalled = ask({ prompt: "The word is PEAR." });
  await expect.poll(() => cli.api.modelRequests.length, { timeout: 20_000 }).toBe(2);
  stalled.cancel();
  expect((await stalled.done).finish).toBe("cancelled");
  await expect.poll(() => channel.canTake({ prompt: "" }), { timeout: 5_000 }).toBe(true);
  cli.api.answerWith(errorAnswer(protocol, "wrong key"));
  const failed = await take({ prompt: "The word is PLUM." });
  expect(failed).toMatchObject({ text: "", failure: { code: "not-logged-in" } });
  cli.api.answerWith(({ rawBody }) => ({ kind: "text", text: rawBody.includes("LEMON") ? "sour" : "sweet", delayMs: 5 }));
  const before = cli.api.modelRequests.length;
  const [sour, sweet] = await Promise.all([take({ prompt: "The word is LEMON." }), take({ prompt: "The word is MANGO." })]);
  expect([sour?.text, sweet?.text]).toEqual(["sour", "sweet"]);
  const seen = cli.api.modelRequests.slice(before).map(({ rawBody }) => rawBody.match(/APPLE|PEAR|PLUM|LEMON|MANGO/g));
  expect(seen.toSorted()).toEqual([["LEMON"], ["MANGO"]]);
}

/** Each prompt of the table reaches the model unchanged, except those that are returned. */
async function leftToNewProcess({ pure }: MatrixRow, { cli, take }: OpenResident): Promise<readonly string[]> {
  const left: string[] = [];
  for (const [title, prompt] of Object.entries(INERT_PROMPTS)) {
    if (!residentOf(cli).serves({ prompt }, { answersPermissions: false })) left.push(title);
    else {
      const before = cli.api.modelRequests.length;
      expect(await take({ prompt }), title).toMatchObject({ text: "Hello." });
      const [asked, ...others] = modelRequestsOf(cli).slice(before);
      const expected = (pure.user ?? ((text: string) => [text]))(prompt).at(-1);
      expect({ title, user: asked?.user.at(-1), others }).toEqual({ title, user: expected, others: [] });
    }
  }
  return left;
}

/** Each error has its code, and the next request is answered. */
async function expectErrors({ row, errors }: ResidentRow, { cli, take }: OpenResident): Promise<void> {
  for (const error of errors) {
    cli.api.answerWith(row.errorAnswers?.[error] ?? errorAnswer(row.protocol, error));
    const { failure, text } = await take({ prompt: "Hello" });
    expect({ error, code: failure?.code, text }).toEqual({ error, code: ERROR_CODES[error], text: "" });
    cli.api.answerWith(HELLO);
    expect(await take({ prompt: "Hello" }), `after a ${error}`).toMatchObject({ text: "Hello." });
  }
}

/** Resolves when the CLI has stored this many answers of a session; it writes them after the turn has ended. */
async function untilStored({ home }: OpenRealCli, id: string, answers: number): Promise<void> {
  const folder = join(home, "..", "state");
  const stored = (): number =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.includes("chats/") && path.includes(id.slice(0, 8)))
      .reduce((sum, path) => sum + readFileSync(join(folder, path), "utf8").split('"Hello."').length - 1, 0);
  await expect.poll(stored, { timeout: 10_000 }).toBeGreaterThanOrEqual(answers);
}
