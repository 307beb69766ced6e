import type { LaunchPlan } from "../spec/provider/launch-plan.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Surroundings } from "../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../spec/request.ts";
import { givenValues } from "./given-values.ts";
import { secretsOfServer } from "./mcp-secrets.ts";
import { removeValues, secretValues } from "./secret-values.ts";

/** Returns the secret values that the process of a run knows; they are computed once, at the first use. */
export type RunSecrets = () => readonly string[];

/** The secrets in the environment of a run's process, in the variables that its request gives, and in the settings of its MCP servers. */
export function secretsOf(
  provider: KnownSecrets,
  request: Pick<PromptRequest, "env" | "mcpServers">,
  env: Surroundings,
): RunSecrets {
  let values: readonly string[] | undefined;
  return () => {
    values ??= [
      ...secretValues({ ...env, ...request.env }, knownSecrets(provider)),
      ...givenValues(request.env ?? {}),
      ...Object.values(request.mcpServers ?? {}).flatMap(secretsOfServer),
    ];
    return values;
  };
}

/** The names of the variables that contain the secrets of a CLI. */
type KnownSecrets = { readonly env: Pick<Provider["env"], "apiKeys" | "secrets"> };

function knownSecrets({ env }: KnownSecrets): readonly string[] {
  return [...env.apiKeys, ...(env.secrets ?? [])];
}

const REDACTED = "[redacted]";

/** The plan without secrets, for people: the values of secret variables, and each place where such a value is repeated. */
export function redactPlan<Plan extends LaunchPlan>(plan: Plan, provider: Provider, secrets: RunSecrets): Plan {
  const known = knownSecrets(provider);
  const values = [...new Set([...secrets(), ...secretValues(plan.env, known)])];
  const env = Object.entries(plan.env).map(([name, value]) => {
    const isKnown = known.includes(name) && value !== "" && !value.startsWith("\0");
    return [name, isKnown ? REDACTED : removeValues(value, values)];
  });
  const { stdin, ...rest } = plan;
  const clean = redactTexts({ ...rest, env: {}, stdin }, values) as Plan;
  return { ...clean, env: Object.fromEntries(env) };
}

function redactTexts(value: unknown, values: readonly string[]): unknown {
  if (typeof value === "string") return removeValues(value, values);
  if (Array.isArray(value)) return value.map((entry) => redactTexts(entry, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redactTexts(entry, values)]));
}
