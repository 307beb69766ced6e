import type { Capabilities } from "./capabilities.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Image, Message } from "./message.ts";
import type { Budget } from "./policy.ts";
import type { ToolChoice, ToolDefinition } from "./tool.ts";

/** Who is asked: a provider, optionally with a model. */
export type Target = {
  readonly provider: string;
  readonly model?: string;
  /** Which login of that CLI: the directory that holds its configuration. */
  readonly profile?: string;
  readonly transport?: "auto" | "spawn" | "resident";
  /** What its provider must be able to do; of the transports for MCP servers it must have those named. */
  readonly requires?: Partial<Capabilities>;
};

/** Who is asked: a provider's id, `id/model`, or an object. */
export type TargetChoice = string | Target;

/** `completion`: the CLI is a pure model. `agent`: it works in a directory with its own tools. */
export type RunMode = "completion" | "agent";

/** How far the CLI may go without asking; `bypass` asks for nothing at all. */
export type PermissionMode = "default" | "plan" | "accept-edits" | "dont-ask" | "bypass";

/** What the CLI may do in agent mode. */
export type Permissions = {
  readonly mode?: PermissionMode;
  /** The tools that exist at all; everything by default. */
  readonly tools?: readonly string[];
  /** Patterns that may run without asking, such as `Bash(git status)`. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
};

/** An MCP server that the CLI starts or connects to. */
export type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/**
 * Which conversation the run belongs to: a new one that can be resumed (with a chosen id or the CLI's own), or an earlier one,
 * continued or branched. Without a choice a completion is forgotten.
 */
export type SessionChoice =
  | { readonly id: string }
  | { readonly keep: true }
  | { readonly resume: string }
  | { readonly fork: string; readonly id?: string };

/** Clocks of a run, in milliseconds; each ends the run with a code of its own. */
export type Timeouts = {
  /** Until the CLI prints its first line; a hook of the user is none. */
  readonly firstEventMs?: number;
  /** Since the model or a tool last printed anything. */
  readonly idleMs?: number;
  /** The same, while the answer is there and work in the background is still open; then the run ends with that answer. */
  readonly backgroundMs?: number;
  readonly totalMs?: number;
};

/** What one CLI process is asked to do: a prompt and its settings. */
export type PromptRequest = {
  readonly prompt: string;
  /** Go along with the prompt, in this order. */
  readonly images?: readonly Image[];
  /** System prompt; replaces the CLI's own unless `systemMode` is `append`. */
  readonly system?: string;
  readonly systemMode?: "replace" | "append";
  readonly mode?: RunMode;
  readonly cwd?: string;
  readonly addDirs?: readonly string[];
  readonly permissions?: Permissions;
  /**
   * What an agent's commands and sub-agents in the background mean: `wait` (default) ends the run when they are over, where the
   * CLI goes on by itself; `off` keeps Claude Code and GLM from starting any. Other CLIs have no such switch: it is left out with a
   * warning.
   */
  readonly backgroundTasks?: "wait" | "off";
  readonly session?: SessionChoice;
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** JSON Schema of the answer. */
  readonly outputSchema?: JsonObject;
  readonly maxTurns?: number;
  readonly maxOutputTokens?: number;
  readonly effort?: "low" | "medium" | "high" | "max";
  /** Added to the environment of the CLI. */
  readonly env?: Readonly<Record<string, string>>;
  /** Which credentials are meant: whatever is there, the CLI's own login (API keys are hidden from it), or an API key (there must be one). */
  readonly auth?: "inherit" | "subscription" | "api-key";
  /** Refuses settings that the CLI cannot honour, instead of leaving them out with a warning. */
  readonly strict?: boolean;
  /** Whether a denied tool call fails the run; by default it only shows. */
  readonly onPermissionDenied?: "warn" | "error";
  readonly timeouts?: Timeouts;
  /** Comes back in `run-start`, is never sent to the CLI. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
};

/** What a run is asked to do besides what is said. */
type RunOptions = Omit<PromptRequest, "prompt"> & {
  /** Functions of the caller that the model may call; the calls come back in the result and are not run. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** How a conversation is written for the CLI; by default as XML, and a lone user message as it is. */
  readonly threadEncoding?: "xml" | "text";
  /** What this run may spend, all attempts together. */
  readonly budget?: Budget;
  /** How long the run may wait for one target: for all delays between attempts together, and each time in the queue. */
  readonly maxWaitMs?: number;
};

/**
 * Everything a run is asked to do, as plain JSON: it can be stored, compared and replayed. What is said is one prompt or a
 * conversation, not both.
 */
export type RunRequest = RunOptions & { readonly prompt?: string; readonly messages?: readonly Message[] } & (
    | { readonly prompt: string }
    | { readonly messages: readonly Message[] }
  );
