import { expect, it } from "vitest";
import { begin, completed, delta, follow, openConnection, read, sent } from "../../../tests/support/recordings/codex-exchange.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { codexAppServer } from "./app-server.ts";

const THREAD = "01a1e735-d5d1-7ad0-851f-405559ed7fdf";
const OTHER = "01a1e735-d633-7561-a418-2dcacf1fe8aa";

it("the handshake names Coxswain and needs no answer before the first turn", () => {
  const connection = codexAppServer.connect();
  expect(connection.open().map(read)).toMatchObject([
    { id: 1, method: "initialize", params: { clientInfo: { name: "coxswain" } } },
    { method: "initialized" },
  ]);
  expect(sent(connection.start(0, { prompt: "hi" }, {}).begin())).toMatchObject([{ id: 2, method: "thread/start" }]);
});

it("a completion has a thread of its own, which is not stored, in the directory of the process", () => {
  const connection = codexAppServer.connect({ directory: "/private" });
  connection.open();
  const [call] = sent(connection.start(0, { prompt: "hi", system: "Be brief.", effort: "max" }, {}).begin());
  expect(call?.["params"]).toEqual({
    ...{ cwd: "/private", sandbox: "read-only", ephemeral: true, baseInstructions: "Be brief." },
    config: { model_reasoning_effort: "xhigh" },
  });
});

it("values go to the turn of their thread, and a finished turn unloads it", () => {
  const connection = openConnection();
  const [first, second] = [begin(connection, 0, THREAD), begin(connection, 1, OTHER)];
  expect(first.deliver(delta(OTHER, "m2", "b"))).toEqual([]);
  expect(second.deliver(delta(OTHER, "m2", "b"))).toEqual([{ type: "text-delta", messageId: "m2", text: "b" }]);
  expect(first.deliver(delta(THREAD, "m1", "a"))).toEqual([{ type: "text-delta", messageId: "m1", text: "a" }]);
  const step = first.step(completed(THREAD, "completed"));
  expect(step?.turnEnd).toEqual({ finish: "stop" });
  expect(sent(step)).toMatchObject([{ method: "thread/unsubscribe", params: { threadId: THREAD } }]);
  expect(first.deliver(delta(THREAD, "m1", "late"))).toEqual([]);
});

it("a thread is started before its turn, and only one turn with the same settings uses it", () => {
  const connection = openConnection();
  const request: PromptRequest = { prompt: "hi", system: "Be brief." };
  const [start] = (connection.prepare?.(request) ?? []).map(read);
  expect(start).toMatchObject({ method: "thread/start", params: { baseInstructions: "Be brief.", ephemeral: true } });
  expect(JSON.stringify(start)).not.toContain("hi");
  expect(connection.prepare?.({ ...request, prompt: "again" })).toEqual([]);
  expect(connection.route?.({ id: start?.["id"] ?? 0, result: { thread: { id: THREAD } } })).toEqual([]);
  expect([connection.isPrepared?.(request), connection.isPrepared?.({ prompt: "hi" })]).toEqual([true, false]);
  expect(sent(connection.start(0, { prompt: "hi" }, {}).begin())).toMatchObject([{ method: "thread/start" }]);
  const used = follow(connection, 1, connection.start(1, { prompt: "mine", system: "Be brief." }, {}));
  const step = used.turn.begin();
  expect(step.events).toEqual([{ type: "session-start", sessionId: THREAD }]);
  expect(sent(step)).toMatchObject([{ method: "turn/start", params: { threadId: THREAD, input: [{ text: "mine" }] } }]);
  expect(used.deliver(delta(THREAD, "m1", "a"))).toHaveLength(1);
  expect(connection.isPrepared?.()).toBe(false);
  expect(sent(connection.start(2, request, {}).begin())).toMatchObject([{ method: "thread/start" }]);
});

