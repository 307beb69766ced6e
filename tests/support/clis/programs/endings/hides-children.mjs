// Starts processes that are hard to find, as HOW says, and then stays alive, or with ANSWER answers and exits. All of them ignore
// SIGINT and SIGTERM and have the directory of PID_FILE as their working directory.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assistant, init, print, result } from "../claude-lines.mjs";
import { stayAlive } from "./stay-alive.mjs";

const cwd = dirname(process.env.PID_FILE);
const PATH = process.env.PATH;
const bare = `env -i PATH="$PATH"`;
const STUBBORN = `trap '' INT TERM HUP; echo started >> started; exec sleep 600`;
/** Three times the time between two looks of the guardian. */
const SEEN_MS = 3000;
const UNSEEN = 20;

const sh = (script, options = {}) => spawn("sh", ["-c", script], { cwd, stdio: "ignore", ...options }).unref();
const runSh = (script, options = {}) => spawnSync("sh", ["-c", script], { cwd, stdio: "ignore", ...options });
const file = (name, script) => writeFileSync(join(cwd, name), script);

const WAYS = {
  /** Without marker and parent, in the root's session. */
  orphan: () => runSh(`${bare} sh -c "${STUBBORN}" &`),
  /** Loses its marker after its start, as a program does that overwrites its environment with its title. */
  "overwritten environment": () => runSh(`sh -c 'sleep 0.2; exec ${bare} sh -c "${STUBBORN}"' &`),
  /** Without marker and parent, in the session of a shell that has exited, beside a process with the marker. */
  "shell that has exited": () => runSh(`setsid sh -c '${bare} sh -c "${STUBBORN}" & sleep 600 &'`),
  /** Without marker, parent and session of the run; its parent was alive for some time. */
  daemon: async () => {
    sh(`${bare} setsid sh -c "${STUBBORN}" & exec sleep ${SEEN_MS / 1000}`);
    await sleep(SEEN_MS + 200);
  },
  /** The same, but its parent exits at once: no look finds them together. */
  "unseen daemons": () => runSh(`for each in $(seq ${UNSEEN}); do (${bare} setsid sh -c "${STUBBORN}" &) done`),
  /** A daemon, started by a tool. */
  "daemon of a tool": async () => {
    const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "serve" } };
    print(init(), { type: "assistant", message: { id: "m1", content: [call] } });
    runSh(`${bare} setsid sh -c "${STUBBORN}" & exec sleep ${SEEN_MS / 1000}`);
    const output = { type: "tool_result", tool_use_id: "t1", content: "", is_error: false };
    print({ type: "user", message: { role: "user", content: [output] } });
  },
  /** Each process starts the next one and exits, in the root's group. */
  chain: () => {
    file("chain", `trap '' INT TERM HUP; echo started >> started; sleep 0.01; sh chain &\n`);
    runSh("sh chain &", { env: { PATH } });
  },
  /** Has only the marker of a guardian, and a session of its own. */
  "false guardian": async () => {
    sh(STUBBORN, { detached: true, env: { PATH, COXSWAIN_GUARDIAN: "1-0" } });
    if (process.env.ANSWER) await sleep(SEEN_MS);
  },
  /** Starts a successor in a new session at SIGTERM and exits. */
  successor: () => sh(`trap 'setsid sh -c "${STUBBORN}" & exit' TERM; while :; do sleep 0.05; done`, { detached: true }),
};

const { HOW, ANSWER } = process.env;
await WAYS[HOW]();
while (HOW !== "successor" && !existsSync(join(cwd, "started"))) await sleep(10);
if (HOW !== "daemon of a tool") print(init());
if (ANSWER) {
  print(assistant("All good."), result("All good."));
  process.exit(0);
}
stayAlive();
