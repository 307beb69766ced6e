import type { Provider } from "../src/spec/provider/provider.ts";
import { built } from "./built.ts";

/** A CLI that answers at once: `cat` of a recorded answer. */
export function instantProvider(id: string, file: string, own: Provider = claudeProvider()): Provider {
  return {
    ...own,
    id,
    aliases: [],
    binary: { names: ["/bin/cat"] },
    transports: { spawn: { ...own.transports.spawn, launch: () => ({ args: [file] }) } },
  };
}

/** The provider whose wire most bench programs use. */
export function claudeProvider(): Provider {
  return builtProvider("claude");
}

/** A provider of the built package. */
export function builtProvider(id: string): Provider {
  const found = built.builtinProviders.find((provider) => provider.id === id);
  if (found === undefined) throw new Error(`The package has no provider ${id}.`);
  return found;
}
