import { symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hostDirectory, type RunFolders, runFolders, TEMPORARY_VARIABLES, writeTempFiles } from "../../files/host-directory.ts";
import { findLeftoverPaths, removeQuietly } from "../../files/leftovers.ts";
import { makeRunHome, privateHome } from "../../files/private-home.ts";
import { compileCache, privateDirectory, UnusableDirectory, userHome } from "../../files/state-directory.ts";
import { createFailure, type Failure, thrownMessage } from "../../spec/failure/failure.ts";
import type { FailureCode } from "../../spec/failure/failure-codes.ts";
import {
  type PrivateHome,
  type ProcessPlan,
  pathInJson,
  pathOf,
  RUN_DIRECTORY,
  type TempFile,
  variableInJson,
  variableOf,
} from "../../spec/provider/cli-data.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";
import type { Guardian } from "../guardian/guardian.ts";
import { sweepDeadHosts } from "../guardian/sweep-hosts.ts";
import { GUARDIAN_MARKER, RUN_MARKER } from "../tree/process-table.ts";
import { FileOutput } from "./file-output.ts";
import { type Output, pipeOutput } from "./output.ts";
import { type Child, spawnChild } from "./spawn-child.ts";
import { type SuperviseOptions, Supervisor } from "./supervise.ts";

export type OpenOptions = Pick<SuperviseOptions, "run" | "stopSignal" | "onStdout" | "onStderr" | "onEnd"> & {
  readonly env: Surroundings;
  readonly guardian: Guardian | undefined;
};

/**
 * Starts a process and supervises it until it has exited. The directory of its files is registered with the guardian before it exists, and the process
 * before anything is written to it.
 */
export function openProcess(plan: ProcessPlan, options: OpenOptions): Supervisor | Failure | Promise<Failure> {
  const { env, guardian, ...rest } = options;
  const host = hostDirectory({ ...env, ...plan.env });
  if (guardian?.ownDirectory(host) !== true) sweepOnce(dirname(host));
  const started = startProcess(plan, rest.run, env, host);
  if (!("child" in started)) return started;
  const { child, output, directory, ...remains } = started;
  const { run, stopSignal: signal } = rest;
  const isGuarded =
    guardian?.start({ op: "start", run, pid: child.pid ?? 0, startedAt: Date.now(), signal, ...remains }) === true;
  return new Supervisor(child, { ...rest, ...remains, output, directory, guardian: isGuarded ? guardian : undefined });
}

/** The directories that this process has swept. */
const swept = new Set<string>();

/** A host without a guardian does the guardian's work. */
function sweepOnce(base: string): void {
  if (swept.has(base)) return;
  swept.add(base);
  sweepDeadHosts(base, process.env[RUN_MARKER]).catch(() => {});
}

export type StartedProcess = {
  readonly child: Child;
  readonly output: Output;
  readonly files: readonly string[];
  readonly leftovers: readonly string[];
  readonly directory: string;
};

/** Linux takes at most 128 KiB for one argument (MAX_ARG_STRLEN). */
const LONGEST_ARGUMENT = 131_071;

/**
 * Executes a plan: files, directory, environment, spawn. All files for this process alone are below the directory of this host. An error is
 * returned as a failure, never thrown.
 */
export function startProcess(
  plan: ProcessPlan,
  run: string,
  env: Surroundings,
  host: string = hostDirectory({ ...env, ...plan.env }),
): StartedProcess | Failure | Promise<Failure> {
  const longest = Math.max(0, ...plan.args.map((argument) => Buffer.byteLength(argument)));
  if (longest > LONGEST_ARGUMENT) {
    const message = `An argument has ${longest} bytes; the limit is ${LONGEST_ARGUMENT}.`;
    return createFailure("arguments-too-large", message);
  }
  const folders = runFolders(host, run);
  try {
    return spawnPlan(plan, run, env, folders);
  } catch (error) {
    removeQuietly(folders.made);
    const message = `The run could not be prepared: ${thrownMessage(error)}.`;
    return createFailure("state-unusable", message, error instanceof UnusableDirectory ? { hint: error.hint } : {});
  }
}

