import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";

const VERSION = /^\d+\.\d+(?:\.\d+)*(?:-(?:alpha|beta|rc|preview|nightly)[\w.-]*)?/;

/**
 * The version of an installed program, without starting it: from the package.json of its npm package, or from an installer's
 * folder that is named by the version. Undefined if neither exists.
 *
 * @param command The path at which the program was found.
 * @param path Its real path.
 */
export function installedVersion(command: string, path: string): string | undefined {
  return packageVersion(path) ?? folderVersion(path, programName(command));
}

/** The version in the nearest package.json above the program that has a name and a version. */
function packageVersion(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { name, version, bin } = readPackage(join(folder, "package.json"));
    if (name !== undefined && version !== undefined)
      return isInstalled(folder) || names(bin, relative(folder, path)) ? VERSION.exec(version)?.[0] : undefined;
    if (dirname(folder) === folder || basename(folder) === "node_modules") return undefined;
  }
}

type Package = { readonly name?: string; readonly version?: string; readonly bin?: unknown };

function readPackage(path: string): Package {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null) return {};
    const { name, version, bin } = value as Readonly<Record<string, unknown>>;
    return { ...(typeof name === "string" && { name }), ...(typeof version === "string" && { version }), bin };
  } catch {
    return {};
  }
}

/** True for a package folder in node_modules. Any other package.json above the program may belong to an unrelated project. */
function isInstalled(folder: string): boolean {
  const parent = dirname(folder);
  return basename(basename(parent).startsWith("@") ? dirname(parent) : parent) === "node_modules";
}

function names(bin: unknown, file: string): boolean {
  const paths = typeof bin === "object" && bin !== null ? Object.values(bin) : [bin];
  return paths.some((path) => typeof path === "string" && join(path) === file);
}

/**
 * As in `claude/versions/2.1.325` and `Cellar/codex/0.166.0/bin/codex`. The folder must name the program, because a path may also
 * contain the version of Node.
 */
function folderVersion(path: string, program: string): string | undefined {
  const segments = path.split(sep);
  const at = segments.findLastIndex((segment, index) => {
    if (VERSION.exec(segment)?.[0] !== segment) return false;
    const before = segments.slice(0, index).filter((each, place) => !(each === "versions" && place === index - 1));
    return before.at(-1)?.includes(program) === true || /^(?:Cellar|Caskroom)$/.test(before.at(-2) ?? "");
  });
  return segments[at];
}

function programName(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd|bat|com)$/i, "");
}
