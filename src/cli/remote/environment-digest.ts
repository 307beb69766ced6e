import { createHash } from "node:crypto";
import { ownVersion } from "../../process/child/find-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the system, of programs' runtimes and of clouds; each CLI reads some of them (names in claude 2.1.326, gemini 0.61.0, qwen 0.24.4). */
const COMMON =
  /^(?:PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|SYSTEMROOT|USER|USERNAME|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMP|TEMP|TMPDIR|CI|DEBUG|VERBOSE|(?:LC|XDG|DBUS|NODE|BUN|DENO|UV|RUST|LD|DYLD|SSL|CURL|REQUESTS|GRPC|OTEL|MCP|API|DISABLE|ENABLE|MAX|SANDBOX|SELF|CCR|AWS|AZURE|GOOGLE|GCLOUD|GCE|CLOUD|CLOUDSDK|VERTEX|GITHUB|GH|COXSWAIN)(?:_.*)?)$/i;

/** The words of logins, addresses and settings. The user's settings of a CLI may name any such variable. */
const CONNECTION =
  /(?:^|_)(?:API|APIKEY|KEYS?|TOKENS?|SECRETS?|PASS|PASSWORD|CREDENTIALS?|AUTH|URLS?|URI|ENDPOINT|BASE|PROXY|HOST|CERTS?|CA|BUNDLE|REGION|PROFILE|MODEL|CONFIG)(?:_|$)/i;

const CLAUDE_LIKE = ["claude", "glm", "rehearsal"];

/** The CLIs that read the variables of a vendor. */
const VENDORS: readonly (readonly [names: RegExp, ids: readonly string[]])[] = [
  [/^CLAUDE_/i, CLAUDE_LIKE],
  [/^ANTHROPIC_/i, [...CLAUDE_LIKE, "opencode", "qwen", "copilot"]],
  [/^CODEX_/i, ["codex"]],
  [/^OPENAI_/i, ["codex", "qwen", "opencode", "copilot"]],
  [/^GEMINI_/i, ["gemini", "qwen", "opencode"]],
  [/^(?:QWEN|DASHSCOPE|BAILIAN|MODELSCOPE)_/i, ["qwen", "opencode"]],
  [/^OPENCODE_/i, ["opencode"]],
  [/^COPILOT_/i, ["copilot", "opencode"]],
  [/^(?:GROK|XAI)_/i, ["grok", "grok-vibe", "ax-grok", "opencode"]],
  [/^(?:GLM|ZAI|ZHIPU)_/i, ["glm", "ax-glm", "opencode"]],
];

/** Variables with such names that say where a shell is shown or how it was started. */
const HARMLESS =
  /^(?:SSH_.*|XDG_(?:SESSION_.*|SEAT|VTNR)|TERM_.*|VTE_.*|KONSOLE_.*|ITERM_.*|KITTY_.*|WT_.*|COLORFGBG|npm_.*|COXSWAIN_(?:SERVE|PROVIDER|MODEL|SYSTEM))$/;

/** Rises when the lines between a terminal and `cox serve` change. */
const FORM = 3;

/**
 * A digest of what decides about an answer of these CLIs besides the request: the version of Coxswain and the variables that they read, with
 * their API keys and profiles. A server with another one would answer by another login.
 */
export function environmentDigest(env: Environment, providers: readonly string[]): string {
  const relevant = Object.entries(env)
    .filter(([name, value]) => value !== undefined && isRead(name, providers))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([FORM, ownVersion(), relevant]))
    .digest("hex");
}

function isRead(name: string, providers: readonly string[]): boolean {
  const readers = VENDORS.find(([names]) => names.test(name))?.[1];
  if (readers !== undefined) return providers.some((id) => readers.includes(id));
  return !HARMLESS.test(name) && (COMMON.test(name) || CONNECTION.test(name));
}
