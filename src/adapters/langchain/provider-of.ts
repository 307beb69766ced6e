import type { Client } from "../../client.ts";
import type { Provider } from "../../spec/provider/provider.ts";

/** The provider of a client with this id or alias; undefined if there is none. */
export function providerOf({ providers }: Pick<Client, "providers">, name: string): Provider | undefined {
  return providers.find(({ id, aliases }) => id === name || aliases.includes(name));
}
