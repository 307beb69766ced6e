import type { Client, RunResult, RunStream, Session, TargetChoice } from "../../src/index.ts";
import type { Message } from "../../src/spec/message.ts";
import type { Conversation, ProviderName, Step, Warmth } from "./conversation.ts";

/** A run as the judge sees it. */
export type PlayedRun = {
  readonly step: Step;
  readonly result: RunResult;
  /** The session of the turn, and its record right after it; absent for a single run. */
  readonly session?: { readonly id: string; readonly record: Session["record"] };
  /** The run continued a session of the CLI that its client never saw: what it has cost before may be unknown. */
  readonly isForeign: boolean;
};

const SCHEMA = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
} as const;

const WEATHER = {
  name: "get_weather",
  description: "The weather in a city",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
} as const;

/** Plays the steps of one conversation through the public API. */
export class Player {
  private client: Client;
  private readonly open: () => Client;
  private readonly provider: ProviderName;
  private readonly warmth: Warmth;
  private readonly settings: { readonly mode: "agent"; readonly cwd: string } | { readonly mode: "completion" };
  /** The CLI's sessions that the client has run. */
  private seen = new Set<string>();
  private readonly sessions: Session[] = [];
  private readonly messages: Message[] = [];
  private current: Session | undefined;
  private lastKept: string | undefined;
  private said = 0;

  constructor(open: () => Client, provider: ProviderName, { warmth, mode }: Conversation, workspace: string) {
    this.open = open;
    this.client = open();
    this.provider = provider;
    this.warmth = warmth;
    this.settings = mode === "agent" ? { mode, cwd: workspace } : { mode };
  }

  async play(step: Step): Promise<PlayedRun> {
    this.said += 1;
    const played = await this.playStep(step, `Question ${this.said}`);
    const { sessionId } = played.result;
    if (sessionId !== undefined) this.seen.add(sessionId);
    return played;
  }

  private async playStep(step: Step, prompt: string): Promise<PlayedRun> {
    switch (step.do) {
      case "run":
      case "messages":
      case "run-fallback":
      case "tools":
        return this.single(step, prompt);
      case "run-keep":
      case "run-resume":
      case "run-fork":
      case "run-resume-session":
        return this.kept(step, prompt);
      default:
        return this.turn(step, prompt);
    }
  }

  private async turn(step: Step, prompt: string): Promise<PlayedRun> {
    const session = await this.sessionFor(step);
    this.current = session;
    if (!this.sessions.includes(session)) this.sessions.push(session);
    const message = step.do === "schema" ? { prompt, outputSchema: SCHEMA } : prompt;
    const result = await session.stream(message).outcome();
    return { step, result, session: { id: session.id, record: session.record }, isForeign: false };
  }

  private async sessionFor(step: Step): Promise<Session> {
    const { current } = this;
    if (current === undefined || step.do === "new") return this.client.session({ target: this.target(), ...this.settings });
    if (step.do === "other-session") return this.sessions[this.said % this.sessions.length] ?? current;
    if (step.do === "hand-over") current.handOver(this.target(step.to));
    if (step.do === "fallback") {
      return this.client.session({ target: [this.target(), this.target(step.to)], ...this.settings });
    }
    // A session without an answered turn has nothing to fork or to resume.
    if (step.do === "fork" && current.record.turns > 0) return current.fork();
    if (step.do !== "other-client" || current.record.turns === 0) return current;
    // The sessions go on in another client.
    await this.client.close();
    this.client = this.open();
    this.seen = new Set();
    for (const [at, session] of this.sessions.entries()) this.sessions[at] = this.client.resume(session.id) ?? session;
    return this.sessions.find(({ id }) => id === current.id) ?? current;
  }

  private async single(step: Step, prompt: string): Promise<PlayedRun> {
    const result = await this.stream(step, prompt).outcome();
    // The next messages continue these.
    if (step.do === "messages" && result.failure === undefined) {
      this.messages.push({ role: "user", text: prompt }, { role: "assistant", text: result.text });
    }
    return { step, result, isForeign: false };
  }

  private stream(step: Step, prompt: string): RunStream {
    const { client, settings } = this;
    const target = this.target();
    if (step.do === "tools") {
      const session = step.keep ? { session: { keep: true } as const } : {};
      const request = { prompt, tools: [WEATHER], hostTools: "text", ...session } as const;
      return client.run(target, request, { callTool: () => "It rains." });
    }
    if (step.do === "run-fallback") return client.run([target, this.target(step.to)], { prompt, ...settings });
    if (step.do === "run") return client.run(target, { prompt, ...settings });
    return client.run(target, { messages: [...this.messages, { role: "user", text: prompt }] });
  }

  /** A run that keeps its session, or continues one that was kept. */
  private async kept(step: Step, prompt: string): Promise<PlayedRun> {
    const ofSession = this.current?.record.cli;
    const id =
      step.do !== "run-resume-session" ? this.lastKept : ofSession?.provider === this.provider ? ofSession.id : undefined;
    const continued = step.do === "run-keep" ? undefined : id;
    const session =
      continued === undefined ? { keep: true as const } : step.do === "run-fork" ? { fork: continued } : { resume: continued };
    const isForeign = continued !== undefined && !this.seen.has(continued);
    const result = await this.client.run(this.target(), { prompt, session, ...this.settings }).outcome();
    if (result.sessionId !== undefined && step.do !== "run-resume-session") this.lastKept = result.sessionId;
    return { step, result, isForeign };
  }

  private target(provider: ProviderName = this.provider): TargetChoice {
    if (provider !== this.provider || this.warmth === "default") return provider;
    return { provider, transport: this.warmth === "cold" ? "spawn" : "resident" };
  }
}
