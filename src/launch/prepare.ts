import type { FoundBinary } from "../process/child/find-program.ts";
import { withoutIgnored } from "../request/check-support.ts";
import { gitEnvironment, inRealDirectory } from "../request/project/check-project.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import { validateRequest } from "../request/validate-request.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { resumedBy } from "../spec/fields.ts";
import type { LaunchPlan, PrivateHome } from "../spec/provider/cli-data.ts";
import type { LaunchOptions, Provider, ResidentTransport, Transport } from "../spec/provider/provider.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { firstInput } from "../spec/wire/define-wire.ts";
import type { Notice } from "../spec/wire/events.ts";
import { digestOf, digestOfPlan, findInstalled, type InstalledCli, identityWithEnv } from "./find-cli.ts";
import type { KnownVersions } from "./known-versions.ts";
import { checkAdministrator, settleCli } from "./settle-cli.ts";

type PrepareHost = { readonly env: Surroundings; readonly versions: KnownVersions };

export type PrepareOptions = {
  /** True if the host answers permission requests of the CLI. */
  readonly answersPermissions: boolean;
  /** True if more turns of the session follow, and a process may stay open for them. */
  readonly keepsProcess: boolean;
  /** True if the CLI has the request already and waits for results only, so that nothing is validated. */
  readonly isContinued?: boolean;
};

/**
 * One request for one installed CLI: what a run, a continued turn and a printed plan have in common. Plans are made when they are asked
 * for, because an attempt uses one of two.
 */
export type Prepared = {
  readonly cli: InstalledCli;
  /** The provider for the installed version and the user's connection settings. */
  readonly provider: Provider;
  readonly target: Target;
  /** The request without the settings that the CLI does not support. */
  readonly request: PromptRequest;
  readonly env: Surroundings;
  /** Texts of the user's settings that no printed plan has. */
  readonly secrets: readonly string[];
  readonly ignored: readonly Notice[];
  /** How the resident transport serves the request; undefined if only `spawn` can. */
  readonly resident: PreparedResident | undefined;
  /** Changes when the program, its login or the environment is replaced. */
  identity(): string;
  /** The plan of a process for this request alone. */
  planSpawn(): LaunchPlan;
};

export type PreparedResident = {
  readonly transport: ResidentTransport;
  /** Equal for requests that one process can take: a digest of the plan and the environment. */
  readonly key: string;
  /** What a process that waits can be told about the turn, if anything: a digest. */
  readonly settings: string | undefined;
  /** True if a process is opened when none is warm; otherwise the run then starts one by `spawn`. */
  readonly isNeeded: boolean;
  /** False for an agent without a session: it leaves processes of its tools with its own process. */
  readonly mayStay: boolean;
  plan(): LaunchPlan;
};

/** Starts nothing. */
export function prepare(
  host: PrepareHost,
  known: ResolvedTarget,
  given: PromptRequest,
  options: PrepareOptions,
): Prepared | Failure {
  const { target } = known;
  // Each access to process.env leaves JavaScript, so the environment is copied once.
  const own = copyOf(host.env);
  const settled = settleCli(findInstalled({ versions: host.versions, env: own }, known.provider), target, given, own);
  if (!("cli" in settled)) return settled;
  const { cli, env, secrets = [] } = settled;
  const { provider, found } = cli;
  const { request, warnings } = withoutIgnored(provider, given.mode === "agent" ? inRealDirectory(given) : given);
  const invalid = options.isContinued === true ? undefined : validateRequest(provider, target, request, env);
  if (invalid !== undefined) return invalid;
  if (!("command" in found)) return found;
  const unkept = options.isContinued === true ? undefined : checkAdministrator(cli, { target, request, env });
  if (unkept !== undefined) return unkept;
  const { answersPermissions } = options;
  const need = { cli, target, request, env, ...options };
  return {
    ...{ cli, provider, target, request, env, secrets, ignored: warnings, resident: prepareResident(need) },
    identity: () => identityWithEnv(cli, target, { ...env, ...request.env }),
    planSpawn: () => planLaunch(provider, target, request, { ...found, answersPermissions, env }),
  };
}

/** A spread of process.env would take twice the time. */
function copyOf(env: Surroundings): Surroundings {
  const copy: Record<string, string | undefined> = {};
  for (const name of Object.getOwnPropertyNames(env)) copy[name] = env[name];
  return copy;
}

