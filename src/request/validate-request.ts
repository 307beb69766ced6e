import { statSync } from "node:fs";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { UUID } from "../spec/fields.ts";
import { readVariable } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { checkSupport } from "./check-support.ts";
import { checkProject } from "./project/check-project.ts";

/** The first reason why a request cannot be executed; called before a process is started. */
export function validateRequest(
  provider: Provider,
  target: Target,
  request: PromptRequest,
  env: Surroundings,
): Failure | undefined {
  return (
    checkShape(target, request) ??
    checkPrompt(provider, request) ??
    checkNumbers(request) ??
    checkMode(request) ??
    checkLists(request) ??
    checkPermissions(request) ??
    checkSupport(provider, target, request) ??
    checkSession(provider, request) ??
    checkCredentials(provider, request, env) ??
    checkDirectories(request) ??
    (request.mode === "agent" ? checkProject(provider, request, env) : undefined) ??
    checkRefusal(provider, target, request, env)
  );
}

const CHOICES = {
  mode: ["completion", "agent"],
  systemMode: ["replace", "append"],
  effort: ["low", "medium", "high", "max"],
  auth: ["inherit", "subscription", "api-key"],
  onPermissionDenied: ["warn", "error"],
} as const;
const PERMISSION_MODES: readonly string[] = ["default", "plan", "accept-edits", "dont-ask", "bypass"];

/** Requests may come from JavaScript or JSON, so an unknown value is refused and never replaced by a default. */
function checkShape(target: Target, request: PromptRequest): Failure | undefined {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value: unknown = request[name as keyof typeof CHOICES];
    if (value !== undefined && !choices.some((choice) => choice === value)) return unknownValue(name, value, choices);
  }
  const mode = request.permissions?.mode;
  if (mode !== undefined && !PERMISSION_MODES.includes(mode)) return unknownValue("permissions.mode", mode, PERMISSION_MODES);
  const name = Object.keys(request.env ?? {}).find((key) => key === "" || /[=\0]/.test(key));
  if (name !== undefined) return createFailure("bad-request", `"${name}" cannot be the name of an environment variable.`);
  const strings = [...Object.values(request.env ?? {}), target.model, target.profile, ...patternsOf(request)];
  const holdsNul = strings.some((text) => text?.includes("\0"));
  return holdsNul ? createFailure("bad-request", "An option contains a NUL character.") : undefined;
}

function unknownValue(name: string, value: unknown, choices: readonly string[]): Failure {
  return createFailure("bad-request", `${name} must be one of ${choices.join(", ")}, not ${JSON.stringify(value)}.`);
}

function patternsOf({ permissions: { allow = [], deny = [], tools = [] } = {} }: PromptRequest): readonly string[] {
  return [...allow, ...deny, ...tools];
}

function checkPrompt(provider: Provider, request: PromptRequest): Failure | undefined {
  for (const [name, text] of [
    ["prompt", request.prompt],
    ["system prompt", request.system ?? ""],
  ] as const) {
    if (text.includes("\0") || !text.isWellFormed()) {
      return createFailure("prompt-malformed", `The ${name} contains a NUL character or an unpaired surrogate.`);
    }
  }
  if (request.prompt.trim() === "") return createFailure("prompt-blank", "The prompt is blank.");
  return checkImages(request) ?? checkLength(provider, request.prompt);
}

function checkImages({ images = [] }: PromptRequest): Failure | undefined {
  const bad = images.find(({ mediaType, data }) => !/^image\/[a-z0-9.+-]+$/i.test(mediaType) || !/^[A-Za-z0-9+/]+=*$/.test(data));
  return bad && createFailure("bad-request", "An image needs a media type (image/…) and base64 data.");
}

function checkLength(provider: Provider, prompt: string): Failure | undefined {
  const { promptBytes: limit, promptCharacters } = provider.transports.spawn.limits;
  const characters = promptCharacters !== undefined && prompt.length > promptCharacters ? [...prompt].length : 0;
  if (promptCharacters !== undefined && characters > promptCharacters) {
    return createFailure(
      "prompt-too-large",
      `The prompt has ${characters} characters; ${provider.label} takes at most ${promptCharacters}.`,
    );
  }
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= limit) return undefined;
  return createFailure("prompt-too-large", `The prompt has ${bytes} bytes; ${provider.label} takes at most ${limit}.`);
}

/** CLIs ignore invalid numbers (claude: `--max-turns 0`), so they are checked here. */
function checkNumbers(request: PromptRequest): Failure | undefined {
  const { maxTurns, maxOutputTokens, timeouts = {} } = request;
  const { firstEventMs, idleMs, backgroundMs, toolMs, totalMs } = timeouts;
  const numbers = { maxTurns, maxOutputTokens, firstEventMs, idleMs, backgroundMs, toolMs, totalMs };
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || (Number.isInteger(value) && value > 0 && value < 2 ** 31)) continue;
    return createFailure(
      "bad-request",
      `${name} must be a whole number above zero, not ${typeof value === "number" ? value : JSON.stringify(value)}.`,
    );
  }
  return undefined;
}

/** Options of agent mode have no effect in completion mode, so they are refused instead of ignored. */
function checkMode(request: PromptRequest): Failure | undefined {
  if (request.mode === "agent") return undefined;
  const given: string[] = (["cwd", "addDirs", "permissions", "backgroundTasks"] as const).filter(
    (key) => request[key] !== undefined,
  );
  if (request.trustProject === true) given.push("trustProject");
  if (given.length === 0) return undefined;
  const message = `${given.join(", ")} ${given.length === 1 ? "needs" : "need"} agent mode; in completion mode the CLI has no tools.`;
  return createFailure("options-conflict", message, { hint: 'Set mode to "agent" (cox: --agent), or remove these options.' });
}

