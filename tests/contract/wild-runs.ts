import { builtinProviders } from "../../src/clis/index.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { collect } from "../../src/run/collect.ts";
import type { Failure } from "../../src/spec/failure/failure.ts";
import type { Provider } from "../../src/spec/provider/provider.ts";

/** A text that users of a CLI reported, and what it must be read as. */
export type WildText = {
  readonly id: string;
  readonly cli: string;
  readonly text: string;
  readonly where: "error-event" | "stderr" | "exit" | "answer+tool" | "stderr-noise" | "documented";
  /** The accepted categories. */
  readonly category?: readonly string[];
  readonly expect?: string;
  readonly forbid?: readonly string[];
  readonly now?: string;
  readonly tz?: string;
  readonly exit?: number;
  readonly resetAt?: string;
  readonly retryAfterMs?: number;
  readonly tolMs?: number;
};

/** The kind and the HTTP status beside a text, for the CLIs that print them. */
export type Beside = { readonly kind?: string; readonly status?: number };

/** The failure of a recorded run of the CLI whose error is this text. */
export function failWith({ cli, text, where, exit = 1 }: WildText, beside: Beside = {}): Failure | undefined {
  const provider = providerOf(cli);
  const lines = where === "error-event" ? errorLines(provider.id, text, beside) : [];
  const stderr = where === "error-event" ? "" : `${text}\n`;
  return replay(provider, lines, stderr, exit);
}

/** The failure of a recorded run of Claude Code that succeeds with this text as its answer and as the output of a tool. */
export function answerWith(text: string): Failure | undefined {
  const lines = [
    assistant("1", [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "x" } }]),
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: text, is_error: true }] },
    },
    assistant("2", [{ type: "text", text }]),
    { type: "result", subtype: "success", is_error: false, result: text, stop_reason: "end_turn" },
  ];
  return replay(providerOf("claude"), lines, "", 0);
}

/** The failure of a recorded run of Claude Code that succeeds with this text on stderr. */
export function succeedBeside(stderr: string): Failure | undefined {
  const lines = [
    assistant("1", [{ type: "text", text: "hi" }]),
    { type: "result", subtype: "success", is_error: false, result: "hi" },
  ];
  return replay(providerOf("claude"), lines, `${stderr}\n`, 0);
}

function replay(provider: Provider, lines: readonly object[], stderr: string, exitCode: number): Failure | undefined {
  const stdout = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return replayRecording(provider, { stdout, stderr, exitCode }).flatMap((events) => collect(events).failure ?? [])[0];
}

/** The lines in which each CLI prints an error, as its recordings have them. */
function errorLines(id: string, text: string, { kind, status }: Beside): readonly object[] {
  const failed = { type: "result", subtype: "success", is_error: true, api_error_status: status ?? null, result: text };
  switch (id) {
    case "claude":
    case "glm":
      return [{ ...assistant("1", [{ type: "text", text }]), error: kind ?? "unknown" }, failed];
    case "gemini":
      return [{ type: "result", status: "error", error: { type: kind ?? "unknown", message: text }, stats: {} }];
    case "qwen":
      return [assistant("1", [{ type: "text", text: bracketed(text) }]), { ...failed, is_error: false, result: bracketed(text) }];
    case "opencode":
      return [{ type: "error", error: { name: kind ?? "UnknownError", data: { message: text, statusCode: status ?? null } } }];
    case "copilot":
      return [
        { type: "session.error", data: { errorType: kind ?? "query", message: text, statusCode: status ?? null } },
        { type: "result", exitCode: 1 },
      ];
    case "grok":
      return [{ type: "result", subtype: "error_during_execution", is_error: true, errors: [text] }];
    case "ax-glm":
    case "ax-grok":
    case "grok-vibe":
      return [
        { role: "user", content: "Say hello" },
        { role: "assistant", content: `Sorry, I encountered an error: LLM API error (model: glm-4.7): ${text}` },
      ];
    default:
      return [{ type: "turn.failed", error: { message: text } }];
  }
}

/** Qwen prints an error as its answer, in brackets. */
function bracketed(text: string): string {
  return text.startsWith("[API Error: ") ? text : `[API Error: ${text}]`;
}

function assistant(id: string, content: readonly object[]): object {
  const message = { id, type: "message", role: "assistant", content, usage: { input_tokens: 0, output_tokens: 0 } };
  return { type: "assistant", parent_tool_use_id: null, message };
}

/** A text of no known CLI is printed as Codex prints it. */
function providerOf(cli: string): Provider {
  const found = builtinProviders.find(({ id }) => id === cli) ?? builtinProviders.find(({ id }) => id === "codex");
  if (found === undefined) throw new Error("there is no provider");
  return found;
}