function spawnPlan(plan: ProcessPlan, run: string, env: Surroundings, folders: RunFolders): StartedProcess | Promise<Failure> {
  const cwd = plan.cwd.kind === "given" ? plan.cwd.path : privateDirectory(env);
  const place = placeFiles(plan, folders, env);
  const placed = Object.entries(plan.env).map(([name, value]) => [name, place(value)] as const);
  const childEnv = childEnvironment(plan, Object.fromEntries(placed), run, env);
  if (plan.temporary === undefined) moveTemporary(childEnv, folders);
  if (plan.home !== undefined) moveHome(plan.home, childEnv, plan.provider, folders);
  takeOverValues(childEnv, Object.keys(plan.env));
  const common = { run, command: plan.command, args: plan.args.map(place), env: childEnv, cwd, umask: plan.umask };
  const file = plan.stdout === "file" ? new FileOutput() : undefined;
  const files = [...folders.made, ...(file?.files ?? [])];
  const leftovers = findLeftoverPaths(cwd, plan.leftovers ?? []);
  const child = spawnChild({ ...common, stdout: file?.childEnd });
  file?.closeChildEnd();
  if (!("errno" in child)) return { child, output: file ?? pipeOutput(), files, leftovers, directory: resolve(cwd) };
  file?.close();
  return child.errno.then((errno) => {
    removeQuietly(files);
    return spawnFailure(plan, errno);
  });
}

/** Writes the files of a plan; returns the function that replaces their placeholders in a text with their paths. */
function placeFiles(plan: ProcessPlan, folders: RunFolders, env: Surroundings): (text: string) => string {
  if (plan.tempFiles.length === 0) return (text) => text;
  const directory = folders.make("files");
  writeTempFiles(
    directory,
    plan.tempFiles.map((file) => withValues(file, { ...env, ...plan.env })),
  );
  return (text) =>
    plan.tempFiles.reduce(
      (placed, file) => {
        const path = join(directory, file.name);
        return placed.replaceAll(pathOf(file), () => path).replaceAll(pathInJson(file), () => JSON.stringify(path).slice(1, -1));
      },
      text.replaceAll(RUN_DIRECTORY, () => directory),
    );
}

/** Only a plan names a variable in a file: no text of a user contains NUL. */
function withValues(file: TempFile, env: Surroundings): TempFile {
  if (!file.content.includes("\0")) return file;
  const named = Object.keys(env).filter((name) => file.content.includes(variableInJson(name)));
  const content = named.reduce(
    (text, name) => text.replaceAll(variableInJson(name), () => JSON.stringify(env[name] ?? "").slice(1, -1)),
    file.content,
  );
  return { ...file, content };
}

function childEnvironment(
  { stripEnv }: ProcessPlan,
  own: Readonly<Record<string, string>>,
  run: string,
  env: Surroundings,
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

/**
 * Gives the CLI a temporary directory of its own. Node keeps compiled code in one of its folders, for each program that asks for it; that
 * folder outlives the process.
 */
function moveTemporary(env: Record<string, string>, folders: RunFolders): void {
  const directory = folders.make("tmp");
  const { NODE_COMPILE_CACHE: compiled } = compileCache(env);
  if (compiled !== undefined) linkQuietly(compiled, join(directory, "node-compile-cache"));
  for (const name of [...TEMPORARY_VARIABLES, ...Object.keys(env).filter(isOwnTemporary)]) env[name] = directory;
}

/** Some programs read a variable of their own first: CLAUDE_CODE_TMPDIR, BUN_TMPDIR. */
function isOwnTemporary(name: string): boolean {
  return name.endsWith("_TMPDIR");
}

/** Windows allows links only with a privilege; then the next process compiles again. */
function linkQuietly(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch {}
}

/** Gives the CLI a private home with the login of the user's CLI home and no other file of it. */
function moveHome(home: PrivateHome, env: Record<string, string>, provider: string, folders: RunFolders): void {
  const real = env[home.variable] || join(userHome(env), home.folder);
  const moved =
    home.forRun === true
      ? folders.make("home")
      : privateHome({ env, provider, real, links: home.links, files: home.files ?? [] });
  if (moved === undefined) return;
  if (home.forRun === true) makeRunHome({ env, provider, real, home, directory: moved });
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
