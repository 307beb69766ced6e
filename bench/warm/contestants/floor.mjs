import { prepareAcp } from "./floor-acp.mjs";
import { prepareClaude } from "./floor-claude.mjs";
import { prepareCodex } from "./floor-codex.mjs";

/**
 * What the CLI itself can do for a call without a past: the process that Coxswain would keep, in its raw language and without any of
 * Coxswain's code.
 */
export function prepare(settings) {
  const { args } = settings.launch;
  if (args.includes("stream-json")) return prepareClaude(settings);
  return args.includes("app-server") ? prepareCodex(settings) : prepareAcp(settings);
}
