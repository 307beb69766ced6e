import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The build that is measured; below the repository, so that it finds its dependencies. */
export const BUILD_COPY: string = join(root, ".cache/rivals-build");

/** Copies dist, so that a build during a long benchmark does not change the measured code. */
export function copyBuild(): void {
  rmSync(BUILD_COPY, { recursive: true, force: true });
  cpSync(join(root, "dist"), BUILD_COPY, { recursive: true });
}
