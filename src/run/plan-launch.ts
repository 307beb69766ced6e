import { firstInput } from "../spec/define-wire.ts";
import type { LaunchPlan, PrivateHome } from "../spec/launch-plan.ts";
import type { LaunchParts, Provider, Surroundings } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";

/** What planning needs besides the request; nothing of it is looked up here. */
export type PlanContext = {
  readonly command: string;
  readonly prefixArgs: readonly string[];
  readonly answersPermissions: boolean;
  /** What the CLI inherits. */
  readonly env?: Surroundings;
};

/** Set for every CLI, so that none colours, asks or waits for a terminal. */
const QUIET: Readonly<Record<string, string>> = { TERM: "dumb", NO_COLOR: "1", CI: "true" };
const LOUD: readonly string[] = ["FORCE_COLOR", "CLICOLOR_FORCE"];

/** The whole launch of one call as data; starts nothing and reads nothing. */
export function planLaunch(provider: Provider, target: Target, request: PromptRequest, context: PlanContext): LaunchPlan {
  const { launch, wire, stdout } = provider.transports.spawn;
  const model = target.model ?? provider.defaultModel;
  const parts = launch(request, {
    ...(model !== undefined && { model }),
    answersPermissions: context.answersPermissions,
    ...(context.env !== undefined && { env: { ...context.env, ...request.env } }),
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
    // Written out only for a plan that is looked at: a run sends what its wire says.
    get stdin() {
      return firstInput(wire, request);
    },
  };
}

/** What a run without a session leaves in its home is forgotten with it. */
function planHome(home: PrivateHome, request: PromptRequest, parts: LaunchParts): PrivateHome {
  if (home.forRun !== true) return home;
  const files = [...(home.files ?? []), ...(parts.homeFiles ?? [])];
  return { ...home, files, kept: request.session === undefined ? [] : (home.kept ?? []) };
}
