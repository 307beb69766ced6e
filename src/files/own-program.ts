import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Replaced by the build; in the sources and in tests there is no such name. */
declare const COXSWAIN_VERSION: string;

/** The name of a program that ships with this package, as a path below its code without an extension. */
export type OwnProgram = "process/guardian/guardian-main" | "rehearsal/rehearsal-cli";

/**
 * The file of a program of this package; undefined if there is none. A bundler leaves the programs out, so they are then searched in the installed
 * package of the same version, from the bundle and from the script of this process. The current directory may have files of somebody else.
 */
export function findOwnProgram(name: OwnProgram): string | undefined {
  const address = ownAddress();
  if (address?.endsWith(".ts")) return fileURLToPath(new URL(`../${name}.ts`, address));
  const beside = address === undefined ? undefined : fileURLToPath(new URL(`../${name}.cjs`, address));
  if (beside !== undefined && existsSync(beside)) return beside;
  return placesOfBundle(address)
    .map((place) => installedProgram(place, name))
    .find((path) => path !== undefined);
}

export function ownVersion(): string | undefined {
  if (typeof COXSWAIN_VERSION === "string") return COXSWAIN_VERSION;
  const address = ownAddress();
  return address === undefined ? undefined : versionIn(fileURLToPath(new URL("../../package.json", address)));
}

/** Loads a package that only some systems need, as this module would. */
export function requireLate(name: string): unknown {
  const [place = process.execPath] = placesOfBundle(ownAddress());
  return createRequire(place)(name);
}

/** The address of this module; a bundle in the format of CommonJS has none. */
function ownAddress(): string | undefined {
  try {
    return import.meta.url;
  } catch {
    return undefined;
  }
}

function placesOfBundle(address: string | undefined): readonly string[] {
  const script = process.argv[1];
  const places = [address, script === undefined ? undefined : pathToFileURL(script).href];
  return places.filter((place) => place !== undefined);
}

function installedProgram(place: string, name: OwnProgram): string | undefined {
  try {
    const manifest = createRequire(place).resolve("coxswain/package.json");
    if (versionIn(manifest) !== ownVersion()) return undefined;
    const path = join(manifest, "../dist", `${name}.cjs`);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function versionIn(manifest: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
