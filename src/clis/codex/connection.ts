import { type JsonObject, listOf, objectOf, stringOf } from "../../spec/json.ts";
import type { Variables } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions } from "../../spec/provider/provider.ts";
import type { Connection, ConnectionAbout, ConnectionSettings, Refusal } from "../../spec/provider/provider-facts.ts";
import { toToml } from "../shared/toml.ts";

/** The settings of `config.toml` that say where and as whom Codex talks (0.169.0); docs/connections.md lists them. */
const TAKEN: readonly string[] = [
  "model_provider",
  "openai_base_url",
  "chatgpt_base_url",
  "forced_login_method",
  "forced_chatgpt_workspace_id",
];

/** A completion has a private home (decision 10), so that Codex does not read the user's `config.toml` there. */
export const CODEX_CONNECTION: ConnectionSettings = {
  files: ["config.toml", ".env"].map((name) => ({ variable: "CODEX_HOME", folder: ".codex", name })),
  read: ([config = {}, variables = {}], about) => readCodex(config, { ...variables, ...about.env }, about),
};

function readCodex(
  config: JsonObject,
  variables: Readonly<Record<string, unknown>>,
  { paths: [path = ""], model: named }: ConnectionAbout,
): Connection | Refusal {
  const id = stringOf(config["model_provider"]);
  const provider = id === undefined ? undefined : objectOf(objectOf(config["model_providers"])?.[id]);
  const [setting, reason] = obstacle(config, id, provider) ?? secretInArguments(config, id, provider) ?? [];
  if (setting !== undefined) {
    const hint = "Use agent mode, or give Coxswain a CODEX_HOME (profile) without this setting.";
    return { code: "cli-misconfigured", message: `${setting} in ${path}: ${reason}`, hint };
  }
  const model = stringOf(config["model"]);
  const about = model === undefined || named !== undefined ? {} : { model };
  const taken = Object.fromEntries(TAKEN.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])));
  if (id === undefined || provider === undefined) return { ...about, taken };
  const { provider: referring, env } = withoutSecrets(provider);
  const key = stringOf(referring["env_key"]);
  const hasKey = key === undefined || Boolean(env[key] ?? variables[key]);
  const needsNoLogin = provider["requires_openai_auth"] !== true && hasKey;
  return { ...about, env, taken: { ...taken, [`model_providers.${id}`]: referring }, needsNoLogin };
}

type Obstacle = readonly [setting: string, reason: string];

function obstacle(config: JsonObject, id: string | undefined, provider: JsonObject | undefined): Obstacle | undefined {
  // `auto` is the keyring wherever there is one.
  if (["keyring", "auto"].includes(stringOf(config["cli_auth_credentials_store"]) ?? ""))
    return ["cli_auth_credentials_store", "a completion does not find a login in the system's keyring."];
  if (config["profile"] !== undefined) return ["profile", "a completion does not use profiles of Codex."];
  if (id === "amazon-bedrock" || provider?.["aws"] !== undefined)
    return ["model_provider", "a completion has a private home, in which the credentials of AWS are not found."];
  if (provider !== undefined && !/^[\w-]+$/.test(id ?? ""))
    return ["model_provider", "Coxswain passes on only names of letters, digits, _ and -."];
  return undefined;
}

/** Query parameters that contain no secret. */
const OPEN_PARAMETER = /^(?:api[-_]?version|version|region|location|deployment|project|tenant|model)$/i;
const SECRET_OPTION = /^--?[\w-]*(?:key|token|secret|pass|credential)(?![\w-]*(?:file|path)\b)[\w-]*(=?)/i;

/** A part of a path that looks like a key: by how it begins, by the part or word before it, or because letters and digits are mixed. */
const KEY_IN_PATH =
  /\/(?:(?:sk|pk|rk|xai|key|gh[a-z])[-_]|AIza|eyJ)[\w-]{8,}|(?:key|token|secret|password|credential)s?[/:=~][^/]{6,}|(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}/i;

function mayBeSecret(address: string): boolean {
  if (/^\w+:\/\/[^/]*@|[?#;%]/.test(address)) return true;
  return KEY_IN_PATH.test(address.replace(/^\w+:\/\/[^/]*/, ""));
}

/** The settings become arguments of the process, which other users can see. */
function secretInArguments(config: JsonObject, id: string | undefined, provider: JsonObject = {}): Obstacle | undefined {
  const { openai_base_url, chatgpt_base_url } = config;
  const urls = { openai_base_url, chatgpt_base_url, [`model_providers.${id}.base_url`]: provider["base_url"] };
  const url = Object.entries(urls).find(([, value]) => mayBeSecret(stringOf(value) ?? ""));
  if (url !== undefined)
    return [
      url[0],
      "Coxswain passes on no address with a user, a password, a query or what looks like a key, which may be secret.",
    ];
  const query = Object.keys(objectOf(provider["query_params"]) ?? {}).find((name) => !OPEN_PARAMETER.test(name));
  if (query !== undefined)
    return [`model_providers.${id}.query_params.${query}`, "Coxswain passes on no parameter that may be secret."];
  const words = listOf(objectOf(provider["auth"])?.["args"]);
  const isSecret = words.some((word, index) => {
    const found = SECRET_OPTION.exec(String(word));
    return found !== null && (found[1] === "=" || !String(words[index + 1] ?? "-").startsWith("-"));
  });
  return isSecret ? [`model_providers.${id}.auth.args`, "Coxswain passes on no secret as an argument."] : undefined;
}

/** Tokens and headers in the file become references to variables: arguments are visible to other users. */
function withoutSecrets(provider: JsonObject): { readonly provider: JsonObject; readonly env: Variables } {
  const { experimental_bearer_token: token, http_headers: headers, ...others } = provider;
  const given = Object.entries(objectOf(headers) ?? {}).map(
    ([name, value], index) => [name, `COXSWAIN_CODEX_HEADER_SECRET_${index}`, String(value)] as const,
  );
  const env = Object.fromEntries(given.map(([, variable, value]) => [variable, value]));
  const named = Object.fromEntries(given.map(([name, variable]) => [name, variable]));
  // Codex prefers the variable that the user names.
  const isTokenUsed = token !== undefined && others["env_key"] === undefined;
  return {
    provider: {
      ...others,
      ...(isTokenUsed && { env_key: TOKEN }),
      ...(given.length > 0 && { env_http_headers: { ...named, ...objectOf(others["env_http_headers"]) } }),
    },
    env: { ...env, ...(isTokenUsed && { [TOKEN]: String(token) }) },
  };
}

const TOKEN = "COXSWAIN_CODEX_TOKEN";

export function connectionArguments({ connection = {} }: LaunchOptions): readonly string[] {
  return Object.entries(connection).flatMap(([name, value]) => ["-c", `${name}=${toToml(value ?? "")}`]);
}
