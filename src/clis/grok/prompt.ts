import type { JsonObject } from "../../spec/json.ts";
import { addFile, type TempFile } from "../../spec/provider/cli-data.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { LONGEST_CALL_MS } from "../shared/bridged-tools.ts";
import { mapServers } from "../shared/mcp-servers.ts";

/** The user message that is sent besides the prompt, because xAI accepts no empty message. */
const NO_SYSTEM = "You are a helpful assistant.";
const NO_CONTEXT = "<user_info></user_info>";
const ANSWER_ABOVE = "Answer the message above.";

/** One argument may have 128 KiB; the rest is for JSON escapes. */
const LONGEST_ARGUMENT = 100_000;

/** Grok Build executes some words at the beginning of a prompt; no flag prevents it, and newer versions may add more. */
const COMMAND = /^\p{White_Space}*\/[a-z][\w:.-]*(?!\P{White_Space})/iu;
/** A mention of a file that may exist, as seen from an empty directory. */
const MENTION = /(?<![\p{L}\p{N}_])@\p{White_Space}*(?:\/|\\|[a-z]:[\\/]|(?:\.[\\/]+)*\.\.(?:[\\/]|(?!\P{White_Space})))/iu;
const OUTER_BLANKS = /^\p{White_Space}|\p{White_Space}$/u;

/** Whether Grok Build would find a command or a file name in a prompt. */
export function isActive(prompt: string): boolean {
  return COMMAND.test(prompt) || MENTION.test(prompt);
}

export function isResumed({ session = { keep: true } }: PromptRequest): boolean {
  return "resume" in session || "fork" in session;
}

/** The arguments that pass the prompt: in a file, which loses leading and trailing spaces, or as JSON. */
export function promptArguments(prompt: string, tempFiles: TempFile[]): readonly string[] {
  const blocks = JSON.stringify([{ type: "text", text: prompt }]);
  if (OUTER_BLANKS.test(prompt) && Buffer.byteLength(blocks) <= LONGEST_ARGUMENT) return ["--prompt-json", blocks];
  return ["--prompt-file", addFile(tempFiles, "prompt.txt", prompt)];
}

/**
 * The arguments of a completion: our own agent, whose instructions are only the system prompt, and the prompt. The agent has a
 * template for the text before the first prompt, in which Grok Build looks for no commands and no mentions. A prompt that it
 * would change is put there.
 */
export function completionArguments(request: PromptRequest, tempFiles: TempFile[]): readonly string[] {
  const { prompt } = request;
  const isFirst = isResumed(request)
    ? false
    : isActive(prompt) || (OUTER_BLANKS.test(prompt) && prompt.length > LONGEST_ARGUMENT);
  return [
    ...promptArguments(isFirst ? ANSWER_ABOVE : prompt, tempFiles),
    ...agentFileArguments(request, tempFiles, isFirst ? prompt : NO_CONTEXT),
  ];
}

/** The arguments that name our own agent, with its instructions and, in a completion, the text before the first prompt. */
export function agentFileArguments(request: PromptRequest, tempFiles: TempFile[], context?: string): readonly string[] {
  return ["--agent", addFile(tempFiles, "agent.md", agentFile(request, context))];
}

/** Where a prompt of a resident process is put: the text before the first prompt, and the prompt. */
export function promptPlaces(prompt: string): { readonly context: string; readonly prompt: string } {
  return isActive(prompt) ? { context: prompt, prompt: ANSWER_ABOVE } : { context: NO_CONTEXT, prompt };
}

/** Our own agent as the object that a new session takes; its fields are those of the agent's file. */
export function agentProfile(request: PromptRequest, context: string): JsonObject {
  const { promptMode, promptBody } = instructionsOf(request);
  return { ...NAMES, promptMode, promptBody, userMessageTemplate: literally(context) };
}

const NAMES = { name: "coxswain", description: "Works for Coxswain." };

function instructionsOf({
  system = "",
  systemMode = "replace",
}: PromptRequest): Readonly<Record<"promptMode" | "promptBody", string>> {
  const isKept = systemMode === "append";
  const body = isKept || system.trim() !== "" ? system : NO_SYSTEM;
  return { promptMode: isKept ? "extend" : "full", promptBody: literally(body) };
}

function agentFile(request: PromptRequest, context: string | undefined): string {
  const { promptMode, promptBody } = instructionsOf(request);
  const head = Object.entries({ ...NAMES, promptMode }).map(([name, value]) => `${name}: ${value}`);
  const template = context === undefined ? [] : [`userMessageTemplate: ${yamlString(literally(context))}`];
  return ["---", ...head, ...serverLines(request), ...template, "---", promptBody].join("\n");
}

const DOLLAR = "$";

/** A template that gives the text unchanged; empty expressions keep leading and trailing spaces. */
function literally(text: string): string {
  const nothing = `${DOLLAR}{{""}}`;
  return nothing + text.replaceAll(/\$(?=\{[{%#])/g, () => `${DOLLAR}{{"${DOLLAR}"}}`) + nothing;
}

/** JSON is YAML too. */
function serverLines({ mcpServers }: PromptRequest): readonly string[] {
  if (mcpServers === undefined) return [];
  const servers = mapServers(mcpServers, (server) => ({ ...server, tool_timeout_sec: LONGEST_CALL_MS / 1000 }));
  return [`mcpServers: ${JSON.stringify(Object.entries(servers).map(([name, server]) => ({ [name]: server })))}`];
}

function yamlString(text: string): string {
  const escaped = Array.from(text, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    const code = character.codePointAt(0) ?? 0;
    return code >= 32 && code < 127 ? character : `\\U${code.toString(16).padStart(8, "0")}`;
  });
  return `"${escaped.join("")}"`;
}
