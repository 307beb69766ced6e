import { spawnSync } from "node:child_process";
import { markOf } from "../tree/limit-mark.ts";
import { toLaunch } from "./launcher.ts";

/** True if a program that the launcher starts has the mark of its run: the system has such a limit, and its shell can set it. */
export function canMarkProcesses(): boolean {
  const run = "0-trial.1";
  const mark = markOf(run);
  const launch = toLaunch({ command: "/bin/cat", args: ["/proc/self/limits"], env: {}, run });
  if (mark === undefined || !("command" in launch)) return false;
  const { command, args, argv0 } = launch;
  const { stdout } = spawnSync(command, [...args], {
    env: {},
    encoding: "utf8",
    timeout: 5_000,
    ...(argv0 !== undefined && { argv0 }),
  });
  return new RegExp(`^Max file locks +\\S+ +${mark.limit} `, "m").test(stdout ?? "");
}
