import { type JsonObject, objectOf, stringOf } from "../../spec/json.ts";
import type { ConnectionAbout, ConnectionSettings } from "../../spec/provider/connection.ts";
import { pathOf, type TempFile, toJsonWithPaths } from "../../spec/provider/launch-plan.ts";

const FILE = { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", name: "settings.json" };

const COMMANDS: readonly string[] = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh"];
/** The commands and limits of the user's login; connection variables of `env` are taken over too. */
const TAKEN: readonly string[] = [...COMMANDS, "forceLoginMethod", "forceLoginOrgUUID", "modelOverrides"];

/** A completion runs without the user's settings (`--setting-sources ""`); settings of an administrator always hold. */
export const CLAUDE_CONNECTION: ConnectionSettings = {
  files: [FILE],
  read: ([settings = {}], about) => {
    const taken = takenOf(settings, about);
    const secrets = COMMANDS.flatMap((name) => stringOf(taken[name]) ?? []);
    return { env: variablesOf(settings, about), taken, secrets };
  },
};

/** The variables alone: a helper's key must not reach another service. */
export const CLAUDE_VARIABLES: ConnectionSettings = {
  files: [FILE],
  read: ([settings = {}], about) => ({ env: variablesOf(settings, about) }),
};

/**
 * The variables that say where and as whom Claude Code talks: services, logins, clouds, proxies and certificates (names in the program of
 * 2.1.326). Others of the user's, such as `MAX_THINKING_TOKENS` or `NODE_OPTIONS`, would change the answer or start a program.
 */
const CONNECTION_VARIABLES =
  /^(?:ANTHROPIC|AWS|AZURE|CLOUDSDK|GCLOUD|GOOGLE|VERTEX)_\w+$|^CLAUDE_CODE_(?:USE_\w+|SKIP_\w+_AUTH|OAUTH_\w+|CUSTOM_OAUTH_URL|API_BASE_URL|API_KEY_HELPER_TTL_MS|GATEWAY_TOKEN|CERT_STORE|CLIENT_(?:CERT|KEY|KEY_PASSPHRASE)|HTTPS?_PROXY|PROXY_\w+)$|^CLOUD_ML_REGION$|^(?:HTTPS?|NO|ALL)_PROXY$|^(?:https?|no|all)_proxy$|^NODE_(?:EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_SYSTEM_CA)$|^SSL_CERT_(?:FILE|DIR)$/;

/** Claude Code sets these variables over those of its environment; the request's own come last. */
function variablesOf(settings: JsonObject, { request }: ConnectionAbout): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(settings["env"]) ?? {}).filter(
    ([name]) => CONNECTION_VARIABLES.test(name) && request.env?.[name] === undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function takenOf(settings: JsonObject, { request }: ConnectionAbout): JsonObject {
  const names = TAKEN.filter((name) => request.auth !== "subscription" || name !== "apiKeyHelper");
  return Object.fromEntries(names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])));
}

/** Settings of the run, in a private file, because a command may contain a secret. Claude Code puts them over those of the user. */
export function settingsArguments(settings: JsonObject, tempFiles: TempFile[]): readonly string[] {
  if (Object.keys(settings).length === 0) return [];
  const file = { name: "settings.json", content: toJsonWithPaths(settings) };
  tempFiles.push(file);
  return ["--settings", pathOf(file)];
}