type Need = PrepareOptions & Pick<Prepared, "cli" | "target" | "request" | "env">;

function prepareResident(need: Need): PreparedResident | undefined {
  const { cli, target, request, env, answersPermissions } = need;
  const { provider, found } = cli;
  const { resident: transport } = provider.transports;
  if (transport === undefined || !isWanted(transport, need) || !("command" in found)) return undefined;
  if (!transport.serves(request, launchOptions(provider, target, request, { answersPermissions, env }))) return undefined;
  const context = { ...found, answersPermissions, env, transport };
  // All turns of a session share a process, whether they begin, continue or fork it.
  const shared = request.session === undefined ? request : { ...request, session: { keep: true } as const };
  const settings = transport.wire.preparation?.settingsOf(request);
  const staysOpen = need.keepsProcess && request.session !== undefined;
  const isAsked = target.transport === "resident" || staysOpen || isOnlyWay(transport, need);
  return {
    transport,
    key: digestOfPlan(planLaunch(provider, target, shared, context), env),
    settings: settings === undefined ? undefined : digestOf(settings),
    isNeeded: isAsked && (transport.resumes !== false || resumedBy(request) === undefined),
    mayStay: request.mode !== "agent" || request.session !== undefined,
    plan: () => planLaunch(provider, target, request, context),
  };
}

function isWanted(resident: ResidentTransport, need: Need): boolean {
  const { transport = "auto" } = need.target;
  if (transport !== "auto") return transport === "resident";
  if (isOnlyWay(resident, need)) return true;
  return resident.onlyIfAsked === undefined && (need.request.mode !== "agent" || need.request.session !== undefined);
}

/** True if `spawn` cannot do what the request needs: permission questions to the host, native host tools, a conversation as messages. */
function isOnlyWay(resident: ResidentTransport, { cli: { provider }, request, answersPermissions }: Need): boolean {
  const { spawn } = provider.transports;
  const { traits = {}, nativeTools, takesMessages } = resident;
  if (request.mode === "agent" && answersPermissions && traits.permissionRequests === true)
    if (provider.traits.permissionRequests !== true) return true;
  if ((request.nativeTools ?? []).length > 0 && nativeTools !== undefined && spawn.nativeTools === undefined) return true;
  return request.conversation !== undefined && takesMessages === true && spawn.takesMessages !== true;
}

/** Why a process for one turn cannot take a request that no resident process takes, or the notice that it does so instead of one. */
export function spawnObstacle({
  provider: { transports, label },
  target,
  request,
}: Prepared): { readonly failure?: Failure; readonly notice?: Notice } | undefined {
  const { resident, spawn } = transports;
  const isLost = (request.nativeTools ?? []).length > 0 && spawn.nativeTools === undefined;
  if (target.transport !== "resident" && !isLost) return undefined;
  if (resumedBy(request) !== undefined && resident?.resumes === false && !isLost) return { notice: SPAWNED_INSTEAD };
  return { failure: createFailure("option-unsupported", `${label} cannot take this request by a resident process.`) };
}

const SPAWNED_INSTEAD: Notice = {
  code: "spawned-instead",
  message: "A resident process continues only the sessions that it has begun. A process of its own continues this session.",
};

export type PlanContext = FoundBinary & {
  readonly answersPermissions: boolean;
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
  // A completion reads no project.
  const git = request.mode === "agent" ? gitEnvironment(request, context.env) : {};
  return {
    provider: provider.id,
    command: context.command,
    args: [...context.prefixArgs, ...parts.args],
    env: { ...QUIET, ...provider.env.set, ...parts.env, ...profile, ...request.env, ...git },
    stripEnv: [...LOUD, ...NESTING_MARKERS, ...provider.env.strip, ...withoutKeys],
    cwd: request.mode === "agent" ? { kind: "given", path: request.cwd ?? "." } : { kind: "private" },
    ...(request.mode !== "agent" &&
      provider.privateHome !== undefined && { home: planHome(provider.privateHome, request, parts.homeFiles) }),
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
function planHome(home: PrivateHome, request: PromptRequest, own: PrivateHome["files"] = []): PrivateHome {
  if (home.forRun !== true) return home;
  const files = [...(home.files ?? []), ...own];
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
