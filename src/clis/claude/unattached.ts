import { RUN_DIRECTORY, type TempFile } from "../../spec/launch-plan.ts";

const FOLDER = "unattached";

/**
 * A plugin that leaves out what Claude Code attaches to a prompt: since 2.1.325 its directory, system, model and date.
 * `text: null` is the CLI's own word for leaving an attachment out. 2.1.197 has no such hooks: it reads the list, finds `hooks`
 * empty and goes on.
 */
export const UNATTACHED: readonly TempFile[] = [
  { name: `${FOLDER}/hooks/hooks.json`, content: '{ "hooks": {}, "modules": ["./unattached.mjs"] }\n' },
  {
    name: `${FOLDER}/hooks/unattached.mjs`,
    content: 'export const register = (on) => on("prompt.attachment", async () => ({ text: null }));\n',
  },
];

/** The arguments that load the plugin for this process alone. */
export const UNATTACHED_ARGUMENTS: readonly string[] = ["--plugin-dir", `${RUN_DIRECTORY}/${FOLDER}`];

/** A thread of its own for the plugin would cost each start a tenth of a second. */
export const UNATTACHED_ENV: Readonly<Record<string, string>> = { CLAUDE_CODE_HOOKS_SAME_THREAD: "1" };
