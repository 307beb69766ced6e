import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { userHome } from "../files/state-directory.ts";
import { parseSettings, type ReadSettings, readBounded } from "../request/project/read-settings.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/json.ts";
import { compareVersions, readVariable } from "../spec/provider/cli-data.ts";
import type { Provider, Transport } from "../spec/provider/provider.ts";
import type {
  Connection,
  ConnectionSettings,
  EndedLogin,
  Refusal,
  SettingsFile,
  Surroundings,
} from "../spec/provider/provider-facts.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { InstalledCli } from "./find-cli.ts";
import { stampOf } from "./known-versions.ts";

type SettledCli = {
  readonly cli: InstalledCli;
  readonly env: Surroundings;
  /** Texts of the settings that no printed plan has. */
  readonly secrets?: readonly string[];
};

/**
 * Settles where and as whom a CLI talks: in a completion by the connection settings of its user, as the CLI itself would. An agent has
 * the user's settings anyway. A setting that a completion cannot keep to is a failure: it must not talk to another host.
 */
export function settleCli(cli: InstalledCli, target: Target, request: PromptRequest, env: Surroundings): SettledCli | Failure {
  const { provider } = cli;
  if (provider.connection === undefined) return { cli, env };
  const about = { provider, target, request, env };
  if (request.mode === "agent") return { cli: { ...cli, provider: forAgent(about, provider.connection) }, env };
  const connection = readConnection(about, provider.connection);
  if ("code" in connection) return toFailure(connection);
  const { env: added = {}, taken, model, secrets = [] } = connection;
  const settled = {
    ...provider,
    ...(model !== undefined && { defaultModel: model }),
    ...(taken !== undefined && { transports: withTaken(provider, taken) }),
  };
  return { cli: { ...cli, provider: settled }, env: { ...env, ...added }, secrets };
}

/** True if the service that the user's settings name needs no login of the CLI. */
export function needsNoLogin(provider: Provider, target: Target, env: Surroundings): boolean {
  if (provider.connection === undefined) return false;
  const connection = readConnection({ provider, target, request: { prompt: "" }, env }, provider.connection);
  return !("code" in connection) && connection.needsNoLogin === true;
}

/** The kind of login that the CLI uses, if its vendor has ended it. */
export function endedLogin(provider: Provider, target: Target, env: Surroundings): EndedLogin | undefined {
  const { connection: settings, loginStatus } = provider;
  const ended = loginStatus === "not-needed" ? undefined : loginStatus?.ended;
  if (ended === undefined) return undefined;
  const hasFile = existsSync(settingsPath(ended.file, provider, target, env));
  const read = settings && readConnection({ provider, target, request: { prompt: "" }, env }, settings);
  const taken = read !== undefined && "taken" in read ? (read.taken ?? {}) : {};
  return ended.isInUse({ hasFile, env, taken }) ? ended : undefined;
}

type About = {
  readonly provider: Provider;
  readonly target: Target;
  readonly request: PromptRequest;
  readonly env: Surroundings;
};

function forAgent(about: About, settings: ConnectionSettings): Provider {
  const { ownAgentModel, defaultModel: _, ...others } = about.provider;
  if (ownAgentModel === "always") return others;
  if (ownAgentModel === undefined) return about.provider;
  const connection = readConnection(about, settings);
  return "code" in connection || connection.model === undefined ? about.provider : others;
}

function withTaken({ transports: { spawn, resident } }: Provider, connection: JsonObject): Provider["transports"] {
  const bind =
    ({ launch }: Pick<Transport, "launch">): Transport["launch"] =>
    (request, options) =>
      launch(request, { ...options, connection });
  const bound = { spawn: { ...spawn, launch: bind(spawn) } };
  return resident === undefined ? bound : { ...bound, resident: { ...resident, launch: bind(resident) } };
}

function toFailure({ code, message, ...advice }: Refusal): Failure {
  return createFailure(code, message, advice);
}

