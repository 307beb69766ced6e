import { join, resolve } from "node:path";
import { findLeftoverPaths } from "../../files/leftovers.ts";
import { privateDirectory, privateHome, removeQuietly, writeTempFiles } from "../../files/private-files.ts";
import { makeRunHome } from "../../files/run-home.ts";
import { UnusableDirectory, userHome } from "../../files/state-directory.ts";
import { createFailure } from "../../spec/failure/create-failure.ts";
import type { Failure } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import { thrownMessage } from "../../spec/failure/thrown.ts";
import {
  type PrivateHome,
  type ProcessPlan,
  pathInJson,
  pathOf,
  RUN_DIRECTORY,
  variableOf,
} from "../../spec/provider/launch-plan.ts";
import { GUARDIAN_MARKER, RUN_MARKER } from "../tree/process-table.ts";
import { FileOutput } from "./file-output.ts";
import { type Output, PipeOutput } from "./output.ts";
import { type Child, spawnChild } from "./spawn-child.ts";

/** Variables that a process inherits. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A started process, its stdout, the files to remove with it, and the directories that it may leave empty. */
export type StartedProcess = {
  readonly child: Child;
  readonly output: Output;
  readonly files: readonly string[];
  readonly leftovers: readonly string[];
  /** The working directory of the process. */
  readonly directory: string;
};

/** Linux takes at most 128 KiB for one argument (MAX_ARG_STRLEN). */
const LONGEST_ARGUMENT = 131_071;

/** Executes a plan: files, directory, environment, spawn. An error is returned as a failure, never thrown. */
export function startProcess(plan: ProcessPlan, run: string, env: Environment): StartedProcess | Failure | Promise<Failure> {
  const longest = Math.max(0, ...plan.args.map((argument) => Buffer.byteLength(argument)));
  if (longest > LONGEST_ARGUMENT) {
    const message = `An argument has ${longest} bytes; the limit is ${LONGEST_ARGUMENT}.`;
    return createFailure("arguments-too-large", message);
  }
  const files: string[] = [];
  try {
    return spawnPlan(plan, run, env, files);
  } catch (error) {
    removeQuietly(files);
    const message = `The run could not be prepared: ${thrownMessage(error)}.`;
    return createFailure("state-unusable", message, error instanceof UnusableDirectory ? { hint: error.hint } : {});
  }
}

/** Adds each file to remove to `files` as soon as it exists. */
function spawnPlan(plan: ProcessPlan, run: string, env: Environment, files: string[]): StartedProcess | Promise<Failure> {
  const cwd = plan.cwd.kind === "given" ? plan.cwd.path : privateDirectory(env);
  const place = placeFiles(plan, files);
  const placed = Object.entries(plan.env).map(([name, value]) => [name, place(value)] as const);
  const childEnv = childEnvironment(plan, Object.fromEntries(placed), run, env);
  if (plan.home !== undefined) moveHome(plan.home, childEnv, plan.provider, files);
  takeOverValues(childEnv, Object.keys(plan.env));
  const common = { run, command: plan.command, args: plan.args.map(place), env: childEnv, cwd };
  const file = plan.stdout === "file" ? new FileOutput() : undefined;
  files.push(...(file?.files ?? []));
  const leftovers = findLeftoverPaths(cwd, plan.leftovers ?? []);
  const child = spawnChild({ ...common, ...(file !== undefined && { stdout: file.childEnd }) });
  file?.closeChildEnd();
  if (!("errno" in child)) return { child, output: file ?? new PipeOutput(), files, leftovers, directory: resolve(cwd) };
  file?.close();
  return child.errno.then((errno) => {
    removeQuietly(files);
    return spawnFailure(plan, errno);
  });
}

/** Writes the files of a plan; returns the function that replaces their placeholders in a text with their paths. */
function placeFiles(plan: ProcessPlan, files: string[]): (text: string) => string {
  if (plan.tempFiles.length === 0) return (text) => text;
  const directory = writeTempFiles(plan.tempFiles);
  files.push(directory);
  return (text) =>
    plan.tempFiles.reduce(
      (placed, file) => {
        const path = join(directory, file.name);
        return placed.replaceAll(pathOf(file), () => path).replaceAll(pathInJson(file), () => JSON.stringify(path).slice(1, -1));
      },
      text.replaceAll(RUN_DIRECTORY, () => directory),
    );
}

function childEnvironment(
  { stripEnv }: ProcessPlan,
  own: Readonly<Record<string, string>>,
  run: string,
  env: Environment,
): Record<string, string> {
  const merged: Record<string, string> = {};
  // A variable that is deleted later would make the object slower to read.
  const stripped = new Set([...stripEnv, GUARDIAN_MARKER]);
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value !== undefined && !stripped.has(name)) merged[name] = value;
  }
  for (const [name, value] of Object.entries(own)) if (name !== GUARDIAN_MARKER) merged[name] = value;
  merged[RUN_MARKER] = run;
  return merged;
}

/** Only a plan names the variable of another one: no inherited value contains NUL. */
function takeOverValues(env: Record<string, string>, names: readonly string[]): void {
  for (const name of names) {
    const value = env[name] ?? "";
    if (!value.startsWith("\0")) continue;
    const source = Object.keys(env).find((other) => other !== name && variableOf(other) === value);
    if (source === undefined) delete env[name];
    else env[name] = env[source] ?? "";
  }
}

/** Gives the CLI a private home with the login of the user's CLI home and no other file of it. */
function moveHome(home: PrivateHome, env: Record<string, string>, provider: string, files: string[]): void {
  const real = env[home.variable] || join(userHome(env), home.folder);
  const moved =
    home.forRun === true
      ? makeRunHome({ env, provider, real, home, made: files })
      : privateHome({ env, provider, real, links: home.links, files: home.files ?? [] });
  if (moved === undefined) return;
  for (const [name, file] of Object.entries(home.pointers ?? {})) env[name] ??= join(resolve(real), file);
  env[home.variable] = moved;
  if (home.keepsUserHome !== true) env["HOME"] = moved;
}

const SPAWN_ERRNOS: Readonly<Record<string, FailureCode>> = {
  ENOENT: "cli-missing",
  ENOTDIR: "cli-missing",
  EACCES: "cli-not-executable",
  EPERM: "cli-not-executable",
  ENOEXEC: "cli-not-executable",
  E2BIG: "arguments-too-large",
};

function spawnFailure(plan: ProcessPlan, errno: string): Failure {
  return createFailure(SPAWN_ERRNOS[errno] ?? "start-failed", `${plan.command} could not be started (${errno}).`, {
    evidence: { errno },
  });
}
