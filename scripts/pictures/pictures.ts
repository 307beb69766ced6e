// Records `cox` on the built-in rehearsal CLI in a terminal, with its real times, and writes the recording as an animated SVG to docs/pictures.
// Needs the build in dist and `script` of util-linux.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { drawScreen } from "./draw-screen.ts";
import { Screen } from "./screen.ts";

const COLUMNS = 78;
/** How long a command stands before it is started, and its output before the next command. */
const READ_COMMAND_MS = 700;
const READ_OUTPUT_MS = 1800;
const LIMIT_BYTES = 60_000;

/** Lines that begin with # only say what follows. */
const commands = [
  "# an answer, as it comes",
  'cox ask -p rehearsal "What does a coxswain do?"',
  "# an agent, with the call of its tool",
  'cox ask -p rehearsal/tool --agent --allow-tool Clock "What time is it?"',
  "# an overloaded service: a retry, then the next target",
  'cox ask -p rehearsal/overloaded,rehearsal --retries 1 "Who is there?"',
  "# an error is no answer",
  'cox ask -p rehearsal/not-logged-in "And now?" > answer.txt',
  'echo "exit code $?, $(wc -c < answer.txt) bytes of answer"',
];

const checkout = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "coxswain-pictures-"));
try {
  const svg = drawScreen(await record(), COLUMNS, "cox on the built-in rehearsal CLI");
  if (Buffer.byteLength(svg) > LIMIT_BYTES)
    throw new Error(`The picture has ${Buffer.byteLength(svg)} bytes, more than ${LIMIT_BYTES}.`);
  mkdirSync(join(checkout, "docs/pictures"), { recursive: true });
  writeFileSync(join(checkout, "docs/pictures/cox.svg"), svg);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One shell runs the commands in turn, so that a later one can use what an earlier one left. */
async function record(): Promise<Screen> {
  const env = openHome();
  const screen = new Screen();
  let at = 0;
  let exitCode = 0;
  for (const command of commands) {
    if (command.startsWith("#")) {
      screen.write(`${at > 0 ? "\r\n" : ""}\u001b[2m${command}\u001b[22m\r\n`, at);
      continue;
    }
    screen.write("\u001b[32m$\u001b[39m", at);
    screen.write(` \u001b[1m${command}\u001b[22m\r\n`, at + 300);
    at += 300 + READ_COMMAND_MS;
    const begin = at;
    const startedAt = performance.now();
    exitCode = await inTerminal(`(exit ${exitCode}); ${command}`, env, (text) => {
      at = begin + performance.now() - startedAt;
      screen.write(text, at);
    });
    at += READ_OUTPUT_MS;
  }
  screen.end(at + READ_OUTPUT_MS);
  return screen;
}

function inTerminal(command: string, env: NodeJS.ProcessEnv, onText: (text: string) => void): Promise<number> {
  const line = `stty cols ${COLUMNS} rows 24; ${command}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.setEncoding("utf8").on("data", onText);
  return new Promise((resolve, reject) => child.on("error", reject).on("close", (code) => resolve(code ?? 1)));
}

/** A home without settings, in which the package is installed as npm would do it. */
function openHome(): NodeJS.ProcessEnv {
  const installed = join(folder, "node_modules/coxswain");
  for (const part of ["bin", "dist", "package.json"]) cpSync(join(checkout, part), join(installed, part), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(installed, "node_modules"));
  mkdirSync(join(folder, "bin"));
  symlinkSync(join(installed, "bin/cox.js"), join(folder, "bin/cox"));
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, HOME: folder, TMPDIR: folder, TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh" };
  // The first start compiles; nobody waits for it twice.
  spawnSync(process.execPath, [join(installed, "bin/cox.js"), "ask", "-p", "rehearsal", "Hello"], { env });
  return env;
}