/** Combinations that no CLI keeps to; each provider refuses what its own CLI does not. */
function checkPermissions(request: PromptRequest): Failure | undefined {
  const { mode, tools = [], allow = [] } = request.permissions ?? {};
  if (mode === "bypass" && allow.length > 0) {
    const message = "The permission mode bypass runs every tool, so allow patterns have no effect.";
    return createFailure("options-conflict", message, {
      hint: 'Use permission mode "dont-ask" with the patterns, or bypass alone.',
    });
  }
  const pattern = tools.find((tool) => tool.includes("("));
  if (pattern === undefined) return undefined;
  return createFailure("options-conflict", `"${pattern}" in tools is a pattern; tools names whole tools.`, {
    hint: "Name the tool in tools and put the pattern into allow.",
  });
}

function checkSession({ sessionIds = UUID }: Provider, { session }: PromptRequest): Failure | undefined {
  if (session === undefined) return undefined;
  const forms = ["id", "keep", "resume", "fork"].filter((form) => form in session);
  if (forms.length === 0 || (forms.length > 1 && forms.join() !== "id,fork")) {
    return createFailure("session-invalid", "A session needs exactly one of id, keep, resume or fork.");
  }
  const ids = Object.entries(session).filter(([form]) => form !== "keep");
  const bad = ids.find(([, id]) => typeof id !== "string" || !sessionIds.test(id));
  if (bad === undefined) return undefined;
  const ownForm =
    "Use a session id that an earlier run reported. Only UUIDs are ids, unless the provider states another form (sessionIds).";
  const hinted = sessionIds === UUID ? { hint: ownForm } : {};
  return createFailure("session-invalid", `${JSON.stringify(bad[1])} is not a session id.`, hinted);
}

function checkCredentials(provider: Provider, request: PromptRequest, env: Surroundings): Failure | undefined {
  const { apiKeys } = provider.env;
  if (request.auth !== "api-key" || apiKeys.some((name) => readVariable(request.env ?? {}, name) || readVariable(env, name)))
    return undefined;
  return createFailure("not-logged-in", `The environment has no API key for ${provider.label}.`, {
    hint: `Set ${apiKeys.join(" or ")}.`,
  });
}

/** Reasons that only the provider knows, such as a prompt that its CLI would parse as a command. */
function checkRefusal(provider: Provider, target: Target, request: PromptRequest, env: Surroundings): Failure | undefined {
  const model = target.model ?? provider.defaultModel;
  const options = { ...(model !== undefined && { model }), env: request.env === undefined ? env : { ...env, ...request.env } };
  const refusal = provider.refuse?.(request, options);
  if (refusal === undefined) return undefined;
  const { code, message, ...advice } = refusal;
  return createFailure(code, message, advice);
}

function checkDirectories(request: PromptRequest): Failure | undefined {
  for (const path of request.mode === "agent" ? [request.cwd ?? ".", ...(request.addDirs ?? [])] : []) {
    const problem = directoryProblem(path);
    if (problem !== undefined) return createFailure("cwd-unusable", `The directory ${path} ${problem}.`);
  }
  return undefined;
}

/** Why a directory cannot be used, as the end of a sentence about it; undefined if it can. */
export function directoryProblem(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return "is a file";
    // `stat` of the entry `.` fails without the permission to enter the directory.
    statSync(`${path}/.`);
    return undefined;
  } catch {
    return "does not exist or cannot be entered";
  }
}

/**
 * The failure of a list that a CLI would split or misread: an entry that looks like an option, a tool pattern that is no name or
 * `name(…)`, or a name of an MCP server with other characters than letters, digits, `_`, `-`, `.` and spaces.
 */
function checkLists(request: PromptRequest): Failure | undefined {
  const { addDirs = [], mcpServers = {} } = request;
  const patterns = patternsOf(request);
  const option = [...patterns, ...addDirs].find((text) => text.startsWith("-") || text === "");
  if (option !== undefined) {
    const message = `"${option}" is not a tool, pattern or directory: the CLI would parse it as an option.`;
    return createFailure("options-conflict", message);
  }
  const malformed = patterns.find((pattern) => !isPattern(pattern));
  if (malformed !== undefined) {
    return createFailure("bad-request", `"${malformed}" is not a tool name or a pattern such as Bash(git status).`, {
      hint: "Give each tool its own entry, and close each parenthesis.",
    });
  }
  const server = Object.keys(mcpServers).find((name) => !SERVER_NAME.test(name) || name === "__proto__");
  if (server === undefined) return undefined;
  return createFailure("bad-request", `"${server}" cannot be the name of an MCP server.`, {
    hint: "Use letters, digits, _, -, . and spaces, and begin with a letter, a digit or _.",
  });
}

const SERVER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u;

/** A name without spaces, commas and parentheses, alone or with balanced parentheses that end with the text. */
function isPattern(text: string): boolean {
  const [, rest] = /^[^\s,()]+(.*)$/s.exec(text) ?? [];
  if (rest === undefined || rest === "") return rest !== undefined;
  let depth = 0;
  for (const [index, character] of [...rest].entries()) {
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) return index === [...rest].length - 1 && character === ")";
  }
  return false;
}
