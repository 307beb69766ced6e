import type { ConnectionSettings } from "../../spec/provider/connection.ts";
import { refuseSettings } from "../shared/refuse.ts";

/** A completion has a private home, so that OpenCode does not read the user's `opencode.json` there. */
export const OPENCODE_CONNECTION: ConnectionSettings = {
  files: ["opencode.json", "opencode.jsonc", "config.json"].map((name) => ({
    variable: "XDG_CONFIG_HOME",
    folder: ".config",
    name: `opencode/${name}`,
  })),
  read: (settings, about) => {
    // Without a model OpenCode's own refusal names what is missing.
    const [vendor = ""] = (about.model ?? "").split("/");
    return vendor === "" ? {} : (refuseSettings("OpenCode", settings, [["provider", vendor]], about) ?? {});
  },
};
