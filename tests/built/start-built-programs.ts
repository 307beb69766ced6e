import { relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";
import { builtFile } from "./built-file.ts";

const checkout = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Gives every module of src the address it has in the built package. The modules that start a program of ours (the guardian, the
 * rehearsal CLI, the fake CLI) find it by their own address, so they start its built form.
 */
export function startBuiltPrograms(): Plugin {
  return {
    name: "start-built-programs",
    enforce: "pre",
    transform(code, id) {
      const module = relative(checkout, id).split(sep).join("/");
      if (!module.startsWith("src/") || module.endsWith(".test.ts") || !code.includes("import.meta.url")) return undefined;
      const address = pathToFileURL(builtFile(module)).href;
      return { code: code.replaceAll("import.meta.url", JSON.stringify(address)), map: null };
    },
  };
}
