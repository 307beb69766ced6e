import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const file: { readonly version: string } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return file.version;
}
