import type { Provider } from "../src/spec/provider.ts";
import { built } from "./built.ts";

/** A CLI that answers at once: `cat` of a recorded answer. */
export function instantProvider(id: string, file: string): Provider {
  const claude = claudeProvider();
  return {
    ...claude,
    id,
    aliases: [],
    binary: { names: ["/bin/cat"] },
    transports: { spawn: { ...claude.transports.spawn, launch: () => ({ args: [file] }) } },
  };
}

/** The provider whose wire the bench programs use. */
export function claudeProvider(): Provider {
  const claude = built.builtinProviders.find((provider) => provider.id === "claude");
  if (claude === undefined) throw new Error("The package has no claude provider.");
  return claude;
}
