import type { Dialect } from "../../src/spec/dialect.ts";
import type { Provider } from "../../src/spec/provider.ts";

/** The provider without a word about the tools that its CLI offers: what follows in a run that would be ended for them can be seen. */
export function blindToTools(provider: Provider): Provider {
  const formats = Object.entries(provider.formats).map(([format, dialect]) => [format, blind(dialect)]);
  return { ...provider, formats: Object.fromEntries(formats) as Provider["formats"] };
}

function blind(dialect: Dialect): Dialect {
  return {
    start(context) {
      const turn = dialect.start(context);
      return {
        step(native) {
          const step = turn.step(native);
          return {
            ...step,
            events: step.events.map((event) => (event.type === "session-start" ? { ...event, tools: [] } : event)),
          };
        },
        finish: (exit) => turn.finish(exit),
      };
    },
  };
}
