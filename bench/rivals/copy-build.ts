import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const copy = join(root, ".cache/rivals-build");

/** The build that is measured; below the repository, so that it finds its dependencies. */
export const BUILD_COPY: string = join(copy, "dist");
/** The command of that build. */
export const BUILT_COX: string = join(copy, "bin/cox.js");

/** Copies the built package, so that a build during a long benchmark does not change the measured code. */
export function copyBuild(): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const part of ["bin", "dist", "package.json"]) cpSync(join(root, part), join(copy, part), { recursive: true });
}
