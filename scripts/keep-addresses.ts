import { posix, relative, sep } from "node:path";

/** The part of a rolldown plugin that this file needs; its own types are not a dependency of the project. */
type AddressPlugin = {
  readonly name: string;
  transform(code: string, id: string): { code: string; map: null } | undefined;
  renderChunk(code: string, chunk: { readonly fileName: string }): { code: string; map: null } | undefined;
};

const MARKED = /__address_of__\("([^"]+)"\)/g;

/**
 * Gives each bundled module the address that it would have as a file of its own below `dist`: the modules that start a program of
 * ours (the guardian, the rehearsal CLI, the fake CLI) or read package.json find it by that address.
 */
export function keepAddresses(sources: string): AddressPlugin {
  return {
    name: "keep-addresses",
    transform(code, id) {
      const module = relative(sources, id).split(sep).join("/");
      if (module.startsWith("..") || !code.includes("import.meta.url")) return undefined;
      const mark = `__address_of__(${JSON.stringify(module.replace(/\.ts$/, ".js"))})`;
      return { code: code.replaceAll("import.meta.url", mark), map: null };
    },
    renderChunk(code, { fileName }) {
      if (!code.includes("__address_of__")) return undefined;
      const address = (_: string, module: string): string =>
        `new URL(${JSON.stringify(posix.relative(posix.dirname(fileName), module))}, import.meta.url).href`;
      return { code: code.replaceAll(MARKED, address), map: null };
    },
  };
}
