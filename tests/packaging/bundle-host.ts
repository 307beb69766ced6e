import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as esbuild from "esbuild";
import { build } from "vite";
import type { InstalledPackage } from "./installed-package.ts";

/** How a host is bundled: the bundler with its format, and whether the package stays outside of the bundle. */
export type Bundling = { readonly by: "esbuild-esm" | "esbuild-cjs" | "vite"; readonly isExternal: boolean };

/** Prints the answer, or the failure, and the warnings of a call; then begins a run of ten minutes and prints its id. */
const HOST = `
import { createClient } from "coxswain";
async function main() {
  const client = createClient({ warm: false });
  const { text, failure, warnings } = await client.run("rehearsal", { prompt: "Hello" }).outcome();
  const sleeper = { providerId: "sleeper", command: "/bin/sleep", defaultArgs: ["600"] };
  const other = createClient({ providers: [sleeper], policies: false });
  for await (const event of other.run("sleeper", { prompt: "" + Date.now() })) {
    if (event.type === "warning") warnings.push(event);
    if (event.type !== "attempt-start") continue;
    setTimeout(() => console.log(JSON.stringify({ text, failure: failure?.code, warnings: warnings.map(({ code }) => code) })), 1500);
  }
}
main();
`;

/** Bundles the host in the folder of the consumer; returns the file of the bundle. */
export async function bundleHost({ folder }: InstalledPackage, { by, isExternal }: Bundling, outside?: string): Promise<string> {
  const entry = join(folder, "host.mjs");
  writeFileSync(entry, HOST);
  const out = join(outside ?? folder, `out-${by}-${isExternal}`, by === "esbuild-cjs" ? "host.cjs" : "host.mjs");
  mkdirSync(dirname(out), { recursive: true });
  const external = isExternal ? ["coxswain"] : [];
  if (by === "vite") {
    await build({
      root: folder,
      configFile: false,
      logLevel: "error",
      ssr: isExternal ? { external } : { noExternal: true },
      build: {
        ssr: entry,
        outDir: dirname(out),
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: "host.mjs" } },
      },
    });
    return out;
  }
  const format = by === "esbuild-cjs" ? "cjs" : "esm";
  await esbuild.build({
    ...{ entryPoints: [entry], outfile: out, absWorkingDir: folder, bundle: true, platform: "node", target: "node22" },
    ...{ format, external, logLevel: "error", logOverride: { "empty-import-meta": "silent" } },
  });
  return out;
}

/** What a host reported, and the host. */
export type StartedHost = {
  readonly child: ChildProcess;
  readonly report: { readonly text: string; readonly failure?: string; readonly warnings: readonly string[] };
};

/** Starts a bundle with a marker that all its processes inherit, and waits for its report. */
export async function startBundle(file: string, env: Readonly<Record<string, string>>, cwd: string): Promise<StartedHost> {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: dirname(file), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [printed, stderr] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes("\n")) return { child, report: JSON.parse(printed) };
  }
  throw new Error(`the bundle ended without its report: ${stderr}`);
}
