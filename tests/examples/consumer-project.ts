import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtFile } from "../support/built/built-file.ts";
import { openExampleSurroundings } from "./example-surroundings.ts";

/** A project that uses the package, with the rehearsal CLI installed under the name `claude`. */
export type ConsumerProject = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a file of the project and returns its path. */
  write(name: string, content: string | Uint8Array): string;
};

const checkout = fileURLToPath(new URL("../../", import.meta.url));

/** Creates the project for one test: `coxswain` is built from this checkout, or its sources; other packages are those of this checkout. */
export function openConsumerProject(form: "built" | "source" = "built"): ConsumerProject {
  const { directory, env } = openExampleSurroundings(form);
  const folder = join(directory, "project");
  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: name.startsWith("bin/") ? 0o755 : 0o644 });
    return path;
  };
  write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(form === "built" ? dirname(builtFile("package.json")) : checkout, join(folder, "node_modules/coxswain"));
  for (const name of [
    "@ai-sdk",
    "@anthropic-ai",
    "@langchain",
    "@modelcontextprotocol",
    "@types",
    "ai",
    "langchain",
    "openai",
    "zod",
  ])
    symlinkSync(join(checkout, "node_modules", name), join(folder, "node_modules", name));
  const rehearsal = builtFile("src/rehearsal/rehearsal-cli.ts");
  write("bin/claude", `#!/bin/sh\nexec "${process.execPath}" "${rehearsal}" "$@" --model tool-caller\n`);
  return { folder, env: { ...env, PATH: [join(folder, "bin"), env["PATH"] ?? ""].join(delimiter) }, write };
}
