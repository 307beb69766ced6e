import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";
import { builtFile } from "./built-file.ts";

const checkout = new URL("../../", import.meta.url);

// Each of these finds a program of ours by its own address, or compares addresses with one that does.
const modules = ["src/process/guardian.ts", "src/providers/rehearsal.ts", "src/testing/fake-cli.ts", "src/health/own-version.ts"];

/** Gives the modules that start our own programs the address they have in the built package, so that they start the built form. */
export function startBuiltPrograms(): Plugin {
  return {
    name: "start-built-programs",
    enforce: "pre",
    transform(code, id) {
      const module = relative(checkout.pathname, id).split(sep).join("/");
      if (!modules.includes(module)) return undefined;
      const address = pathToFileURL(builtFile(module)).href;
      return { code: code.replaceAll("import.meta.url", JSON.stringify(address)), map: null };
    },
  };
}
