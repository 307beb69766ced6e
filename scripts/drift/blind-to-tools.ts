import { type Provider, withSpawn } from "../../src/spec/provider/provider.ts";
import type { Wire } from "../../src/spec/wire/wire.ts";

/** The provider without its check of the tools that its CLI offers, so that a run continues that the check would end. */
export function blindToTools(provider: Provider): Provider {
  return withSpawn(provider, { wire: blind(provider.transports.spawn.wire) });
}

function blind(wire: Wire): Wire {
  return {
    ...wire,
    connect() {
      const connection = wire.connect();
      return {
        ...connection,
        start(key, request, before) {
          const turn = connection.start(key, request, before);
          return {
            ...turn,
            step(native) {
              const step = turn.step(native);
              return {
                ...step,
                events: step.events.map((event) => (event.type === "session-start" ? { ...event, tools: [] } : event)),
              };
            },
          };
        },
      };
    },
  };
}
