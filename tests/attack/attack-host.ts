import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AttackJob, Verdict } from "./attack-case.ts";
import { ATTACK_MARK, endMarked } from "./case-place.ts";

const PROGRAM = fileURLToPath(new URL("./hosts/attack-host-main.ts", import.meta.url));

/** A process that uses the product; a job that freezes or ends it costs only this process. */
export class AttackHost {
  private readonly mark = randomUUID();
  private readonly directory = mkdtempSync(join(tmpdir(), "coxswain-attack-"));
  private child: ChildProcess | undefined;

  /** Gives the job to the process, a new one if the last one is gone. */
  async take(job: AttackJob, deadlineMs: number): Promise<Verdict> {
    const child = this.child ?? (await this.start());
    child.send(job);
    const { promise, resolve } = Promise.withResolvers<Verdict | string>();
    const timer = setTimeout(resolve, deadlineMs, `the host gave no verdict within ${deadlineMs / 1000} s`);
    const onExit = (code: number | null, signal: string | null): void => resolve(`the host ended with ${code ?? signal}`);
    child.once("message", resolve).once("exit", onExit);
    const verdict = await promise;
    clearTimeout(timer);
    child.off("message", resolve).off("exit", onExit);
    if (typeof verdict !== "string") return verdict;
    await this.end();
    return { problems: [verdict], counts: {} };
  }

  /** Ends the process and everything that it left. */
  async end(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    endMarked(this.mark);
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async start(): Promise<ChildProcess> {
    mkdirSync(this.directory, { recursive: true });
    const env = { ...process.env, TMPDIR: this.directory, [ATTACK_MARK]: this.mark };
    const child = fork(PROGRAM, {
      env,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.child = child;
    await once(child, "message");
    return child;
  }
}
