import { defined } from "../spec/json.ts";
import type { RunRequest, Targets } from "../spec/request.ts";
import type { Session } from "../spec/session.ts";
import type { AskedConversations } from "./asked-conversations.ts";
import { type McpHost, type McpTool, requestOf, targetsOf } from "./mcp-host.ts";
import { contextOf, finish, logCall, ofOneMessage, promptOf } from "./run-tool.ts";
import { ASK_OUTPUT, inputOf } from "./schemas.ts";
import { toAnswer, toFailedAnswer } from "./to-answer.ts";

export function askTool(host: McpHost, asked: AskedConversations): McpTool {
  const agentNames = host.agents === undefined ? [] : ["agent", "cwd"];
  return {
    name: "ask",
    title: "Ask another AI CLI",
    description:
      "Sends one prompt to another AI CLI of this machine and returns its answer, with its model, tokens and cost. The tool session continues it by its sessionId.",
    input: inputOf(["prompt", "target", "system", "schema", "timeoutSeconds", ...agentNames], ["prompt"]),
    output: ASK_OUTPUT,
    isReadOnly: false,
    call: async (args, call) => {
      const startedAt = performance.now();
      const targets = targetsOf(host, args["target"]);
      if ("failure" in targets) return toFailedAnswer(targets.failure);
      const request = requestOf(host, args);
      if ("failure" in request) return toFailedAnswer(request.failure);
      const prompt = promptOf(args);
      const agent = request.mode === "agent" ? openAgent(host, targets, request) : undefined;
      const stream =
        agent?.stream({ prompt, ...ofOneMessage(request) }, contextOf(call)) ??
        host.client.run(targets, { ...request, prompt }, contextOf(call));
      const result = await finish(stream, call);
      logCall(host, { tool: "ask", targets, startedAt, result });
      if (result.failure !== undefined) return toAnswer(result);
      const answer = result.text === "" ? JSON.stringify(result.object ?? "") : result.text;
      const kept = defined({ targets, prompt, answer, system: request.system });
      return toAnswer(result, { sessionId: agent?.id ?? asked.keep(kept) });
    },
  };
}

/** The session of an agent: what it has done with its tools is only in the CLI's own session. */
function openAgent(host: McpHost, target: Targets, request: Omit<RunRequest, "prompt">): Session {
  const { system, mode, cwd, permissions, trustProject } = request;
  return host.client.session({
    target,
    ...defined({ system, mode, cwd, permissions, trustProject }),
    onPermissionDenied: "warn",
  });
}
