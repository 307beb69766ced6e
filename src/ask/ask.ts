import { toolWayOf } from "../attempt/plan-attempt.ts";
import { refuseWay } from "../host-tools/native-tools.ts";
import { findInstalled } from "../launch/installed-cli.ts";
import { isKnown, unknownProvider } from "../request/resolve-target.ts";
import { validateConversation } from "../request/validate-conversation.ts";
import { failedEnd } from "../run/ends.ts";
import type { Attempt, Part } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import { createFailure } from "../spec/failure/create-failure.ts";
import { thrownMessage } from "../spec/failure/thrown.ts";
import { awaitSession } from "./await-session.ts";
import { loopByText } from "./call-loop.ts";
import { callNatively } from "./native-calls.ts";
import { endWithCalls } from "./parked-calls.ts";
import { askPlainly } from "./plain-turns.ts";
import { askByText } from "./text-tools.ts";

/**
 * Makes a part of attempts: it writes the conversation into one prompt and decides how host tools reach the model. They are tools of the CLI
 * or part of the prompt; a function of the caller runs the calls, or the part ends with them. docs/host-tools.md has the rules.
 */
export function ask(host: RunHost, attemptOnce: Attempt): Part {
  return async ([target], request, context) => {
    if (!isKnown(target)) return failedEnd(unknownProvider(host, target.target.provider));
    try {
      const { tools = [] } = request;
      const attempt = awaitSession(attemptOnce, request);
      const invalid = validateConversation(request);
      if (invalid !== undefined) return failedEnd(invalid);
      const { callTool } = context;
      if (tools.length === 0) return await askPlainly({ attempt, host, target }, request, context);
      const { findSchemaProblem } = await import("../schemas/validate-schema.ts");
      const unusable = findSchemaProblem(request);
      if (unusable !== undefined) return failedEnd(createFailure("schema-unreadable", unusable));
      const way = toolWayOf(host, findInstalled(host, target.provider).provider, target.target, request, callTool);
      const refused = refuseWay(request, way);
      if (refused !== undefined) return failedEnd(refused);
      if (!("tools" in way)) {
        if (callTool === undefined) return await askByText(attempt, target, request, context);
        return await loopByText({ attempt, target }, request, context, callTool);
      }
      const parts = { attempt, host, target, way };
      if (callTool === undefined) return await endWithCalls(parts, request, context);
      return await callNatively(parts, request, context, callTool);
    } catch (error) {
      // Nested values of a request, and a provider from outside this package, can throw anything.
      return failedEnd(createFailure("bad-request", `The request cannot be executed: ${thrownMessage(error)}`));
    }
  };
}
