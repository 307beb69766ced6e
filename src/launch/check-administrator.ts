import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../request/project/read-bounded.ts";
import { parseSettings } from "../request/project/read-settings.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { isJsonObject, type JsonValue } from "../spec/json.ts";
import type { Surroundings } from "../spec/provider/connection.ts";
import type { Provider } from "../spec/provider/provider.ts";
import { compareVersions } from "../spec/provider/versions.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { settingsPath } from "./settle-cli.ts";

const MOST_BYTES = 4 * 1024 * 1024;
/** A folder of an administrator may have one for each user. */
const DEEPEST = 1;

type Asked = { readonly target: Target; readonly request: PromptRequest; readonly env: Surroundings };

/** The failure for an agent whose CLI, by a setting of an administrator, does not keep to the permissions of the request. */
export function checkAdministrator(
  { provider, version }: { readonly provider: Provider; readonly version?: string },
  { target, request, env }: Asked,
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
