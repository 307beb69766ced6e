import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const checkout = join(import.meta.dirname, "../..");
const modules = join(checkout, "node_modules");

/** How a command ended. */
export type Outcome = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** The package as a consumer has it: built, packed and installed in a separate folder. */
export type InstalledPackage = {
  /** The consumer's folder. */
  readonly folder: string;
  /** The folder of the package in it. */
  readonly home: string;
  /** The files that were packed. */
  readonly packed: readonly string[];
  /** Runs a program in the consumer's folder with the Node of this process; paths are relative to that folder. */
  run(program: string, ...args: readonly string[]): Promise<Outcome>;
  /** Links a package (or scope) of the checkout into the consumer's folder. */
  link(name: string): Promise<void>;
  remove(): Promise<void>;
};

/** Builds, packs and installs the package without a registry: its dependencies come from the checkout. */
export async function installPackage(): Promise<InstalledPackage> {
  const work = await mkdtemp(join(tmpdir(), "coxswain-packaging-"));
  const source = join(work, "source");
  const folder = join(work, "consumer");
  await copySource(source);
  await execute(process.execPath, [join(modules, "tsdown/dist/run.mjs")], { cwd: source });
  const pack = await execute("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", work], { cwd: source });
  const [tarball]: readonly { filename: string; files: readonly { path: string }[] }[] = JSON.parse(pack.stdout);
  if (tarball === undefined) throw new Error(`npm pack packed nothing: ${pack.stderr}`);

  const dependencies = { ...(await toFileDependencies()), coxswain: `file:${join(work, tarball.filename)}` };
  await mkdir(folder);
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }),
  );
  await execute("npm", ["install", "--offline", "--install-links", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
  return {
    folder,
    home: join(folder, "node_modules/coxswain"),
    packed: tarball.files.map((file) => file.path),
    run: (program, ...args) => runIn(folder, program, args),
    link: (name) => symlink(join(modules, name), join(folder, "node_modules", name)),
    remove: () => rm(work, { recursive: true, force: true }),
  };
}

async function copySource(source: string): Promise<void> {
  const files = [
    "package.json",
    "tsconfig.json",
    "tsdown.config.ts",
    "scripts/keep-addresses.ts",
    "LICENSE",
    "README.md",
    "bin",
    "src",
    "schemas",
    "docs",
    "examples",
  ];
  await mkdir(source);
  await Promise.all(files.map((file) => cp(join(checkout, file), join(source, file), { recursive: true })));
  await symlink(modules, join(source, "node_modules"));
}

// Every package below ours becomes a dependency of the consumer, so that npm finds all of them in the checkout.
async function toFileDependencies(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const waiting = [checkout];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const manifest: { dependencies?: Record<string, string> } = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const nested = join(path, "node_modules", name);
      const dependency = existsSync(nested) ? nested : join(modules, name);
      if (found[name] === undefined) waiting.push(dependency);
      found[name] ??= `file:${dependency}`;
    }
  }
  return found;
}

async function runIn(folder: string, program: string, args: readonly string[]): Promise<Outcome> {
  const env = { PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), HOME: folder };
  return new Promise((resolve) => {
    const child = execFile(program, [...args], { cwd: folder, env }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ exitCode, stdout, stderr });
    });
    child.stdin?.end();
  });
}
