import { randomUUID } from "node:crypto";
import { type Charge, type Ledger, sum } from "./ledger.ts";
import type { Script, ScriptedProcess } from "./machine.ts";
import type { Reply, ScriptedModel } from "./model.ts";

const HIGH_DEMAND = "We’re currently experiencing high demand, which may cause temporary errors.";
const TOO_LONG = "Incomplete response returned, reason: max_output_tokens";

type Place = { readonly model: ScriptedModel; readonly ledger: Ledger };

/** `codex exec --json`, also with `resume`: one turn, the prompt on stdin. `turn.completed` has the total of the thread. */
export function codexExec(process: ScriptedProcess, { model, ledger }: Place): Script {
  const thread = process.args.find((word) => UUID.test(word)) ?? randomUUID();
  return {
    end(prompt) {
      process.print({ type: "thread.started", thread_id: thread }, { type: "turn.started" });
      const reply = model.ask("codex", thread, prompt);
      const message = failureOf(reply);
      if (reply.text !== "" && reply.act !== "length") {
        process.print({ type: "item.completed", item: { id: "item_0", type: "agent_message", text: reply.text } });
      }
      if (message !== undefined) {
        if (reply.entry !== undefined) reply.entry.isKeptBack = true;
        process.print({ type: "error", message }, { type: "turn.failed", error: { message } });
        return process.exit(1);
      }
      ledger.tellThread(thread);
      const { inputTokens, cacheReadTokens, outputTokens } = sum(ledger.of(thread).map(({ charge }) => charge));
      const cached = { cached_input_tokens: cacheReadTokens, cache_write_input_tokens: 0 };
      const usage = { input_tokens: inputTokens, ...cached, output_tokens: outputTokens, reasoning_output_tokens: 0 };
      process.print({ type: "turn.completed", usage });
      process.exit();
    },
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `codex app-server`: any number of threads and turns. `total` is of the thread, and comes also when a thread is resumed. */
export class CodexServer implements Script {
  private readonly process: ScriptedProcess;
  private readonly place: Place;
  private readonly prompts = new Map<string, string>();

  constructor(process: ScriptedProcess, place: Place) {
    this.process = process;
    this.place = place;
  }

  line(line: string): void {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === undefined) return;
    const reply = (result: object): void => this.process.print({ id, result });
    if (method === "initialize") return reply({ userAgent: "coxswain/0.169.0", codexHome: "/", platformFamily: "unix" });
    if (method === "config/read") return reply({ config: { model: "gpt-6.1-sol" } });
    if (method === "thread/start") return reply({ thread: { id: randomUUID() }, model: "gpt-6.1-sol", cwd: "/" });
    if (method === "thread/resume") {
      reply({ thread: { id: params.threadId }, model: "gpt-6.1-sol", cwd: "/" });
      if (this.place.ledger.of(params.threadId).length > 0) this.reportTotal(params.threadId, "before");
      return;
    }
    if (method === "thread/inject_items") this.prompts.set(params.threadId, JSON.stringify(params.items));
    if (method === "turn/start") return this.turn(params, reply);
    if (method !== "thread/unsubscribe") return reply({});
    reply({ status: "unsubscribed" });
    this.notify("thread/closed", { threadId: params.threadId });
  }

  end(): void {
    this.process.exit();
  }

  private turn(
    { threadId, input }: { threadId: string; input: readonly { text: string }[] },
    reply: (result: object) => void,
  ): void {
    const turnId = randomUUID();
    const turn = { id: turnId, items: [], status: "inProgress", error: null };
    reply({ turn });
    const prompt = `${this.prompts.get(threadId) ?? ""}${input.map(({ text }) => text).join("")}`;
    const answer = this.place.model.ask("codex", threadId, prompt);
    const message = failureOf(answer);
    if (answer.text !== "" && answer.act !== "length") this.say(threadId, turnId, answer.text);
    // After an error of the service the total is not repeated; after a cut answer it is.
    if (answer.entry !== undefined) {
      this.place.ledger.tellThread(threadId);
      this.reportTotal(threadId, turnId);
    }
    const info = answer.act === "length" ? "other" : "internalServerError";
    const error = message === undefined ? null : { message, codexErrorInfo: info, additionalDetails: null };
    if (error !== null) this.notify("error", { error, willRetry: false, threadId, turnId });
    this.notify("turn/completed", { threadId, turn: { ...turn, status: error === null ? "completed" : "failed", error } });
  }

  private say(threadId: string, turnId: string, text: string): void {
    const item = { type: "agentMessage", id: `msg_${turnId}`, text: "", phase: null };
    this.notify("item/started", { item, threadId, turnId });
    this.notify("item/agentMessage/delta", { threadId, turnId, itemId: item.id, delta: text });
    this.notify("item/completed", { item: { ...item, text }, threadId, turnId });
  }

  private reportTotal(threadId: string, turnId: string): void {
    const charges = this.place.ledger.of(threadId).map(({ charge }) => charge);
    const last = charges.at(-1);
    const tokenUsage = { total: breakdownOf(sum(charges)), last: last && breakdownOf(last), modelContextWindow: null };
    this.notify("thread/tokenUsage/updated", { threadId, turnId, tokenUsage });
  }

  private notify(method: string, params: object): void {
    this.process.print({ method, params });
  }
}

function breakdownOf({ inputTokens, cacheReadTokens, outputTokens }: Charge): object {
  const cached = { cachedInputTokens: cacheReadTokens, cacheWriteInputTokens: 0 };
  return { totalTokens: inputTokens + outputTokens, inputTokens, ...cached, outputTokens, reasoningOutputTokens: 0 };
}

function failureOf({ act }: Reply): string | undefined {
  return act === "error" ? HIGH_DEMAND : act === "length" ? TOO_LONG : undefined;
}
