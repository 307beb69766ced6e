import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Channel } from "../process/channel/channel.ts";
import type { JsonValue } from "../spec/json.ts";
import type { ProcessPlan } from "../spec/provider/launch-plan.ts";

/** How a process that takes several turns is started, and which requests may share it. */
export type ResidentLaunch = {
  readonly provider: string;
  /** Equal for launches that start the same process: the plan and the environment. */
  readonly key: string;
  /** Changes when the program or its login is replaced. */
  readonly identity: string;
  /** The number of turns that one process can take at the same time. */
  readonly turnsAtOnce: number;
  /** What a process that waits can be told about a turn like this one, if anything; equal for turns that are told the same. */
  readonly settings: string | undefined;
  /** True if a process that is prepared for these settings takes no others, so that another process waits for those. */
  readonly keepsOneForOthers: boolean;
  /** Starts a process; undefined if it could not be started. */
  readonly open: (onIdle: () => void) => Channel | undefined;
};

/** The key of a launch; it contains no readable secret. */
export function keyOfPlan(plan: ProcessPlan, env: Readonly<Record<string, string | undefined>>): string {
  const { provider, command, args, env: own, stripEnv, cwd, home, stdout, tempFiles, leftovers, umask } = plan;
  return hashOf([provider, command, args, own, stripEnv, cwd, home, stdout, tempFiles, leftovers, umask, env]);
}

/** The settings of a turn in a short form that contains no readable text. */
export function keyOfSettings(settings: JsonValue | undefined): string | undefined {
  return settings === undefined ? undefined : hashOf(settings);
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}

/** A text that changes when one of the files is replaced, added or removed. */
export function identityOf(files: readonly string[]): string {
  return files.map(stampOf).join(" ");
}

/** A file in a directory that may not be read counts as absent. */
function stampOf(path: string): string {
  try {
    const { mtimeMs, ino, size } = statSync(path);
    return `${mtimeMs}.${ino}.${size}`;
  } catch {
    return "-";
  }
}
