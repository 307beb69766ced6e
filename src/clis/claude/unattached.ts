import { RUN_DIRECTORY, type TempFile } from "../../spec/provider/launch-plan.ts";
import type { LaunchParts } from "../../spec/provider/provider.ts";
import { TRIAL_HOOKS } from "./trial-prompt.ts";

/** A plugin of Claude Code for one process: its files, and the arguments and variables that load it. */
export type Plugin = {
  readonly files: readonly TempFile[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const FOLDER = "unattached";
const MODULE = `${FOLDER}/hooks/unattached.mjs`;
const UNATTACH = 'on("prompt.attachment", () => ({ text: null }));';

/**
 * A plugin that removes what Claude Code attaches to a prompt: since 2.1.325 its directory, system, model and date.
 * `text: null` makes the CLI drop an attachment. 2.1.197 has no such hooks: it reads the list, finds `hooks`
 * empty and continues.
 */
export const UNATTACHED: Plugin = {
  files: [
    { name: `${FOLDER}/hooks/hooks.json`, content: '{ "hooks": {}, "modules": ["./unattached.mjs"] }\n' },
    { name: MODULE, content: moduleOf([UNATTACH]) },
  ],
  args: ["--plugin-dir", `${RUN_DIRECTORY}/${FOLDER}`],
  // A separate thread for the plugin would add a tenth of a second to each start.
  env: { CLAUDE_CODE_HOOKS_SAME_THREAD: "1" },
};

/** The launch with a plugin that also takes a trial prompt; a launch without the plugin stays as it is. */
export function withTrial({ tempFiles = [], ...parts }: LaunchParts): LaunchParts {
  const taking = { name: MODULE, content: moduleOf([UNATTACH, ...TRIAL_HOOKS]) };
  return { ...parts, tempFiles: tempFiles.map((file) => (file.name === MODULE ? taking : file)) };
}

function moduleOf(hooks: readonly string[]): string {
  return `export const register = (on) => {\n${hooks.map((hook) => `  ${hook}\n`).join("")}};\n`;
}
