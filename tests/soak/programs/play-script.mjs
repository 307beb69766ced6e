// Records its start and plays the script of its call for the n-th process of its provider.
import { appendFileSync, existsSync, readFileSync, writeSync } from "node:fs";

const [provider, model = ""] = process.argv.slice(2);
if (provider === "--version") {
  process.stdout.write("2.1.197 (Soak)\n");
} else {
  const place = `${process.env.SOAK_CALL}/${provider}`;
  appendFileSync(`${place}.journal`, `${process.env.COXSWAIN_RUN}\n`);
  const started = readFileSync(`${place}.journal`, "utf8").split("\n").length - 1;
  const script = JSON.parse(readFileSync(`${place}.json`, "utf8"));
  for (const step of script[Math.min(started, script.length) - 1]) await take(step);
  // A program without further steps exits, whatever its stdin does.
  process.exit(0);
}

async function take(step) {
  if (step.out !== undefined)
    for (let time = 0; time < (step.times ?? 1); time += 1) write(1, step.out.replaceAll("{model}", model));
  else if (step.err !== undefined) write(2, step.err);
  else if (step.waitMs !== undefined) await wait(step.waitMs);
  else if (step.until !== undefined) while (!existsSync(`${process.env.SOAK_CALL}/${step.until}`)) await wait(15);
  else if (step.stubborn !== undefined) for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  else if (step.exit !== undefined) process.exit(step.exit);
  else if (step.leavesMs !== undefined) await leaveProcess(step.leavesMs);
  else if (step.die !== undefined) {
    process.kill(process.pid, step.die);
    await wait(10_000);
  }
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function leaveProcess(ms) {
  const { spawn } = await import("node:child_process");
  spawn(process.execPath, ["-e", `setTimeout(() => {}, ${ms})`], { detached: true, stdio: "ignore" }).unref();
}

/** A full pipe is retried, so that all output is written. */
function write(descriptor, text) {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      if (error.code === "EPIPE") return;
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
