import { needsConsent } from "../../dialects/claude/claude-consent.ts";
import type { AdministratorSetting } from "../../spec/provider/provider-facts.ts";

/** The folders of an administrator; on WSL that of Windows holds too. */
const FOLDERS: readonly string[] = [
  ...["/etc/claude-code", "/Library/Application Support/ClaudeCode", "C:\\Program Files\\ClaudeCode"],
  "/mnt/c/Program Files/ClaudeCode",
];

/**
 * With `disableAllHooks` of an administrator 2.1.197 starts no hook, also not the one by which it asks Coxswain about a call; 2.1.326 does. The places are those
 * in the program of 2.1.197; the last one is its copy of the settings that an organization serves.
 */
export const CLAUDE_ADMINISTRATOR: AdministratorSetting = {
  setting: "disableAllHooks",
  since: "2.1.326",
  matters: needsConsent,
  places: [
    ...FOLDERS.flatMap((folder) => ["managed-settings.json", "managed-settings.d"].map((name) => ({ folder, name }))),
    { folder: "/Library/Managed Preferences", name: "." },
    { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", name: "remote-settings.json" },
  ],
};
