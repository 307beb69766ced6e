import type { Command } from "commander";

/** The options of `cox ask` that change what a terminal shows. */
export type ShowOptions = { readonly raw?: true; readonly quiet?: true };

/** Adds the options that change what a terminal shows; a file or a pipe gets the same with and without them. */
export function addShowOptions(command: Command): Command {
  return command
    .option("--raw", "print the text of the answer as it is, instead of rendered Markdown (always so in a file or a pipe)")
    .option("-q, --quiet", "show no waiting sign, and no line with model, tokens, cost and time after the answer");
}
