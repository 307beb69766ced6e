import { gitEnvironment } from "../request/project/git-environment.ts";
import type { LaunchPlan, PrivateHome } from "../spec/provider/launch-plan.ts";
import type { LaunchOptions, LaunchParts, Provider, Surroundings, Transport } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { firstInput } from "../spec/wire/define-wire.ts";

/** The program that was found and the environment. */
export type PlanContext = {
  readonly command: string;
  readonly prefixArgs: readonly string[];
  readonly answersPermissions: boolean;
  /** The environment that the CLI inherits. */
  readonly env?: Surroundings;
  /** The way to talk to the process; `spawn` by default. */
  readonly transport?: Pick<Transport, "launch" | "wire" | "stdout">;
};

/** Set for every CLI, so that it prints no colours and asks no questions. */
const QUIET: Readonly<Record<string, string>> = { TERM: "dumb", NO_COLOR: "1", CI: "true" };
const LOUD: readonly string[] = ["FORCE_COLOR", "CLICOLOR_FORCE"];

/** The launch of one process as data; starts nothing. Of the project it reads the configuration of git. */
export function planLaunch(provider: Provider, target: Target, request: PromptRequest, context: PlanContext): LaunchPlan {
  const { launch, wire, stdout } = context.transport ?? provider.transports.spawn;
  const parts = launch(request, launchOptions(provider, target, request, context));
  const profile =
    target.profile === undefined || provider.env.profile === undefined ? {} : { [provider.env.profile]: target.profile };
  const withoutKeys = request.auth === "subscription" ? provider.env.apiKeys : [];
  return {
    provider: provider.id,
    command: context.command,
    args: [...context.prefixArgs, ...parts.args],
    env: {
      ...QUIET,
      ...provider.env.set,
      ...parts.env,
      ...profile,
      ...request.env,
      ...gitEnvironment(request, context.env ?? {}),
    },
    stripEnv: [...LOUD, ...NESTING_MARKERS, ...provider.env.strip, ...withoutKeys],
    cwd: request.mode === "agent" ? { kind: "given", path: request.cwd ?? "." } : { kind: "private" },
    ...(request.mode !== "agent" &&
      provider.privateHome !== undefined && { home: planHome(provider.privateHome, request, parts) }),
    stdout: stdout ?? "pipe",
    tempFiles: parts.tempFiles ?? [],
    ...(mayWrite(request, context.answersPermissions) && { umask: "inherited" as const }),
    ...(request.mode === "agent" && parts.leftovers !== undefined && { leftovers: parts.leftovers }),
    // A getter, because only a printed plan needs it: a run sends what its wire returns.
    get stdin() {
      return firstInput(wire, request);
    },
  };
}

export function launchOptions(
  provider: Provider,
  target: Target,
  request: PromptRequest,
  { answersPermissions, env }: Pick<PlanContext, "answersPermissions" | "env">,
): LaunchOptions {
  const model = target.model ?? provider.defaultModel;
  return {
    ...(model !== undefined && { model }),
    answersPermissions,
    ...(env !== undefined && { env: request.env === undefined ? env : { ...env, ...request.env } }),
  };
}

/** Without a session no folder of the home outlives the run. */
function planHome(home: PrivateHome, request: PromptRequest, parts: LaunchParts): PrivateHome {
  if (home.forRun !== true) return home;
  const files = [...(home.files ?? []), ...(parts.homeFiles ?? [])];
  return { ...home, files, kept: request.session === undefined ? [] : (home.kept ?? []) };
}

/** The names of tools that only read begin with one of these words, in every CLI; a tool of a server may do anything. */
const READS = /^(?:read|view|glob|grep|ls|list|search|web|notebookread|codesearch|google_web_search)/i;

/**
 * True if the CLI of a request may create files for the user: an agent whose mode or allowed tools let it write, and one whose host answers
 * its questions.
 */
export function mayWrite({ mode, permissions = {} }: PromptRequest, answersPermissions: boolean): boolean {
  if (mode !== "agent" || permissions.mode === "plan") return false;
  if (permissions.mode === "accept-edits" || permissions.mode === "bypass") return true;
  if (answersPermissions && permissions.mode !== "dont-ask") return true;
  return (permissions.allow ?? []).some((entry) => !READS.test(entry));
}

/**
 * Variables by which an AI CLI tells the programs that it starts that they are inside of its session. No CLI that Coxswain starts gets them: a CLI
 * would take them for its own, and a program of a configuration entry would pass them on to the CLI that it starts.
 */
const NESTING_MARKERS: readonly string[] = [
  ...["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT"],
  "AI_AGENT",
  ...["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"],
  ...["GEMINI_CLI", "QWEN_CODE", "GROK_SESSION_ID", "GROK_AGENT", "COPILOT_AGENT_SESSION_ID"],
  ...["OPENCODE", "OPENCODE_PID", "OPENCODE_WORKSPACE_ID"],
];