it("a turn that begins before its thread was started waits for it", () => {
  const connection = openConnection();
  const [start] = (connection.prepare?.({ prompt: "" }) ?? []).map(read);
  const early = follow(connection, 0, connection.start(0, { prompt: "mine" }, {}));
  expect(early.turn.begin()).toEqual({ events: [] });
  const step = early.step({ id: start?.["id"] ?? 0, result: { thread: { id: THREAD } } });
  expect(sent(step)).toMatchObject([{ method: "turn/start", params: { threadId: THREAD } }]);
});

it("an unused thread is unloaded when other settings are wanted, also if it was not started yet", () => {
  const connection = openConnection();
  const prepare = (system: string): readonly JsonObject[] => (connection.prepare?.({ prompt: "", system }) ?? []).map(read);
  const [first] = prepare("A");
  const [second] = prepare("B");
  const late = connection.route?.({ id: first?.["id"] ?? 0, result: { thread: { id: THREAD } } });
  expect(late?.flatMap(({ send = [] }) => send.map(read))).toMatchObject([
    { method: "thread/unsubscribe", params: { threadId: THREAD } },
  ]);
  connection.route?.({ id: second?.["id"] ?? 0, result: { thread: { id: OTHER } } });
  expect(prepare("C")).toMatchObject([
    { method: "thread/unsubscribe", params: { threadId: OTHER } },
    { method: "thread/start", params: { baseInstructions: "C" } },
  ]);
});

it("a thread that could not be started, or that Codex has closed, is not used", () => {
  const connection = openConnection();
  const prepare = (): JsonObject | undefined => (connection.prepare?.({ prompt: "" }) ?? []).map(read)[0];
  connection.route?.({ id: prepare()?.["id"] ?? 0, error: { code: -32600, message: "no" } });
  expect(connection.isPrepared?.()).toBe(false);
  connection.route?.({ id: prepare()?.["id"] ?? 0, result: { thread: { id: THREAD } } });
  connection.route?.({ method: "thread/closed", params: { threadId: THREAD } });
  expect(connection.isPrepared?.()).toBe(false);
});

it("nothing is started for a session or an agent", () => {
  const connection = openConnection();
  expect(connection.prepare?.({ prompt: "", session: { keep: true } })).toEqual([]);
  expect(connection.prepare?.({ prompt: "", mode: "agent" })).toEqual([]);
});

it("a resumed thread is loaded with the model of the process, once its earlier turn has unloaded it", () => {
  const connection = openConnection();
  const first = begin(connection, 0, THREAD, { prompt: "one", session: { keep: true } });
  expect(connection.takes?.({ prompt: "two", session: { resume: THREAD } })).toBe(false);
  first.step(completed(THREAD, "completed"));
  const request: PromptRequest = { prompt: "two", session: { resume: THREAD.toUpperCase() }, system: "Be kind." };
  expect(connection.takes?.(request)).toBe(true);
  const second = follow(connection, 1, connection.start(1, request, {}));
  expect(second.turn.begin()).toEqual({ events: [] });
  expect(connection.takes?.(request)).toBe(false);
  const [ask] = sent(second.step({ method: "thread/closed", params: { threadId: THREAD } }));
  expect(ask).toMatchObject({ method: "config/read" });
  const [resume] = sent(second.step({ id: ask?.["id"] ?? 0, result: { config: { model: "gpt-5.5" } } }));
  expect(resume).toMatchObject({ method: "thread/resume", params: { model: "gpt-5.5", baseInstructions: "Be kind." } });
  const step = second.step({ id: resume?.["id"] ?? 0, result: { thread: { id: THREAD } } });
  expect(step?.events).toEqual([{ type: "session-start", sessionId: THREAD }]);
  expect(sent(step)).toMatchObject([{ method: "turn/start", params: { threadId: THREAD, input: [{ text: "two" }] } }]);
});

