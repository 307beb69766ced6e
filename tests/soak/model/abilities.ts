import { type Capabilities, capabilitiesOf, type RequestOption } from "../../../src/spec/provider/cli-data.ts";
import type { ModelCall, TuningSetting } from "./model-call.ts";
import type { FailureFacts } from "./prediction.ts";
import type { Walk } from "./walk.ts";

const SETTING_OPTIONS: Readonly<Record<TuningSetting, RequestOption>> = {
  effort: "effort",
  maxTurns: "max-turns",
  maxOutputTokens: "max-output-tokens",
};

/** Why this target is refused before a process is started, if it is. */
export function refusalOf(walk: Walk, target: ModelCall["targets"][number]): FailureFacts | undefined {
  const provider = walk.client.providers[target.provider];
  if (provider === undefined) return { code: "provider-unknown" };
  const isAble =
    hasAll(capabilitiesOf(provider), target.requires ?? {}) &&
    neededOptions(walk, target).every((option) => provider.options.includes(option)) &&
    (walk.session === undefined || capabilitiesOf(provider).sessions) &&
    !(walk.call.request.strict === true && ignoredSettings(walk, target.provider).length > 0);
  return isAble ? undefined : { code: "option-unsupported" };
}

/** The settings of the request that this provider does not support and ignores. */
export function ignoredSettings(walk: Walk, provider: string): readonly TuningSetting[] {
  const options = walk.client.providers[provider]?.options ?? [];
  return (walk.call.request.settings ?? []).filter((setting) => !options.includes(SETTING_OPTIONS[setting]));
}

function hasAll(capabilities: Capabilities, requires: Partial<Capabilities>): boolean {
  const { mcp = [], ...others } = requires;
  const has: Readonly<Record<string, unknown>> = capabilities;
  return (
    mcp.every((transport) => capabilities.mcp.includes(transport)) &&
    Object.entries(others).every(([name, value]) => value === undefined || has[name] === value)
  );
}

function neededOptions(walk: Walk, target: ModelCall["targets"][number]): readonly RequestOption[] {
  const needed: RequestOption[] = [...(walk.call.request.needs ?? [])];
  const { session } = walk;
  if (session !== undefined && "id" in session) needed.push("session-id");
  if (session !== undefined && "resume" in session) needed.push("session-resume");
  if (session !== undefined && "fork" in session) needed.push("session-fork");
  if (target.profile !== undefined) needed.push("profile");
  return needed;
}
