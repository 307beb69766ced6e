import { isAccepted, lateSettings, residentInput } from "../../dialects/claude/claude-lines.ts";
import { sendLine } from "../../dialects/kit/lines.ts";
import { type JsonObject, type JsonValue, objectOf, stringOf } from "../../spec/json.ts";
import type { ResidentTransport, Transport } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { SimpleWire } from "../../spec/wire/define-wire.ts";
import type { Connection, RoutedValue, Send, Wire, WireStep, WireTurn } from "../../spec/wire/wire.ts";
import { hasCostLimit, withHooks } from "./launch.ts";

/**
 * A `claude` process that waits for its prompt. It learns the system prompt and the schema with the first turn or before it, and only
 * once: a second `initialize` changes nothing. It keeps its conversation, so it takes one turn without a session, or the turns of one
 * session.
 */
export function residentOf(spawn: Transport & { readonly wire: SimpleWire }): ResidentTransport {
  return {
    ...spawn,
    launch: (request, options) => {
      const parts = spawn.launch(withoutLateSettings(request), options);
      return canBePrepared(request) ? withHooks(parts, TRIAL_HOOKS) : parts;
    },
    wire: residentWire(spawn.wire),
    serves,
  };
}

/** An agent without a session begins in its directory with a process of its own. A limit of the cost is that of a process. */
function serves(request: PromptRequest): boolean {
  return (request.mode !== "agent" || request.session !== undefined) && !hasCostLimit(request);
}

function withoutLateSettings(request: PromptRequest): PromptRequest {
  const { system, outputSchema: _, ...rest } = request;
  return request.systemMode === "append" && system !== undefined ? { ...rest, system } : rest;
}

function residentWire(wire: SimpleWire): Wire {
  const preparation = { settingsOf, bindsToSettings };
  return { ...wire, preparation, connect: (place) => new ResidentConnection(wire.connect(place)) };
}

/** A process of a session is opened for its first turn, so that it does not wait. One with host tools would ask for them before its turn. */
function canBePrepared({ nativeTools = [], session }: PromptRequest): boolean {
  return nativeTools.length === 0 && session === undefined;
}

/** The line with the settings; empty for a request without any, whose process is prepared by a trial prompt alone. */
function settingsOf(request: PromptRequest): string | undefined {
  return canBePrepared(request) ? lateSettings(request) : undefined;
}

/** A process without settings waits alone: most callers without a system prompt never send one. */
function bindsToSettings(request: PromptRequest): boolean {
  return settingsOf(request) !== "";
}

/** What plugins show on a screen (`ui_log`, `ui_invalidate`, …), also before the first turn. */
function isInterfaceNote(native: JsonValue): boolean {
  const line = objectOf(native);
  return line?.["type"] === "system" && stringOf(line["subtype"])?.startsWith("ui_") === true;
}

/** The settings that a process learns with its first turn. */
type LateSettings = { readonly [Name in "system" | "systemMode" | "outputSchema" | "nativeTools"]: PromptRequest[Name] };

class ResidentConnection implements Connection {
  private readonly inner: Connection;
  private first: LateSettings | undefined;
  /** The settings for which the process was prepared before the first turn. */
  private told: string | undefined;
  private readonly trial = new TrialPrompt();
  /** True if the process is to be prepared by the trial prompt alone, and its plugin has not announced it yet. */
  private awaitsTrial = false;
  /** The prompt of a turn that waits for the end of the trial prompt. */
  private held: readonly Send[] | undefined;
  private hasSession = false;
  private sessionId: string | undefined;

  constructor(inner: Connection) {
    this.inner = inner;
  }

  open(): ReturnType<Connection["open"]> {
    return this.inner.open();
  }

  start(turn: number, request: PromptRequest, before: Parameters<Connection["start"]>[2]): WireTurn {
    const isTold = this.first !== undefined || this.told !== undefined;
    const { system, systemMode, outputSchema, nativeTools } = request;
    this.first ??= { system, systemMode, outputSchema, nativeTools };
    this.hasSession ||= request.session !== undefined;
    const started = this.inner.start(turn, request, before);
    return {
      ...started,
      begin: () => ({ events: [], send: this.hold(residentInput(request, isTold)) }),
      step: (native) => this.note(started.step(native)),
      interrupt: () => {
        this.held = undefined;
        return started.interrupt();
      },
    };
  }

  readonly takes = (request: PromptRequest): boolean => {
    if (this.first === undefined) return this.told === undefined || this.isPrepared(request);
    const { session } = request;
    if (session === undefined || !("resume" in session) || session.resume !== this.sessionId) return false;
    return (["system", "systemMode", "outputSchema", "nativeTools"] as const).every(
      (name) => JSON.stringify(request[name]) === JSON.stringify(this.first?.[name]),
    );
  };

  readonly holds = (session: string): boolean => this.sessionId === session;

