import { buildPackage } from "./build-package.ts";

/** Builds what the tests start in processes of their own, once for all files. */
export async function setup(): Promise<void> {
  await buildPackage();
}
