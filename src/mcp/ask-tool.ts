import type { McpHost } from "./mcp-host.ts";
import { requestOf, targetsOf } from "./mcp-host.ts";
import type { McpTool } from "./mcp-tool.ts";
import { contextOf, finish, logCall, promptOf } from "./run-tool.ts";
import { inputOf, RESULT_OUTPUT } from "./schemas.ts";
import { toAnswer, toFailedAnswer } from "./to-answer.ts";

/** The tool `ask`: one prompt to one CLI, or to a chain of them. */
export function askTool(host: McpHost): McpTool {
  const agentNames = host.agents === undefined ? [] : ["agent", "cwd"];
  return {
    name: "ask",
    title: "Ask another AI CLI",
    description: "Sends one prompt to another AI CLI of this machine and returns its answer, with its model, tokens and cost.",
    input: inputOf(["prompt", "target", "system", "schema", "timeoutSeconds", ...agentNames], ["prompt"]),
    output: RESULT_OUTPUT,
    isReadOnly: false,
    call: async (args, call) => {
      const startedAt = performance.now();
      const targets = targetsOf(host, args["target"]);
      if ("failure" in targets) return toFailedAnswer(targets.failure);
      const request = requestOf(host, args);
      if ("failure" in request) return toFailedAnswer(request.failure);
      const stream = host.client.run(targets, { ...request, prompt: promptOf(args) }, contextOf(call));
      const result = await finish(stream, call);
      logCall(host, { tool: "ask", targets, startedAt, result });
      return toAnswer(result);
    },
  };
}
