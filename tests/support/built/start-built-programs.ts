import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";
import { builtFile } from "./built-file.ts";

const checkout = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Gives every module of src its address in the built package. The modules that start a program of ours (the guardian, the
 * rehearsal CLI, the fake CLI) find it by their own address, so they start its built form.
 */
export function startBuiltPrograms(): Plugin {
  return replaceAddresses("start-built-programs", (module) =>
    module.startsWith("src/") && !module.endsWith(".test.ts") ? builtFile(module) : undefined,
  );
}

/** Gives every module of tests its own address, even inside a built program. */
export function stayAtSources(): Plugin {
  return replaceAddresses("stay-at-sources", (module) => (module.startsWith("tests/") ? join(checkout, module) : undefined));
}

function replaceAddresses(name: string, pathFor: (module: string) => string | undefined): Plugin {
  return {
    name,
    enforce: "pre",
    transform(code, id) {
      const path = code.includes("import.meta.url") ? pathFor(relative(checkout, id).split(sep).join("/")) : undefined;
      if (path === undefined) return undefined;
      return { code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)), map: null };
    },
  };
}
