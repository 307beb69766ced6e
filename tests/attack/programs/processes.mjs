// Programs that leave processes or files behind, or do not end when they are told to.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { answer, print } from "./wires.mjs";

const MARK = process.env.ATTACK_MARK;
const LASTS = "trap '' INT TERM HUP; while :; do sleep 1; done";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Starts a shell that ignores signals; the mark is in its arguments too, for those whose environment is another. */
function leave(options = {}, script = LASTS) {
  spawn("/bin/sh", ["-c", script, MARK], { stdio: "ignore", detached: true, ...options }).unref();
}

export const processes = {
  async "ignores-signals"(wire) {
    for (const signal of SIGNALS) process.on(signal, () => {});
    print(wire.start());
    await sleep(60_000);
  },
  async "ignores-signals-and-prints"(wire) {
    for (const signal of SIGNALS) process.on(signal, () => {});
    print(wire.start());
    setInterval(() => print(wire.streamed("more ")), 20);
    await sleep(60_000);
  },
  async "stops-itself"(wire) {
    print(wire.start());
    process.kill(process.pid, "SIGSTOP");
    await sleep(60_000);
  },
  "leaves-a-process"(wire) {
    leave();
    answer(wire);
    process.exit(0);
  },
  "leaves-many-processes"(wire) {
    for (let count = 0; count < 30; count += 1) leave({ detached: count % 2 === 0 });
    answer(wire);
    process.exit(0);
  },
  "leaves-a-holder-of-stdout"(wire) {
    print(wire.start(), wire.say("All good."));
    leave({ stdio: ["ignore", "inherit", "inherit"] });
    process.exit(0);
  },
  "leaves-a-holder-after-the-answer"(wire) {
    leave({ stdio: ["inherit", "inherit", "inherit"] });
    answer(wire);
    process.exit(0);
  },
  async "leaves-a-daemon"(wire) {
    leave({}, `(${LASTS}) & exit 0`);
    print(wire.start());
    await sleep(300);
    answer(wire);
    process.exit(0);
  },
  async "starts-another-at-each-signal"(wire) {
    for (const signal of SIGNALS) process.on(signal, () => leave());
    print(wire.start());
    await sleep(60_000);
  },
  async "is-followed-by-another"(wire) {
    process.on("SIGTERM", () => {
      leave();
      process.exit(0);
    });
    process.on("SIGINT", () => {
      leave();
      process.exit(0);
    });
    print(wire.start());
    await sleep(60_000);
  },
  async "chain-of-processes"(wire) {
    const step = 'n=$1; [ "$n" = 0 ] && exec sleep 600; sleep 0.05; /bin/sh -c "$2" "$0" $((n-1)) "$2" & exit 0';
    spawn("/bin/sh", ["-c", step, MARK, "40", step], { stdio: "ignore" }).unref();
    print(wire.start());
    await sleep(60_000);
  },
  async "clears-the-environment"(wire) {
    print(wire.start(), wire.tool("t1", {}));
    leave({ env: {} });
    await sleep(1800);
    print(wire.toolEnd("t1", "done"));
    await sleep(200);
    print(wire.say("All good."), wire.end("All good."));
    process.exit(0);
  },
  async "clears-the-environment-in-its-group"(wire) {
    print(wire.start(), wire.tool("t1", {}));
    leave({ env: {}, detached: false });
    await sleep(300);
    print(wire.toolEnd("t1", "done"), wire.say("All good."), wire.end("All good."));
    process.exit(0);
  },
  async "changes-the-marker"(wire) {
    print(wire.start(), wire.tool("t1", {}));
    leave({ env: { ...process.env, COXSWAIN_RUN: "1-x.1", COXSWAIN_GUARDIAN: "1-x" } });
    await sleep(1800);
    print(wire.toolEnd("t1", "done"), wire.say("All good."), wire.end("All good."));
    process.exit(0);
  },
  "dies-by-kill": (wire) => dieBy(wire, "SIGKILL"),
  "dies-by-segv": (wire) => dieBy(wire, "SIGSEGV"),
  "dies-by-abort": (wire) => dieBy(wire, "SIGABRT"),
  "signals-its-group"(wire) {
    print(wire.start());
    process.kill(0, "SIGTERM");
  },
  "leaves-a-core-file"(wire) {
    for (const name of ["core", "core.1234", ".hidden"]) writeFileSync(name, "x".repeat(100_000));
    answer(wire);
  },
  "fills-its-directory"(wire) {
    for (let number = 0; number < 1000; number += 1) writeFileSync(`file ${number}\n`, "x");
    mkdirSync("a/b/c/d", { recursive: true });
    symlinkSync("/etc", "a/link");
    symlinkSync("loop", "loop");
    answer(wire);
  },
  "locks-its-directory"(wire) {
    mkdirSync("locked/inner", { recursive: true });
    writeFileSync("locked/inner/file", "x");
    chmodSync("locked/inner", 0);
    chmodSync("locked", 0);
    chmodSync(".", 0o500);
    answer(wire);
  },
  "removes-its-directory"(wire) {
    rmSync(process.cwd(), { recursive: true, force: true });
    answer(wire);
  },
};

async function dieBy(wire, signal) {
  print(wire.start(), wire.say("Half an"));
  process.kill(process.pid, signal);
  await sleep(10_000);
}
