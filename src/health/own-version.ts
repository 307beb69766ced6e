import { existsSync, readFileSync } from "node:fs";
import type { Provider } from "../spec/provider.ts";

const CODE = new URL("../", import.meta.url);

/** The version of a program that belongs to this package, without starting it; undefined for any other. */
export function ownVersion({ binary }: Provider): string | undefined {
  if (!("script" in binary) || !binary.script.href.startsWith(CODE.href) || !existsSync(binary.script)) return undefined;
  const { version } = JSON.parse(readFileSync(new URL("../package.json", CODE), "utf8")) as { readonly version: string };
  return version;
}
