import type { TestProject } from "vitest/node";
import { buildPackage } from "./build-package.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built package. */
    readonly builtPackage: string;
  }
}

/** Builds what the tests start in processes of their own, once for all files. */
export async function setup(project: TestProject): Promise<void> {
  await buildPackage(project.getProvidedContext().builtPackage);
}
