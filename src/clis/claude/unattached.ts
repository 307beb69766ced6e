import { RUN_DIRECTORY, type TempFile } from "../../spec/launch-plan.ts";

/** A plugin of Claude Code for one process: its files, and the arguments and variables that load it. */
export type Plugin = {
  readonly files: readonly TempFile[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const FOLDER = "unattached";

/**
 * A plugin that removes what Claude Code attaches to a prompt: since 2.1.325 its directory, system, model and date.
 * `text: null` makes the CLI drop an attachment. 2.1.197 has no such hooks: it reads the list, finds `hooks`
 * empty and continues.
 */
export const UNATTACHED: Plugin = {
  files: [
    { name: `${FOLDER}/hooks/hooks.json`, content: '{ "hooks": {}, "modules": ["./unattached.mjs"] }\n' },
    {
      name: `${FOLDER}/hooks/unattached.mjs`,
      content: 'export const register = (on) => on("prompt.attachment", async () => ({ text: null }));\n',
    },
  ],
  args: ["--plugin-dir", `${RUN_DIRECTORY}/${FOLDER}`],
  // A separate thread for the plugin would add a tenth of a second to each start.
  env: { CLAUDE_CODE_HOOKS_SAME_THREAD: "1" },
};
