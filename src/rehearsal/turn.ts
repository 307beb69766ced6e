import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "../spec/json.ts";
import type { RehearsalOptions } from "./arguments.ts";
import { type Message, startMessage } from "./message.ts";
import type { OutputLines } from "./output-lines.ts";

/** The host's answer to a permission request. */
export type PermissionVerdict = { readonly allowed: boolean; readonly message: string };

/** What a scenario can use while it plays one turn. */
export type Turn = {
  readonly prompt: string;
  readonly options: RehearsalOptions;
  readonly lines: OutputLines;
  /** Waits; rejects at once when the turn is interrupted. */
  pause(milliseconds: number): Promise<void>;
  /** Asks the host for permission; allowed at once when no host answers permission requests. */
  askPermission(toolUseId: string, name: string, input: JsonObject): Promise<PermissionVerdict>;
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
};

/** Creates a turn. */
export function createTurn(prompt: string, options: RehearsalOptions, lines: OutputLines, around: TurnSurroundings): Turn {
  let message: Message | undefined;
  return {
    prompt,
    options,
    lines,
    pause: (milliseconds) => delay(milliseconds, undefined, { signal: around.signal }),
    askPermission: async (toolUseId, name, input) => {
      if (!options.asksPermission) return { allowed: true, message: "" };
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
