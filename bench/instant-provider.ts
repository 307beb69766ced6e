import type { Provider } from "../src/spec/provider.ts";
import { built } from "./built.ts";

/** A CLI that answers at once: `cat` of a recorded answer. */
export function instantProvider(id: string, file: string): Provider {
  return {
    ...claudeProvider(),
    id,
    aliases: [],
    binary: { names: ["/bin/cat"] },
    launch: (request) => ({ args: [file], stdin: { text: `${request.prompt}\n`, close: "turn-end" } }),
  };
}

/** The provider whose language the programs of the bench speak. */
export function claudeProvider(): Provider {
  const claude = built.builtinProviders.find((provider) => provider.id === "claude");
  if (claude === undefined) throw new Error("The package has no claude provider.");
  return claude;
}