  readonly isSpent = (): boolean => this.first !== undefined && !this.hasSession;

  readonly prepare = (request: PromptRequest): readonly Send[] => {
    const settings = settingsOf(request);
    if (settings === undefined || this.told !== undefined || this.first !== undefined) return [];
    const trial = this.trial.send();
    // Without a trial prompt such a process differs in nothing from an unprepared one, which takes any request.
    this.awaitsTrial = settings === "" && trial.length === 0;
    if (this.awaitsTrial) return [];
    this.told = settings;
    return settings === "" ? trial : [{ text: settings }, ...trial];
  };

  readonly isPrepared = (request?: PromptRequest): boolean =>
    this.first === undefined && this.told !== undefined && (request === undefined || this.told === settingsOf(request));

  /** Notes for a screen, the answer to settings that were sent before the first turn and the trial prompt concern no turn. */
  readonly route = (native: JsonValue): readonly RoutedValue[] | undefined => {
    if (this.trial.readAnnouncement(native)) {
      if (this.first !== undefined) return [{ native }];
      if (this.awaitsTrial) this.told ??= "";
      return [{ native, send: this.told === undefined ? [] : this.trial.send() }];
    }
    if (this.concernsNoTurn(native)) return [];
    return this.trial.isOpen() ? this.routeTrial(native) : undefined;
  };

  private concernsNoTurn(native: JsonValue): boolean {
    return isInterfaceNote(native) || (this.told !== undefined && isAccepted(native));
  }

  private routeTrial(native: JsonValue): readonly RoutedValue[] | undefined {
    if (!this.trial.read(native)) {
      // A process without a turn is ended because of the line; a turn must not take it for its answer.
      if (this.first === undefined) return undefined;
      throw new Error("Claude Code has not dropped the trial prompt.");
    }
    if (this.trial.isOpen()) return [];
    const { held = [] } = this;
    this.held = undefined;
    return [{ native, send: held }];
  }

  private hold(sends: readonly Send[]): readonly Send[] {
    if (!this.trial.isOpen()) return sends;
    this.held = sends;
    return [];
  }

  private note(step: WireStep): WireStep {
    for (const event of step.events) if (event.type === "session-start") this.sessionId = event.sessionId;
    return step;
  }
}

const ANNOUNCEMENT = "coxswain-trial ";

/**
 * The hooks of Coxswain's plugin that take a trial prompt: they announce a random text, and the first prompt with this text is
 * dropped before it is part of the conversation. If hooks are switched off, nothing is announced.
 */
const TRIAL_HOOKS: readonly string[] = [
  "let trial = globalThis.crypto.randomUUID();",
  `on("session.start", ($, e, next) => { $.ui.log("${ANNOUNCEMENT}" + trial); return next(e); });`,
  'on("prompt.submit", ($, e, next) => { if (e.text !== trial) return next(e); trial = undefined; return { drop: "trial" }; });',
];

/**
 * A prompt that a waiting process of Claude Code drops. It runs the code of a turn for the first time, up to the request to the model,
 * so that the next turn takes less time. It is sent only to a process whose plugin has announced that it will drop it.
 */
class TrialPrompt {
  private text: string | undefined;
  private wasDropped = false;
  private state: "unsent" | "sent" | "over" = "unsent";

  /** True while the process reads the trial prompt; another prompt would be joined with it. */
  isOpen(): boolean {
    return this.state === "sent";
  }

  /** Returns the trial prompt, once; nothing if it was not announced. */
  send(): readonly Send[] {
    if (this.state !== "unsent" || this.text === undefined) return [];
    this.state = "sent";
    return [sendLine({ type: "user", message: { role: "user", content: this.text } })];
  }

  /** True if the line is the announcement of the plugin. */
  readAnnouncement(native: JsonValue): boolean {
    const line = objectOf(native) ?? {};
    const text = stringOf(line["text"]) ?? "";
    if (!isSystem(line, "ui_log") || !text.startsWith(ANNOUNCEMENT)) return false;
    this.text ??= text.slice(ANNOUNCEMENT.length);
    return true;
  }

  /** True if the line belongs to the trial prompt; its `result` ends it. Any line that shows that the prompt was not dropped does not. */
  read(native: JsonValue): boolean {
    if (this.state !== "sent") return false;
    const line = objectOf(native) ?? {};
    if (isSystem(line, "init")) return true;
    if (isSystem(line, "informational")) {
      const outcome = objectOf(line["prompt_submit_outcome"]);
      this.wasDropped ||= outcome?.["kind"] === "dropped_by_hook" && outcome["prompt_kept"] === false;
      return this.wasDropped;
    }
    if (line["type"] !== "result" || !this.wasDropped) return false;
    this.state = "over";
    return true;
  }
}

function isSystem(line: JsonObject, subtype: string): boolean {
  return line["type"] === "system" && line["subtype"] === subtype;
}
