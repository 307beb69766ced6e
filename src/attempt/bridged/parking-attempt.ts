import { withoutAdded } from "../../host-tools/added-arguments.ts";
import { callersNameOf } from "../../host-tools/native-names.ts";
import type { Attempt } from "../../run/part.ts";
import { type BridgeParts, endListed, openAttemptBridge } from "./attempt-bridge.ts";
import { AwaitedResults } from "./awaited-results.ts";
import { HeldCalls } from "./held-calls.ts";

/**
 * Makes attempts whose host tools are those of a bridge and whose turns can be parked: the bridge leaves a call open until a later run
 * brings its result. It is closed when the process has ended, because a CLI that loses its server while it waits asks its model once more.
 */
export function bridgedForLater(attempt: Attempt, parts: BridgeParts): Attempt {
  return async (cli, prompt, context) => {
    const { tools, checks, rules } = parts;
    const results = new AwaitedResults(checks);
    // The signal of this run says nothing about a turn that a later run continues.
    const { signal } = new AbortController();
    const opened = await openAttemptBridge(cli, prompt, parts, { signal, call: (call) => results.wait(call) });
    const calls = new HeldCalls(
      {
        names: opened.names,
        inputOf: (name, input) => {
          const { parameters } = tools.find((tool) => callersNameOf(tool) === name) ?? {};
          return withoutAdded(input, rules.addedArguments ?? [], parameters);
        },
      },
      results,
    );
    let gone = Promise.resolve();
    try {
      const end = await attempt(cli, opened.asked, {
        ...context,
        holdTurn: (handle, channel) => {
          gone = channel.gone;
          return calls.hold(handle);
        },
      });
      return await endListed(cli, opened, context, end);
    } finally {
      void gone.then(() => opened.bridge.close());
    }
  };
}
