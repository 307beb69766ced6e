import { join } from "node:path";
import { privateDirectory, privateHome, removeQuietly, userHome, writeTempFiles } from "../process/private-files.ts";
import { GUARDIAN_MARKER, RUN_MARKER } from "../process/process-table.ts";
import { type Child, spawnChild } from "../process/spawn-child.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { FailureCode } from "../spec/failure-codes.ts";
import { type LaunchPlan, type PrivateHome, pathOf } from "../spec/launch-plan.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A started process and the files that are to go with it. */
export type StartedProcess = { readonly child: Child; readonly files: readonly string[] };

/** Linux takes at most 128 KiB for one argument (MAX_ARG_STRLEN). */
const LONGEST_ARGUMENT = 131_071;

/** Carries a plan out: files, directory, environment, spawn. What goes wrong is a failure, never an exception. */
export function startProcess(plan: LaunchPlan, run: string, env: Environment): StartedProcess | Failure | Promise<Failure> {
  const longest = Math.max(0, ...plan.args.map((argument) => Buffer.byteLength(argument)));
  if (longest > LONGEST_ARGUMENT) {
    const message = `An argument of ${longest} bytes cannot be passed; the limit is ${LONGEST_ARGUMENT}.`;
    return createFailure("arguments-too-large", message);
  }
  const files: string[] = [];
  try {
    const cwd = plan.cwd.kind === "given" ? plan.cwd.path : privateDirectory(env);
    const child = spawnChild({
      command: plan.command,
      args: placeFiles(plan, files),
      env: childEnvironment(plan, run, env),
      cwd,
    });
    if (!("errno" in child)) return { child, files };
    return child.errno.then((errno) => {
      removeQuietly(files);
      return spawnFailure(plan, errno);
    });
  } catch (error) {
    removeQuietly(files);
    return createFailure(
      "state-unusable",
      `The run could not be prepared: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function placeFiles(plan: LaunchPlan, files: string[]): readonly string[] {
  if (plan.tempFiles.length === 0) return plan.args;
  const directory = writeTempFiles(plan.tempFiles);
  files.push(directory);
  return plan.tempFiles.reduce<readonly string[]>(
    (args, file) => args.map((argument) => argument.replace(pathOf(file), () => join(directory, file.name))),
    plan.args,
  );
}

function childEnvironment(plan: LaunchPlan, run: string, env: Environment): Readonly<Record<string, string>> {
  const merged: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) merged[name] = value;
  Object.assign(merged, plan.env);
  for (const name of [...plan.stripEnv.filter((stripped) => !(stripped in plan.env)), GUARDIAN_MARKER]) delete merged[name];
  if (plan.home !== undefined) moveHome(plan.home, merged, plan.provider);
  merged[RUN_MARKER] = run;
  return merged;
}

/** The CLI finds the login of the home it would have had, and nothing else of it. */
function moveHome(home: PrivateHome, env: Record<string, string>, provider: string): void {
  const real = env[home.variable] ?? join(userHome(env), home.folder);
  const moved = privateHome({ env, provider, real, links: home.links });
  if (moved === undefined) return;
  env[home.variable] = moved;
  env["HOME"] = moved;
}

const SPAWN_ERRNOS: Readonly<Record<string, FailureCode>> = {
  ENOENT: "cli-missing",
  ENOTDIR: "cli-missing",
  EACCES: "cli-not-executable",
  EPERM: "cli-not-executable",
  ENOEXEC: "cli-not-executable",
  E2BIG: "arguments-too-large",
};

function spawnFailure(plan: LaunchPlan, errno: string): Failure {
  return createFailure(SPAWN_ERRNOS[errno] ?? "start-failed", `${plan.command} could not be started (${errno}).`, {
    evidence: { errno },
  });
}
