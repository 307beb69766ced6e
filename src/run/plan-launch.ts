import { firstInput } from "../spec/define-wire.ts";
import type { LaunchPlan, PrivateHome } from "../spec/launch-plan.ts";
import type { LaunchParts, Provider, Surroundings } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";

/** What a plan needs besides the request: the program that was found and the environment. */
export type PlanContext = {
  readonly command: string;
  readonly prefixArgs: readonly string[];
  readonly answersPermissions: boolean;
  /** The environment that the CLI inherits. */
  readonly env?: Surroundings;
};

/** Set for every CLI, so that it prints no colours and asks no questions. */
const QUIET: Readonly<Record<string, string>> = { TERM: "dumb", NO_COLOR: "1", CI: "true" };
const LOUD: readonly string[] = ["FORCE_COLOR", "CLICOLOR_FORCE"];

/** The launch of one process as data; starts nothing and reads no files. */
export function planLaunch(provider: Provider, target: Target, request: PromptRequest, context: PlanContext): LaunchPlan {
  const { launch, wire, stdout } = provider.transports.spawn;
  const model = target.model ?? provider.defaultModel;
  const parts = launch(request, {
    ...(model !== undefined && { model }),
    answersPermissions: context.answersPermissions,
    ...(context.env !== undefined && { env: request.env === undefined ? context.env : { ...context.env, ...request.env } }),
  });
  const profile =
    target.profile === undefined || provider.env.profile === undefined ? {} : { [provider.env.profile]: target.profile };
  const withoutKeys = request.auth === "subscription" ? provider.env.apiKeys : [];
  return {
    provider: provider.id,
    command: context.command,
    args: [...context.prefixArgs, ...parts.args],
    env: { ...QUIET, ...provider.env.set, ...parts.env, ...profile, ...request.env },
    stripEnv: [...LOUD, ...provider.env.strip, ...withoutKeys],
    cwd: request.mode === "agent" ? { kind: "given", path: request.cwd ?? "." } : { kind: "private" },
    ...(request.mode !== "agent" &&
      provider.privateHome !== undefined && { home: planHome(provider.privateHome, request, parts) }),
    stdout: stdout ?? "pipe",
    tempFiles: parts.tempFiles ?? [],
    ...(request.mode === "agent" && parts.leftovers !== undefined && { leftovers: parts.leftovers }),
    // A getter, because only a printed plan needs it: a run sends what its wire returns.
    get stdin() {
      return firstInput(wire, request);
    },
  };
}

/** Without a session no folder of the home outlives the run. */
function planHome(home: PrivateHome, request: PromptRequest, parts: LaunchParts): PrivateHome {
  if (home.forRun !== true) return home;
  const files = [...(home.files ?? []), ...(parts.homeFiles ?? [])];
  return { ...home, files, kept: request.session === undefined ? [] : (home.kept ?? []) };
}
