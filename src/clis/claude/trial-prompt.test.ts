import { expect, test } from "vitest";
import type { JsonValue } from "../../spec/json.ts";
import type { Connection, Send } from "../../spec/wire/wire.ts";
import { claude } from "./provider.ts";

const TEXT = "0b9f7c52-2f1e-4d3c-8f11-000000000001";
const REQUEST = { prompt: "Hello", system: "Answer in one word." };
const ANNOUNCED = { type: "system", subtype: "ui_log", plugin: "no-attachments", text: `coxswain-trial ${TEXT}` };
const INIT = { type: "system", subtype: "init" };
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Prompt dropped by a hook: trial" };
const DROPPED = {
  type: "system",
  subtype: "informational",
  prompt_submit_outcome: { kind: "dropped_by_hook", prompt_kept: false },
};
const KEPT = { ...DROPPED, prompt_submit_outcome: { kind: "dropped_by_hook", prompt_kept: true } };

function connect(): Connection {
  const { resident } = claude.transports;
  if (resident === undefined) throw new Error("no resident transport");
  return resident.wire.connect();
}

function textOf(sends: readonly Send[] = []): string {
  return sends.map((send) => ("text" in send ? send.text : "")).join("");
}

function sentBy(connection: Connection, native: JsonValue): string {
  return textOf(connection.route?.(native)?.flatMap(({ send = [] }) => send));
}

test("a prepared process gets the text that its plugin announced, whichever comes first", () => {
  const [early, late] = [connect(), connect()];
  expect(sentBy(early, ANNOUNCED)).toBe("");
  expect(textOf(early.prepare?.(REQUEST))).toMatch(new RegExp(`"initialize".*\n.*${TEXT}.*\n$`));
  expect(textOf(late.prepare?.(REQUEST))).not.toContain(TEXT);
  expect(sentBy(late, ANNOUNCED)).toContain(TEXT);
  expect(sentBy(late, ANNOUNCED)).toBe("");
});

test("a process for requests without settings is told none and gets the trial prompt", () => {
  const connection = connect();
  expect(textOf(connection.prepare?.({ prompt: "Hello" }))).toBe("");
  expect(sentBy(connection, ANNOUNCED)).toContain(TEXT);
  expect([{ prompt: "Bye" }, REQUEST].map((request) => connection.takes?.(request))).toEqual([true, false]);
});

test("a process for requests without settings whose plugin announces nothing takes any request", () => {
  const connection = connect();
  connection.prepare?.({ prompt: "Hello" });
  expect([{ prompt: "Bye" }, REQUEST].map((request) => connection.takes?.(request))).toEqual([true, true]);
  expect(connection.isPrepared?.()).toBe(false);
});

test("no trial prompt is sent to a process that is not prepared or has a turn", () => {
  const [unprepared, used] = [connect(), connect()];
  expect(sentBy(unprepared, ANNOUNCED)).toBe("");
  used.prepare?.(REQUEST);
  expect(textOf(used.start(0, REQUEST, {}).begin().send)).toContain("Hello");
  expect(sentBy(used, ANNOUNCED)).toBe("");
});

test("a prompt waits for the end of the trial prompt, whose lines belong to no turn", () => {
  const connection = connect();
  connection.prepare?.(REQUEST);
  sentBy(connection, ANNOUNCED);
  expect(connection.start(0, REQUEST, {}).begin().send).toEqual([]);
  expect([INIT, DROPPED].map((line) => connection.route?.(line))).toEqual([[], []]);
  expect(sentBy(connection, RESULT)).toContain("Hello");
  expect(connection.route?.(INIT)).toBeUndefined();
});

test("an interrupted turn does not send the prompt that waits", () => {
  const connection = connect();
  connection.prepare?.(REQUEST);
  sentBy(connection, ANNOUNCED);
  const turn = connection.start(0, REQUEST, {});
  turn.begin();
  turn.interrupt();
  for (const line of [INIT, DROPPED]) connection.route?.(line);
  expect(sentBy(connection, RESULT)).toBe("");
});

test.each([
  ["a result without the drop", RESULT],
  ["a drop that keeps the prompt", KEPT],
  ["a request to the model", { type: "system", subtype: "status", status: "requesting" }],
  ["an answer", { type: "assistant", message: { content: [] } }],
])("%s ends the process: the line belongs to no trial prompt", (_what, line) => {
  const [waiting, taken] = [connect(), connect()];
  for (const connection of [waiting, taken]) {
    connection.prepare?.(REQUEST);
    sentBy(connection, ANNOUNCED);
  }
  expect(waiting.route?.(line)).toBeUndefined();
  taken.start(0, REQUEST, {}).begin();
  expect(() => taken.route?.(line)).toThrow("trial prompt");
});

test("notes for a screen concern no turn, before and while the trial prompt is read", () => {
  const connection = connect();
  const note = { type: "system", subtype: "ui_invalidate" };
  expect(connection.route?.(note)).toEqual([]);
  connection.prepare?.(REQUEST);
  sentBy(connection, ANNOUNCED);
  expect(connection.route?.(note)).toEqual([]);
});

test("only a process that can be prepared has a plugin that takes a trial prompt", () => {
  const options = { answersPermissions: false, env: {} };
  const { spawn, resident } = claude.transports;
  const isTaking = (transport: Pick<typeof spawn, "launch"> | undefined, request: object): boolean =>
    JSON.stringify(transport?.launch({ ...REQUEST, ...request }, options)).includes("prompt.submit");
  expect(isTaking(spawn, {})).toBe(false);
  expect(isTaking(resident, {})).toBe(true);
  expect(isTaking(resident, { session: { keep: true } })).toBe(false);
  expect(isTaking(resident, { mode: "agent", session: { keep: true } })).toBe(false);
});
