import { type JsonObject, objectOf } from "../../spec/json.ts";
import type { ConnectionAbout } from "../../spec/provider/connection.ts";
import type { Refusal } from "../../spec/provider/provider.ts";

/** Refuses a completion if a file has one of the settings, each by its path in the file: it would talk to another host, or as somebody else. */
export function refuseSettings(
  label: string,
  settings: readonly (JsonObject | undefined)[],
  names: readonly (readonly string[])[],
  { paths }: Pick<ConnectionAbout, "paths">,
): Refusal | undefined {
  for (const [index, file] of settings.entries()) {
    const found = names.find((name) => valueAt(file, name) !== undefined);
    if (found === undefined) continue;
    return {
      code: "cli-misconfigured",
      message: `${found.join(".")} in ${paths[index]} says where ${label} talks, and a completion cannot keep to it.`,
      hint: "Use agent mode, set it by a variable of the environment, or remove the setting.",
    };
  }
  return undefined;
}

function valueAt(file: JsonObject | undefined, [first = "", ...rest]: readonly string[]): unknown {
  const value = file?.[first];
  return rest.length === 0 ? value : valueAt(objectOf(value), rest);
}
