import { buildPackage } from "./build-package.ts";

/** Builds the programs that the tests start as processes, once for all files. */
export async function setup(): Promise<void> {
  await buildPackage();
}
