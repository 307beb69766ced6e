import type { ConfigChoice } from "../open-client.ts";
import type { LogFlags } from "./log-flags.ts";

/** The values of `--approval`. */
export const APPROVALS = ["approve", "full", "plan"] as const;

/** The options of `cox run`, as commander parses them. */
export type RunOptions = LogFlags & {
  readonly provider?: string;
  readonly model?: string;
  readonly system?: string;
  readonly appendSystem?: string;
  readonly mcp?: readonly string[];
  readonly approval: (typeof APPROVALS)[number];
  readonly allowTool?: readonly string[];
  readonly maxSteps: number;
  readonly timeout?: number;
  readonly budgetUsd?: number;
  readonly config?: ConfigChoice;
  readonly json?: true;
  readonly streamJson?: true;
  readonly verbose?: true;
};
