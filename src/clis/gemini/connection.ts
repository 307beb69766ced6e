import { objectOf, stringOf } from "../../spec/json.ts";
import type { ConnectionSettings } from "../../spec/provider/connection.ts";

/**
 * The login that the user has selected, the model of the environment or the settings, and whether the key is in Gemini's own `.env`. The values of that file stay with
 * Gemini, which reads it by a link.
 */
export const GEMINI_CONNECTION: ConnectionSettings = {
  files: [
    { variable: "GEMINI_CLI_HOME", folder: ".", name: ".gemini/settings.json" },
    { variable: "GEMINI_CLI_HOME", folder: ".", name: ".gemini/.env" },
    { variable: "GEMINI_CLI_HOME", folder: ".", name: ".env" },
  ],
  read: ([settings = {}, own, ofHome], { env }) => {
    const auth = objectOf(objectOf(settings["security"])?.["auth"]) ?? {};
    const model = env["GEMINI_MODEL"] || stringOf(objectOf(settings["model"])?.["name"]);
    const picked = ["selectedType", "enforcedType", "useExternal"].flatMap((name) =>
      auth[name] === undefined ? [] : [[name, auth[name]]],
    );
    const variables = Object.keys(own ?? ofHome ?? {});
    return { taken: { auth: Object.fromEntries(picked), variables }, ...(model !== undefined && { model }) };
  },
};
