import type { TestProject } from "vitest/node";
import { buildPackage } from "./build-package.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended.
  interface ProvidedContext {
    /** The folder of the built package. */
    readonly builtPackage: string;
  }
}

/** Builds what the tests start in processes of its own, once for all files. */
export default async function setup(project: TestProject): Promise<void> {
  await buildPackage(project.getProvidedContext().builtPackage);
}
