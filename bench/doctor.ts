import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { interleave } from "./measure.ts";

const ROOT: string = join(import.meta.dirname, "..");
const GRACE_MS = 1000;

/** How long `cox doctor` takes with all real CLIs on the PATH, compared with the slowest `--version` among them and with one second. */
export async function measureDoctor(): Promise<number> {
  execFileSync(process.execPath, [join(ROOT, "scripts/install-real-clis.ts")], { stdio: "inherit" });
  const pins = JSON.parse(readFileSync(join(ROOT, "tests/support/real-clis/pinned-clis.json"), "utf8")) as Record<
    string,
    { folder?: string }
  >;
  const names = Object.keys(pins).filter((name) => pins[name]?.folder === undefined);
  const home = mkdtempSync(join(tmpdir(), "coxswain-bench-doctor-"));
  const clis = join(ROOT, ".cache/real-clis/node_modules/.bin");
  const env = { HOME: home, PATH: [clis, dirname(process.execPath), process.env["PATH"]].join(":") };
  const start = (command: string, args: readonly string[]) => () => promisify(execFile)(command, args, { cwd: home, env });
  const main = JSON.stringify(join(ROOT, "dist/cli/main.js"));
  const doctor = start(process.execPath, ["-e", `import(${main}).then(({ main }) => main(["doctor"]))`]);
  const versions = Object.fromEntries(names.map((name) => [name, start(name, ["--version"])]));
  const { doctor: whole, ...alone } = await interleave(7, { doctor, ...versions });
  rmSync(home, { recursive: true });
  const slowest = Math.max(...Object.values(alone).map(({ wallMs }) => wallMs));
  const wallMs = whole?.wallMs ?? Number.NaN;
  process.stdout.write(`cox doctor: ${wallMs.toFixed(0)} ms; the slowest --version alone: ${slowest.toFixed(0)} ms\n`);
  return wallMs / (slowest + GRACE_MS);
}
