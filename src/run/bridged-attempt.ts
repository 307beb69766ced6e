import { noProxyFor } from "../bridge/no-proxy.ts";
import { openBridge } from "../bridge/open-bridge.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { RunEnd } from "../spec/events.ts";
import type { NativeTools } from "../spec/provider.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { ToolDefinition } from "../spec/tool.ts";
import type { BoundTools } from "../tools/validate-schema.ts";
import { freeServerName } from "./bridge-server.ts";
import { BridgeSink } from "./bridge-sink.ts";
import { BridgedCalls } from "./bridged-calls.ts";
import { failedEnd } from "./ends.ts";
import type { Attempt, PartContext } from "./part.ts";
import type { RunHost } from "./run-host.ts";

/** What the attempts of a run by the bridge share. */
export type BridgeParts = {
  readonly tools: readonly ToolDefinition[];
  /** The checks of the arguments by the callers' schemas. */
  readonly checks: BoundTools;
  readonly rules: NativeTools;
  /** The environment of the host. */
  readonly env: RunHost["env"];
  readonly nameOf: NonNullable<NativeTools["bridgeName"]>;
  readonly answerCall: NonNullable<PartContext["answerCall"]>;
};

/** Makes attempts whose host tools are those of a bridge. Each attempt has its own bridge, which is closed when the attempt ends. */
export function bridged(attempt: Attempt, parts: BridgeParts): Attempt {
  return async (cli, prompt, context) => {
    const { tools, checks, rules, nameOf, answerCall } = parts;
    const { resultBytes: maxResultBytes, addedArguments = [], instructions } = rules;
    const server = freeServerName(prompt.mcpServers);
    const calls = new BridgedCalls(tools, checks, addedArguments);
    const clocks: ClockSet = new Set();
    const bridge = await openBridge({
      tools,
      signal: context.signal,
      maxResultBytes,
      addedArguments,
      instructions: instructions && ((listed) => instructions(listed.map((name) => nameOf(server, name)))),
      call: (call, { signal }) => {
        // A function may have an effect, so that the attempt is not repeated, also if the CLI never reports the call.
        context.writer.trace.hasActed = true;
        return calls.run(call, () => stopClocks(clocks, () => answerCall(call, signal)));
      },
    });
    try {
      const names = new Map([...bridge.callersNames].map(([listed, name]) => [nameOf(server, listed), name]));
      const sink = new BridgeSink(context.sink ?? context.writer, names, calls);
      // A CLI that reports its servers fails before the model is asked.
      const required = cli.provider.options.includes("mcp-reports") ? { required: true } : {};
      const mcpServers = { ...prompt.mcpServers, [server]: { ...bridge.server, ...required } };
      const env = { ...prompt.env, ...noProxyFor(new URL(bridge.server.url).hostname, { ...parts.env, ...prompt.env }) };
      const asked: PromptRequest = { ...prompt, env, nativeTools: tools, mcpServers, hostServer: server };
      const end = await attempt(cli, asked, { ...context, sink, watchCalls: (turn) => void clocks.add(turn) });
      const isListed = await Promise.race([bridge.ready, false]);
      return isListed || end.failure !== undefined ? end : endUnlisted(cli.provider.label, context, end);
    } finally {
      await bridge.close();
    }
  };
}

/** The failure of an answer that was given without the tools: the CLI never asked the bridge for them and reports nothing. */
function endUnlisted(label: string, { writer, resultAt }: PartContext, end: RunEnd): RunEnd {
  writer.flush();
  const failure = createFailure("mcp-server-unavailable", `${label} did not ask the server of the host tools for its tools.`, {
    hint: 'Check that the CLI can connect to 127.0.0.1, or use hostTools: "text".',
  });
  return failedEnd(failure, resultAt(end).text);
}

type ClockSet = Set<Parameters<NonNullable<PartContext["watchCalls"]>>[0]>;

/** The CLI waits for the host during a call: its silence is no reason to end the turn. */
async function stopClocks<Result>(clocks: ClockSet, call: () => Promise<Result>): Promise<Result> {
  const stopped = [...clocks];
  for (const clock of stopped) clock.sawQuestion();
  try {
    return await call();
  } finally {
    for (const clock of stopped) clock.sawAnswer();
  }
}