function readConnection({ provider, target, request, env }: About, { files, read }: ConnectionSettings): Connection | Refusal {
  const own = { ...env, ...request.env };
  const paths = files.map((file) => settingsPath(file, provider, target, own));
  const settings: (JsonObject | undefined)[] = [];
  for (const path of paths) {
    const found = readSettings(path);
    if ("problem" in found) {
      const message = `${path} ${found.problem}, so that Coxswain does not know where ${provider.label} talks.`;
      return { code: "cli-misconfigured", message };
    }
    settings.push(found.settings);
  }
  return read(settings, { request, model: target.model, env: own, paths });
}

const known = new Map<string, { readonly stamp: string; readonly read: ReadSettings }>();

/** Reads a settings file of a CLI again only when it has changed. */
function readSettings(path: string): ReadSettings {
  const stamp = stampOf(path);
  if (stamp === undefined) return { settings: undefined };
  const before = known.get(path);
  if (before?.stamp === stamp) return before.read;
  const read = readAnew(path);
  known.set(path, { stamp, read });
  return read;
}

function readAnew(path: string): ReadSettings {
  try {
    return parseSettings(path, readFileSync(path, "utf8"));
  } catch {
    return { problem: "cannot be read" };
  }
}

function settingsPath(file: SettingsFile, { env }: Provider, { profile }: Target, own: Surroundings): string {
  const { variable, folder, name } = file;
  if (isAbsolute(folder)) return join(folder, name);
  const chosen = variable !== undefined && variable === env.profile ? profile : undefined;
  const home = chosen ?? (variable === undefined ? undefined : readVariable(own, variable));
  return join(home || join(userHome(own), folder), name);
}

const MOST_BYTES = 4 * 1024 * 1024;
/** A folder of an administrator may have one for each user. */
const DEEPEST = 1;

/** The failure for an agent whose CLI, by a setting of an administrator, does not keep to the permissions of the request. */
export function checkAdministrator(
  { provider, version }: { readonly provider: Provider; readonly version?: string },
  { target, request, env }: Omit<About, "provider">,
): Failure | undefined {
  const { administrator: rule, label } = provider;
  if (rule === undefined || request.mode !== "agent" || !rule.matters(request.permissions ?? {})) return undefined;
  if (version !== undefined && compareVersions(version, rule.since) >= 0) return undefined;
  const own = { ...env, ...request.env };
  const places = rule.places.map((place) => settingsPath(place, provider, target, own));
  const found = places.flatMap((path) => filesOf(path)).find((path) => mayHave(path, rule.setting));
  if (found === undefined) return undefined;
  const message = `${label} before ${rule.since} does not ask Coxswain about calls if ${found} has ${rule.setting}, so that it would not keep to these permissions.`;
  return createFailure("option-unsupported", message, { hint: `Update ${label}.` });
}

/** The path itself, or the files in a folder. */
function filesOf(path: string, depth = 0): readonly string[] {
  try {
    const names = depth > DEEPEST ? [] : readdirSync(path);
    return names.flatMap((name) => filesOf(join(path, name), depth + 1));
  } catch {
    return /\.(?:json|plist)$/.test(path) ? [path] : [];
  }
}

/** True for a file that cannot be judged, too. A property list may be binary; its names are readable there. */
function mayHave(path: string, setting: string): boolean {
  const text = readBounded(path, MOST_BYTES);
  if (text === undefined || text === "no-file") return false;
  if (text === "too-large") return true;
  const read = path.endsWith(".json") ? parseSettings(path, text.content) : { problem: "is no JSON" };
  return "problem" in read ? text.content.includes(setting) : hasOn(read.settings, setting);
}

function hasOn(value: JsonValue | undefined, setting: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => hasOn(entry, setting));
  if (!isJsonObject(value)) return false;
  return value[setting] === true || Object.values(value).some((inner) => hasOn(inner, setting));
}
