import { execFile } from "node:child_process";
import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { builtFile } from "../support/built/built-file.ts";
import { type Machine, openMachine } from "./open-machine.ts";

const MESSAGE = "The guardian cannot be started: if this process is killed, the processes of its runs go on.";
const GUARDIAN = "dist/process/guardian/guardian-main.cjs";

type Copy = { readonly path: string; run(script: string, ...words: readonly string[]): Promise<string> };

/** A copy of the built package on the machine, whose files a test may change. */
function copyPackage(machine: Machine): Copy {
  const path = join(machine.path, "copy");
  cpSync(join(builtFile("bin/cox.js"), "../.."), path, { recursive: true });
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(path, "node_modules"));
  const run = async (script: string, ...words: readonly string[]): Promise<string> => {
    const env = { ...process.env, ...machine.options.env };
    const running = promisify(execFile)(process.execPath, [join(path, script), ...words], { env });
    running.child.stdin?.end();
    return (await running).stdout;
  };
  return { path, run };
}

describe.concurrent("a package whose guardian", () => {
  test("is missing: doctor names it, and a run has one warning", async () => {
    using machine = openMachine();
    const { path, run } = copyPackage(machine);
    rmSync(join(path, GUARDIAN));
    const warnings = [{ code: "guardian-missing", message: expect.stringContaining(MESSAGE) }];
    const cox = (...words: readonly string[]): Promise<string> => run("bin/cox.js", ...words);
    expect((await cox("doctor", "rehearsal")).replaceAll(/\s+/g, " ")).toContain(`! ${MESSAGE}`);
    expect(JSON.parse(await cox("doctor", "rehearsal", "--json"))).toMatchObject({ warnings });
    expect(JSON.parse(await cox("ask", "--provider", "rehearsal", "--json", "hi"))).toMatchObject({ warnings });
    expect((await machine.doctor("rehearsal")).stdout).not.toContain("guardian");
  });

  test("does not run, as with another runtime: runs answer with the warning, and no process is kept", async () => {
    using machine = openMachine();
    const { path, run } = copyPackage(machine);
    writeFileSync(join(path, GUARDIAN), "process.exit(1);\n");
    const host = `
      import { createClient } from "./dist/index.js";
      const client = createClient();
      const codes = [];
      for (let at = 0; at < 6; at += 1) {
        const { warnings } = await client.run("rehearsal", { prompt: "hi" }).result();
        codes.push(warnings.map(({ code }) => code));
      }
      const warm = client.warmProcesses().length;
      await client.close();
      console.log(JSON.stringify({ codes, warm }));
    `;
    writeFileSync(join(path, "host.mjs"), host);
    const { codes, warm } = JSON.parse(await run("host.mjs"));
    // The guardian has three tries, which may take the first run.
    expect(codes.slice(3)).toEqual(Array(3).fill(["guardian-missing"]));
    expect(warm).toBe(0);
  });
});
