import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { PermissionMode, PromptRequest } from "../../spec/request.ts";
import { refuseCommandPatterns } from "../shared/refuse.ts";
import { splitEntry } from "../shared/shell-rules.ts";

type Action = "allow" | "deny";

/** OpenCode's permissions by tool name; the last rule that matches a call decides. */
export type OpencodeRules = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

/** None of its own tools; MCP servers of a completion may be used. */
export function pureRules(servers: readonly string[]): OpencodeRules {
  return { "*": "deny", ...allowServers(servers) };
}

export function allowServers(servers: readonly string[]): OpencodeRules {
  return Object.fromEntries(servers.map((server) => [`${server}_*`, "allow"]));
}

/** Nothing is asked, because no user could answer and a question ends the run. */
export function agentRules({ permissions = {}, addDirs = [] }: PromptRequest): OpencodeRules {
  const { mode = "default", tools, allow = [], deny = [] } = permissions;
  const rules = new Map(Object.entries(tools === undefined ? MODES[mode] : amongTools(MODES[mode], tools)));
  const existing = tools?.map((tool) => permissionOf(tool));
  for (const directory of addDirs) {
    addRule(rules, { name: "external_directory", pattern: `${directory.replace(/\/+$/, "")}/*` }, "allow");
  }
  for (const pattern of allow.map(parsePattern)) {
    if (existing === undefined || existing.includes(pattern.name)) addRule(rules, pattern, "allow");
  }
  // A rule for the whole tool comes after those for some of its calls, because it must hold for them too.
  const denied = deny.map(parsePattern).toSorted((left, right) => Number(left.pattern === "*") - Number(right.pattern === "*"));
  for (const pattern of denied) addRule(rules, pattern, "deny");
  if (isRestricted(rules) && (rules.get("task") ?? rules.get("*")) !== "deny")
    addRule(rules, { name: "task", pattern: "*" }, "deny");
  return Object.fromEntries(rules);
}

/** A sub-agent (`task`) has rules of its own: with `bash` and `edit` denied, those of OpenCode 1.18.33 ran programs and wrote files. */
function isRestricted(rules: ReadonlyMap<string, OpencodeRules[string]>): boolean {
  return [...rules.values()].some((rule) => (typeof rule === "string" ? [rule] : Object.values(rule)).includes("deny"));
}

/**
 * The first entry that OpenCode would misread. It would read a number before all other rules, and in its rules the last one that
 * matches a call decides; in a directory `*` and `?` would stand for other names.
 */
export function misreadEntry({ permissions = {}, addDirs = [] }: PromptRequest): string | undefined {
  const { tools = [], allow = [], deny = [] } = permissions;
  const isNumber = (text: string): boolean => /^\d+$/.test(text);
  const parts = (text: string): readonly string[] => Object.values(parsePattern(text));
  return [...tools, ...allow, ...deny].find((text) => parts(text).some(isNumber)) ?? addDirs.find((path) => /[*?]/.test(path));
}

/**
 * Refuses patterns for commands. OpenCode (1.18.33) matches the commands in a text one by one and sees neither an assignment nor a
 * redirection without a command: `> y`, `PATH=.; file-tools` and `{ file-tools a; } > y` get past each pattern.
 */
export function refuseOpencodePatterns(request: PromptRequest): Refusal | undefined {
  const reason = "it does not see assignments and redirections beside a command.";
  return refuseCommandPatterns(request, (name) => permissionOf(name) === "bash", { label: "OpenCode", reason });
}

/** Reading tools; calls that OpenCode would ask about are denied. It uses `invalid` to report an unknown tool to the model. */
const READING: OpencodeRules = {
  "*": "deny",
  read: { "*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow" },
  ...{ glob: "allow", grep: "allow", list: "allow", lsp: "allow", skill: "allow", todowrite: "allow" },
  invalid: "allow",
};

const MODES: Readonly<Record<PermissionMode, OpencodeRules>> = {
  default: READING,
  plan: READING,
  "dont-ask": READING,
  // `refuseOpencode` refuses this mode.
  "accept-edits": READING,
  bypass: { "*": "allow" },
};

function amongTools(rules: OpencodeRules, tools: readonly string[]): OpencodeRules {
  const names = tools.map(permissionOf);
  const ruleOf = (name: string): OpencodeRules[string] | undefined => (Object.hasOwn(rules, name) ? rules[name] : undefined);
  const entries = names.map((name) => [name, ruleOf(name) ?? ruleOf("*") ?? "deny"] as const);
  return { "*": "deny", ...Object.fromEntries(entries), invalid: "allow" };
}

type Pattern = { readonly name: string; readonly pattern: string };

/** `bash(git status)` names some calls of a tool, `bash` all. */
function parsePattern(text: string): Pattern {
  const { name, text: pattern = "*" } = splitEntry(text);
  return { name: permissionOf(name), pattern };
}

const EDITING: readonly string[] = ["write", "patch", "apply_patch", "multiedit"];

/** The permission for a tool; names of other CLIs, such as `Bash`, mean the same tool here. */
function permissionOf(tool: string): string {
  const name = /^[A-Za-z]+$/.test(tool) ? tool.toLowerCase() : tool;
  return EDITING.includes(name) ? "edit" : name;
}

/** The new rule comes last. */
function addRule(rules: Map<string, OpencodeRules[string]>, { name, pattern }: Pattern, action: Action): void {
  const before = rules.get(name) ?? rules.get("*") ?? "deny";
  const { [pattern]: _, ...others } = typeof before === "string" ? { "*": before } : before;
  rules.delete(name);
  rules.set(name, pattern === "*" ? action : { ...others, [pattern]: action });
}
