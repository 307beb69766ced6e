import { spawn } from "node:child_process";
import { appendFileSync, closeSync, writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fillMark } from "./call-mark.ts";
import type { FakeCall, FakeStep, NotedCall } from "./fake-cli.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs the steps of a fake CLI in the current process and appends the call to the given file. */
export async function playFakeCli(steps: readonly FakeStep[], callsFile: string): Promise<void> {
  const input = new Input();
  let isNoted = false;
  const note = (): void => {
    if (isNoted) return;
    isNoted = true;
    const call: FakeCall = { argv: process.argv.slice(2), cwd: process.cwd(), stdin: input.text };
    const noted: NotedCall = { startedAt: performance.timeOrigin, call };
    appendFileSync(callsFile, `${JSON.stringify(noted)}\n`);
  };
  process.once("exit", note);
  for (const signal of SIGNALS) {
    // A fake CLI that is stopped records its call too; then the signal ends it as it ends any program.
    process.once(signal, () => {
      note();
      process.kill(process.pid, signal);
    });
  }
  for (const step of steps) await play(step, input, note);
  process.stdin.destroy();
}

async function play(step: FakeStep, input: Input, note: () => void): Promise<void> {
  switch (step.do) {
    case "print":
      return writeAll(1, Buffer.from(`${fillMark(JSON.stringify(step.value), input.text)}\n`));
    case "write":
      return writeAll(
        step.to === "stderr" ? 2 : 1,
        step.base64 === undefined ? Buffer.from(fillMark(step.text ?? "", input.text)) : Buffer.from(step.base64, "base64"),
      );
    case "read":
      return step.what === "line" ? input.line() : input.all();
    case "wait":
      return delay(step.ms);
    case "ignore-signals":
      for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, () => {});
      return;
    case "close-stdout":
      return closeSync(1);
    case "leave-process": {
      const stdio = ["ignore", step.holdStdout === false ? "ignore" : "inherit", "ignore"] as const;
      spawn(process.execPath, ["-e", `setTimeout(() => {}, ${step.ms})`], { detached: true, stdio: [...stdio] }).unref();
      return;
    }
    case "exit":
      return process.exit(step.code);
    case "die":
      note();
      process.kill(process.pid, step.signal);
      return delay(10_000);
  }
}

/** Writes all bytes; a full pipe is tried again. */
async function writeAll(file: 1 | 2, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(file, bytes, from);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      await delay(1);
    }
  }
}

class Input {
  text = "";
  private linesRead = 0;
  private ended = false;
  private changed: () => void = () => {};

  constructor() {
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", (text: string) => this.take(text));
    process.stdin.on("close", () => this.take("", true));
    process.stdin.on("error", () => this.take("", true));
    process.stdin.unref?.();
  }

  line(): Promise<void> {
    this.linesRead += 1;
    const wanted = this.linesRead;
    return this.until(() => this.text.split("\n").length > wanted);
  }

  all(): Promise<void> {
    return this.until(() => false);
  }

  private async until(met: () => boolean): Promise<void> {
    process.stdin.ref?.();
    while (!met() && !this.ended) await new Promise<void>((resolve) => (this.changed = resolve));
    process.stdin.unref?.();
  }

  private take(text: string, ended = false): void {
    this.text += text;
    this.ended ||= ended;
    this.changed();
  }
}
