import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import type { RehearsalOptions } from "./arguments.ts";
import type { HostResult, HostTool, HostTools } from "./host-tools.ts";
import { type OutputLines, toUsage } from "./output-lines.ts";
import { decideCall } from "./permissions.ts";

/** The host's answer to a permission request. */
export type PermissionVerdict = { readonly allowed: boolean; readonly message: string };

/** One assistant message that is being printed, block by block. */
export type Message = {
  /** Text of the block that is open, or empty. */
  readonly openText: () => string;
  /** Adds a piece to the open text block; opens one if none is open. */
  text(piece: string): void;
  /** Prints the whole block again as the CLI does, then closes it. */
  endText(): void;
  /** Prints a complete tool call; its input is sent in two pieces. */
  toolUse(id: string, name: string, input: JsonValue): void;
  /** Ends the message. */
  stop(reason: "end_turn" | "tool_use"): void;
  /** Prints the text of the open block so far and leaves the message unfinished. */
  abandon(): void;
};

/** What a scenario can use while it plays one turn. */
export type Turn = {
  readonly prompt: string;
  readonly options: RehearsalOptions;
  readonly lines: OutputLines;
  /** Waits; rejects at once when the turn is interrupted. */
  pause(milliseconds: number): Promise<void>;
  /** Whether a call may run: by the flags, else by the answer of the host; allowed when no host answers permission requests. */
  askPermission(toolUseId: string, name: string, input: JsonObject): Promise<PermissionVerdict>;
  /** The tools of the host, if it offers any as tools of the CLI. */
  readonly hostTools?: {
    list(): Promise<readonly HostTool[]>;
    call(id: string, name: string, input: JsonValue): Promise<HostResult>;
  };
  /** Opens the next message. */
  message(): Message;
  /** The message opened last. */
  current(): Message | undefined;
};

/** How a turn ended; it decides the exit code. */
export type TurnOutcome = "answered" | "failed";

/** Plays one turn. */
export type Scenario = (turn: Turn) => Promise<TurnOutcome>;

/** What a turn needs from its process. */
export type TurnSurroundings = {
  readonly signal: AbortSignal;
  /** Waits for the control_response with this id. */
  readonly answerTo: (requestId: string) => Promise<PermissionVerdict>;
  readonly hostTools: HostTools | undefined;
};

/** Creates a turn. */
export function createTurn(prompt: string, options: RehearsalOptions, lines: OutputLines, around: TurnSurroundings): Turn {
  const { hostTools, signal } = around;
  let message: Message | undefined;
  return {
    prompt,
    options,
    lines,
    ...(hostTools !== undefined && {
      hostTools: {
        list: () => hostTools.list(lines, signal),
        call: (id, name, input) => hostTools.call(id, { name, input }, lines, signal),
      },
    }),
    pause: (milliseconds) => delay(milliseconds, undefined, { signal }),
    askPermission: async (toolUseId, name, input) => {
      const decision = decideCall(name, input, options.permissions);
      if (decision.kind === "deny") return { allowed: false, message: decision.message };
      if (decision.kind === "allow" || !options.asksPermission) return { allowed: true, message: "" };
      const requestId = randomUUID();
      const request = { subtype: "can_use_tool", tool_name: name, input, permission_suggestions: [], tool_use_id: toolUseId };
      lines.send({ type: "control_request", request_id: requestId, request });
      return await around.answerTo(requestId);
    },
    message: () => {
      message = startMessage(lines, options.model, prompt.length + options.systemPrompt.length);
      return message;
    },
    current: () => message,
  };
}

/** Opens a message: it prints deltas, then the consolidated line of each block before the block is closed. */
function startMessage(lines: OutputLines, model: string, read: number): Message {
  const id = `msg_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
  let index = 0;
  let openText = "";
  let said = 0;
  const event = (value: JsonObject): void => lines.send({ type: "stream_event", event: value, parent_tool_use_id: null });
  const delta = (value: JsonObject): void => event({ type: "content_block_delta", index, delta: value });
  const shell = { id, type: "message", role: "assistant", model, stop_reason: null, stop_sequence: null };
  const usage = { ...toUsage({ read, said: 0 }), output_tokens: 1 };
  const consolidated = (block: JsonObject): void =>
    lines.send({ type: "assistant", message: { ...shell, content: [block], usage }, parent_tool_use_id: null });
  const close = (): void => {
    event({ type: "content_block_stop", index });
    index += 1;
  };
  event({ type: "message_start", message: { ...shell, content: [], usage } });
  return {
    openText: () => openText,
    text: (piece) => {
      if (openText === "") event({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
      openText += piece;
      said += piece.length;
      delta({ type: "text_delta", text: piece });
    },
    endText: () => {
      consolidated({ type: "text", text: openText });
      openText = "";
      close();
    },
    toolUse: (toolUseId, name, input) => {
      const json = JSON.stringify(input);
      const middle = Math.ceil(json.length / 2);
      said += json.length;
      event({ type: "content_block_start", index, content_block: { type: "tool_use", id: toolUseId, name, input: {} } });
      delta({ type: "input_json_delta", partial_json: json.slice(0, middle) });
      delta({ type: "input_json_delta", partial_json: json.slice(middle) });
      consolidated({ type: "tool_use", id: toolUseId, name, input });
      close();
    },
    stop: (reason) => {
      event({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: toUsage({ read, said }) });
      event({ type: "message_stop" });
    },
    abandon: () => {
      if (openText !== "") consolidated({ type: "text", text: openText });
    },
  };
}
