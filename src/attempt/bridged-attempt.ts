import { type Bridge, openBridge } from "../host-tools/bridge/open-bridge.ts";
import { freeServerName } from "../host-tools/native-tools.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import { type Attempt, failedEnd, type PartContext } from "../run/part.ts";
import type { BoundTools } from "../schemas/validate-schema.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { NativeTool } from "../spec/message.ts";
import type { NativeTools } from "../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../spec/request.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import { BridgedCalls } from "./bridged-calls.ts";

type BridgeParts = {
  readonly tools: readonly NativeTool[];
  readonly checks: BoundTools;
  readonly rules: NativeTools;
  readonly env: RunHost["env"];
  readonly nameOf: NonNullable<NativeTools["bridgeName"]>;
};

type OpenedBridge = {
  readonly bridge: Bridge;
  /** The request with the bridge as a server. */
  readonly asked: PromptRequest;
  /** The callers' names of the tools by the names of the CLI. */
  readonly names: ReadonlyMap<string, string>;
};

/**
 * Makes attempts whose host tools are those of a bridge. Each attempt has its own bridge. It is closed when the process has ended, because a CLI
 * that loses its server while it waits asks its model once more.
 */
export function bridged(attempt: Attempt, parts: BridgeParts): Attempt {
  return async (cli, prompt, context) => {
    const calls = new BridgedCalls(parts.tools, parts.checks, parts.rules.addedArguments);
    const { bridge, asked, names } = await openForAttempt(cli, prompt, parts, (call) => calls.arrive(call));
    const callers = calls.callers(names);
    let gone = Promise.resolve();
    try {
      const end = await attempt(cli, asked, {
        ...context,
        bridge: {
          callers,
          hold: (handle, channel, ask) => {
            gone = channel.gone;
            return calls.hold(handle, callers, ask);
          },
        },
      });
      return await endListed(cli, bridge, context, end);
    } finally {
      void gone.then(() => bridge.close());
    }
  };
}

/** Opens the bridge of an attempt; `call` answers its calls. */
async function openForAttempt(
  { provider }: ResolvedTarget,
  prompt: PromptRequest,
  { tools, rules, nameOf, env: hostEnv }: BridgeParts,
  call: BridgedCalls["arrive"],
): Promise<OpenedBridge> {
  const { resultBytes: maxResultBytes, addedArguments = [], instructions } = rules;
  const server = freeServerName(prompt.mcpServers);
  const bridge = await openBridge({
    tools,
    maxResultBytes,
    addedArguments,
    instructions: instructions && ((listed) => instructions(listed.map((name) => nameOf(server, name)))),
    call,
  });
  const names = new Map([...bridge.callersNames].map(([listed, name]) => [nameOf(server, listed), name]));
  // A CLI that reports its servers fails before the model is asked.
  const required = provider.options.includes("mcp-reports") ? { required: true } : {};
  const mcpServers = { ...prompt.mcpServers, [server]: { ...bridge.server, ...required } };
  const env = { ...prompt.env, ...noProxyFor(new URL(bridge.server.url).hostname, { ...hostEnv, ...prompt.env }) };
  return { bridge, names, asked: { ...prompt, env, nativeTools: tools, mcpServers, hostServer: server } };
}

/** The end of an attempt, or the failure of an answer that was given without the tools: the CLI never asked the bridge for them and reports nothing. */
async function endListed(
  { provider: { label } }: ResolvedTarget,
  bridge: Bridge,
  { writer, resultAt }: PartContext,
  end: RunEnd,
): Promise<RunEnd> {
  const isListed = await Promise.race([bridge.ready, false]);
  if (isListed || end.failure !== undefined) return end;
  writer.flush();
  const failure = createFailure("mcp-server-unavailable", `${label} did not ask the server of the host tools for its tools.`, {
    hint: 'Check that the CLI can connect to 127.0.0.1, or use hostTools: "text".',
  });
  return failedEnd(failure, resultAt(end).text);
}

/**
 * The variables by which a CLI reaches a server on the loopback interface directly, although its environment names a proxy for all others; none
 * if it names no proxy.
 */
export function noProxyFor(host: string, env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const of = (name: string): string => env[name] || env[name.toLowerCase()] || "";
  if (!["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].some((name) => of(name) !== "")) return {};
  const listed = [...new Set([env["NO_PROXY"], env["no_proxy"]])].filter((list) => list !== undefined && list !== "");
  if (listed.includes("*")) return {};
  const value = [...listed, host].join(",");
  return { NO_PROXY: value, no_proxy: value };
}
