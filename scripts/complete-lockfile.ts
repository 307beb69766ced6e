// Adds the platform packages that a partial registry mirror made npm leave out of package-lock.json; `npm ci` refuses
// a lockfile without them. Usage: complete-lockfile.ts [lockfile]. Reasons: docs/decisions/0007-development-node.md
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type LockedPackage = { readonly dev?: true; readonly optionalDependencies?: Readonly<Record<string, string>> };
type PlatformPackage = {
  readonly version: string;
  readonly cpu: readonly string[];
  readonly dev?: true;
  readonly libc?: readonly string[];
  readonly optional: true;
  readonly os?: readonly string[];
};
type Lockfile = { packages: Record<string, LockedPackage | PlatformPackage> };

const systems = new Set(["android", "darwin", "freebsd", "linux", "openharmony", "win32"]);
const processors = new Set(["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"]);
const path = process.argv[2] ?? join(import.meta.dirname, "../package-lock.json");

const lockfile: Lockfile = JSON.parse(readFileSync(path, "utf8"));
const missing = findMissing(lockfile);
for (const [name, entry] of missing) lockfile.packages[`node_modules/${name}`] = entry;
lockfile.packages = Object.fromEntries(Object.entries(lockfile.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
if (missing.length > 0) writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(`lockfile: ${missing.length} platform packages added`);

function findMissing({ packages }: Lockfile): readonly (readonly [string, PlatformPackage])[] {
  const present = new Set(Object.keys(packages).map((key) => key.slice(key.lastIndexOf("node_modules/") + 13)));
  return Object.values(packages).flatMap((locked) => {
    const optional = "optionalDependencies" in locked ? Object.entries(locked.optionalDependencies ?? {}) : [];
    return optional
      .filter(([name]) => !present.has(name))
      .map(([name, version]) => [name, toPlatformPackage(name, version, locked.dev === true)] as const);
  });
}

// The platform is read from the name, such as @scope/binding-linux-x64-musl.
function toPlatformPackage(name: string, version: string, isDev: boolean): PlatformPackage {
  const words = name.split(/[/-]/);
  const cpu = words.filter((word) => processors.has(word));
  const os = words.filter((word) => systems.has(word));
  if (cpu.length === 0) throw new Error(`${name} does not name its platform; add it to the lockfile by npm`);
  const last = words.at(-1) ?? "";
  const libc = last.startsWith("musl") ? ["musl"] : last.startsWith("gnu") ? ["glibc"] : undefined;
  return {
    version,
    cpu,
    ...(isDev ? { dev: true } : {}),
    ...(libc === undefined ? {} : { libc }),
    optional: true,
    ...(os.length === 0 ? {} : { os }),
  };
}
