import { type ComparedResult, compareTargets } from "../compare/compare-targets.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure } from "../spec/failure/failure.ts";
import type { JsonValue } from "../spec/json.ts";
import { defined } from "../spec/json.ts";
import type { Targets } from "../spec/request.ts";
import { type McpAnswer, type McpHost, type McpTool, requestOf, targetsOf } from "./mcp-host.ts";
import { contextOf, logCall, promptOf, RunProgress } from "./run-tool.ts";
import { COMPARE_OUTPUT, inputOf } from "./schemas.ts";
import { failureText, toData, toFailedAnswer } from "./to-answer.ts";

export function compareTool(host: McpHost): McpTool {
  return {
    name: "compare",
    title: "Compare AI CLIs",
    description:
      "Sends one prompt to several AI CLIs at the same time and returns each answer with its time, tokens, cost or failure.",
    input: inputOf(["prompt", "targets", "system", "schema", "timeoutSeconds"], ["prompt", "targets"]),
    output: COMPARE_OUTPUT,
    isReadOnly: false,
    call: async (args, call) => {
      const startedAt = performance.now();
      const targets = comparedTargets(host, args["targets"]);
      if ("failure" in targets) return toFailedAnswer(targets.failure);
      const request = requestOf(host, args);
      if ("failure" in request) return toFailedAnswer(request.failure);
      const reporter = new RunProgress(call.progress);
      let done = 0;
      const onResult = (result: ComparedResult): void => {
        done += 1;
        reporter.change(`${done} of ${targets.length} are done`);
        logCall(host, { tool: "compare", targets: [{ provider: result.target }], startedAt, result });
      };
      try {
        const asked = { ...request, prompt: promptOf(args) };
        return toComparedAnswer(await compareTargets(host.client, targets, asked, { ...contextOf(call), onResult }));
      } finally {
        reporter.stop();
      }
    },
  };
}

function comparedTargets(host: McpHost, names: JsonValue | undefined): Targets | { readonly failure: Failure } {
  const texts = Array.isArray(names) ? names.map(String) : [];
  const blank = texts.find((name) => name.trim() === "" || name.includes(","));
  if (blank !== undefined || new Set(texts).size < texts.length)
    return { failure: createFailure("bad-request", "Each target must be one CLI, and none may be named twice.") };
  return targetsOf(host, texts.join(","));
}

/** The call has failed only if no CLI has answered. */
function toComparedAnswer(results: readonly ComparedResult[]): McpAnswer {
  const parts = results.map(
    ({ target, text, failure }) => `## ${target}\n${failure === undefined ? text : failureText(failure)}`,
  );
  const data = results.map((result) => {
    const { target, durationMs, firstTextMs } = result;
    return { ...defined({ target, durationMs, firstTextMs }), ...toData(result) };
  });
  return { text: parts.join("\n\n"), data: { results: data }, isError: results.every(({ failure }) => failure !== undefined) };
}
