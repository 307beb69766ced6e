import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LaunchPlan } from "../../src/spec/provider/cli-data.ts";
import { BENCH_MARKER, endAll, findCaused } from "./processes.ts";

/** `pure`: a model without tools, with a system prompt. `plain`: the wrapper's defaults. `agent`: tools, without permission questions. */
export type Variant = "pure" | "plain" | "agent";

/** The question for a contestant. */
export type Question = {
  readonly variant: Variant;
  readonly prompt: string;
  readonly system: string;
  /** How a contestant is to make this call, in its own words. */
  readonly how?: Readonly<Record<string, unknown>>;
};

/** The parts of an error that a caller can read. */
export type ErrorReport = {
  readonly name: string;
  readonly className: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
};

/** The times of one call, in milliseconds from its start; `sinceAbortMs` from its abort. */
export type CallReport = {
  readonly firstTextMs?: number;
  readonly totalMs: number;
  readonly sinceAbortMs?: number;
  readonly text?: string;
  /** Whether a process that was already running answered, if the contestant tells. */
  readonly warm?: boolean;
  /** The conversation that the call kept. */
  readonly sessionId?: string;
  readonly error?: ErrorReport;
};

/** One contestant in its own process. */
export type Host = {
  readonly pid: number;
  readonly marker: string;
  ask(question: Question): Promise<CallReport>;
  abort(): Promise<void>;
  /** The launch plan of Coxswain for a question. */
  plan(question: Question): Promise<LaunchPlan>;
  /** Calls one of the contestant's own functions. */
  do(name: string, details?: object): Promise<unknown>;
  /** The CPU time of the host process so far. */
  cpuMs(): Promise<number>;
  /** Ends the host and, by their ids, all processes that it left behind. */
  end(): Promise<void>;
};

/** The settings of a host, passed as JSON at its start. */
export type HostSettings = { readonly contestant: string } & Readonly<Record<string, unknown>>;

type Answer = { readonly id?: number; readonly value?: unknown; readonly ready?: true; readonly stray?: ErrorReport };

let hosts = 0;

/** Starts a host; resolves when its contestant is loaded. */
export async function startHost(settings: HostSettings, env: Readonly<Record<string, string>>): Promise<Host> {
  const marker = `${process.pid}-${++hosts}`;
  const child = fork(fileURLToPath(new URL("./host.mjs", import.meta.url)), [JSON.stringify(settings)], {
    env: { ...env, [BENCH_MARKER]: marker },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const order = await connect(child, settings.contestant);
  const pid = child.pid ?? Number.NaN;
  return {
    pid,
    marker,
    ask: (question) => order("ask", { question }) as Promise<CallReport>,
    abort: () => order("abort") as Promise<void>,
    plan: (question) => order("plan", { question }) as Promise<LaunchPlan>,
    do: (name, details = {}) => order("do", { name, details }),
    cpuMs: () => order("cpu") as Promise<number>,
    end: () => endHost(child, marker, pid),
  };
}

type Order = (kind: string, details?: object) => Promise<unknown>;

function connect(child: ChildProcess, contestant: string): Promise<Order> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let orders = 0;
  const order: Order = (kind, details = {}) =>
    new Promise((resolve, reject) => {
      const id = ++orders;
      waiting.set(id, { resolve, reject });
      child.send({ ...details, id, kind });
    });
  return new Promise((resolve, reject) => {
    child.once("exit", (code, signal) => {
      const error = new Error(`the host of ${contestant} ended with ${signal ?? code}`);
      reject(error);
      for (const { reject: fail } of waiting.values()) fail(error);
    });
    child.on("message", ({ id, value, ready, stray }: Answer) => {
      if (ready) return resolve(order);
      if (stray !== undefined) process.stderr.write(`${contestant} let an error slip: ${stray.name}: ${stray.message}\n`);
      if (id === undefined) return;
      waiting.get(id)?.resolve(value);
      waiting.delete(id);
    });
  });
}

async function endHost(child: ChildProcess, marker: string, pid: number): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    if (child.connected) child.send({ kind: "end" });
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await gone;
    clearTimeout(timer);
  }
  endAll(findCaused(marker, pid));
}