it("the model is asked for once in a process of completions, and by each agent", () => {
  const connection = openConnection();
  const resuming = (key: number, session: string, mode: "completion" | "agent"): ReturnType<typeof follow> =>
    follow(connection, key, connection.start(key, { prompt: "two", mode, session: { resume: session } }, {}));
  const first = resuming(0, THREAD, "completion");
  const [ask] = sent(first.turn.begin());
  first.step({ id: ask?.["id"] ?? 0, result: { config: { model: "gpt-5.5" } } });
  const later = sent(resuming(1, OTHER, "completion").turn.begin());
  expect(later).toMatchObject([{ method: "thread/resume", params: { threadId: OTHER, model: "gpt-5.5" } }]);
  expect(sent(resuming(2, OTHER, "agent").turn.begin())).toMatchObject([{ method: "config/read" }]);
});

it("a resumed thread that is unloaded already is not waited for", () => {
  const connection = openConnection();
  const [unload] = sent(begin(connection, 0, THREAD).step(completed(THREAD, "completed")));
  const second = follow(connection, 1, connection.start(1, { prompt: "two", session: { resume: THREAD } }, {}));
  expect(second.turn.begin()).toEqual({ events: [] });
  const step = second.step({ id: unload?.["id"] ?? 0, result: { status: "notLoaded" } });
  expect(sent(step)).toMatchObject([{ method: "config/read" }]);
});

it("a thread that cannot be loaded ends its turn, and may be asked for again", () => {
  const connection = openConnection();
  const request: PromptRequest = { prompt: "two", session: { resume: THREAD } };
  const resumed = follow(connection, 0, connection.start(0, request, {}));
  const [ask] = sent(resumed.turn.begin());
  const [resume] = sent(resumed.step({ id: ask?.["id"] ?? 0, result: { config: {} } }));
  const error = { code: -32600, message: `no rollout found for thread id ${THREAD}` };
  const step = resumed.step({ id: resume?.["id"] ?? 0, error });
  expect(step).toMatchObject({ turnEnd: { finish: "error", fault: { message: error.message } }, send: [] });
  expect(connection.takes?.(request)).toBe(true);
});

it("an interrupt waits for the turn to begin, and the thread is unloaded", () => {
  const connection = openConnection();
  const turn = connection.start(0, { prompt: "hi" }, {});
  const early = follow(connection, 0, turn);
  const [start] = sent(turn.begin());
  expect(turn.interrupt()).toEqual({ events: [], send: [{ text: "" }] });
  const step = early.step({ id: start?.["id"] ?? 0, result: { thread: { id: THREAD } } });
  expect([step?.events, step?.turnEnd?.finish]).toEqual([[], "error"]);
  expect(sent(step)).toMatchObject([{ method: "thread/unsubscribe" }]);
  const later = begin(connection, 1, OTHER);
  expect(sent(later.turn.interrupt())).toMatchObject([
    { method: "turn/interrupt", params: { threadId: OTHER, turnId: `turn of ${OTHER}` } },
  ]);
  expect(later.step(completed(OTHER, "interrupted"))?.turnEnd).toMatchObject({ finish: "error" });
});

it("a question of Codex that no turn can answer gets an error", () => {
  const connection = openConnection();
  begin(connection, 0, THREAD);
  const answers = [
    { id: 7, method: "item/tool/requestUserInput", params: { threadId: THREAD } },
    { id: "8", method: "account/chatgptAuthTokens/refresh", params: {} },
    { id: 9, method: "item/commandExecution/requestApproval", params: { threadId: OTHER } },
  ].flatMap((message) => connection.route?.(message) ?? []);
  expect(answers.map(({ turn }) => turn)).toEqual([undefined, undefined, undefined]);
  expect(answers.flatMap(({ send = [] }) => send.map(read))).toMatchObject(
    [7, "8", 9].map((id) => ({ id, error: { code: -32601 } })),
  );
});

it("a line that is no message belongs to no turn", () => {
  const connection = openConnection();
  begin(connection, 0, THREAD);
  expect([connection.route?.("text"), connection.route?.({ id: 99, result: {} }), connection.route?.({})]).toEqual([[], [], []]);
});
