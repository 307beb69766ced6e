import { isDeepStrictEqual } from "node:util";
import type { Targets } from "../run/parse-targets.ts";
import { createFailure } from "../spec/create-failure.ts";
import type { Failure } from "../spec/failure.ts";
import type { JsonObject } from "../spec/json.ts";
import { RunError } from "../spec/run-error.ts";
import type { Session } from "../spec/session.ts";
import { agentDirectory, type McpHost, requestOf, targetsOf } from "./mcp-host.ts";
import type { McpAnswer, McpCall, McpTool } from "./mcp-tool.ts";
import { contextOf, finish, logCall, promptOf } from "./run-tool.ts";
import { inputOf, SESSION_OUTPUT } from "./schemas.ts";
import { toAnswer, toFailedAnswer } from "./to-answer.ts";

/** The tool `session`: the next message of a conversation that is stored. */
export function sessionTool(host: McpHost): McpTool {
  const input = inputOf(["prompt", "target", "system", "schema", "timeoutSeconds"], ["prompt"]);
  const properties = {
    ...(input["properties"] as JsonObject),
    name: {
      type: "string",
      minLength: 1,
      description: "continues the session with this name; a new one begins if there is none",
    },
    id: {
      type: "string",
      minLength: 1,
      description: "continues the session with this id, which an earlier call returned as sessionId",
    },
  };
  return {
    name: "session",
    title: "Talk with another AI CLI",
    description:
      "Sends a message to a conversation with another AI CLI, which remembers the earlier messages. Without name and id a new conversation begins; target and system are used only then.",
    input: { ...input, properties },
    output: SESSION_OUTPUT,
    isReadOnly: false,
    call: async (args, call) => {
      try {
        const opened = openSession(host, args);
        return "failure" in opened ? toFailedAnswer(opened.failure) : await talk(host, opened, args, call);
      } catch (error) {
        if (RunError.is(error)) return toFailedAnswer(error.failure);
        throw error;
      }
    },
  };
}

async function talk(host: McpHost, session: Session, args: JsonObject, call: McpCall): Promise<McpAnswer> {
  const startedAt = performance.now();
  const request = requestOf(host, args);
  if ("failure" in request) return toFailedAnswer(request.failure);
  const { outputSchema, timeouts } = request;
  const message = { prompt: promptOf(args), ...(outputSchema && { outputSchema }), ...(timeouts && { timeouts }) };
  const result = await finish(session.stream(message, contextOf(call)), call);
  const { name, targets, turns } = session.record;
  logCall(host, { tool: "session", targets, startedAt, result });
  return toAnswer(result, { sessionId: session.id, turns, ...(name !== undefined && { name }) });
}

function openSession(host: McpHost, args: JsonObject): Session | { readonly failure: Failure } {
  const { name, id, system } = args;
  if (typeof name === "string" && typeof id === "string")
    return { failure: createFailure("options-conflict", "name and id contradict each other.") };
  const word = typeof id === "string" ? id : name;
  const stored = typeof word === "string" ? host.client.resume(word) : undefined;
  if (stored !== undefined) return agentRefusal(host, stored) ?? stored;
  if (typeof id === "string")
    return {
      failure: createFailure("session-unknown", `There is no session ${JSON.stringify(id)}.`, { hint: "Begin a new one." }),
    };
  const targets: Targets | { readonly failure: Failure } = targetsOf(host, args["target"]);
  if ("failure" in targets) return targets;
  return host.client.session({
    target: targets,
    ...(typeof name === "string" && { name }),
    ...(typeof system === "string" && { system }),
  });
}

/** A stored session may be that of an agent. It goes on only where agents may work, and only with the permissions that this server gives them. */
function agentRefusal(host: McpHost, { record }: Session): { readonly failure: Failure } | undefined {
  const { mode, permissions = {}, addDirs = [] } = record.settings;
  if (mode !== "agent") return undefined;
  const directory = agentDirectory(host, record.cwd);
  if (typeof directory !== "string") return directory;
  if (isDeepStrictEqual(permissions, host.agents?.permissions ?? {}) && addDirs.length === 0) return undefined;
  const message = "The session belongs to an agent with other permissions than agents of this server have.";
  const hint = "Begin a new session. The user can start cox mcp with the permissions of the session.";
  return { failure: createFailure("session-invalid", message, { hint }) };
}
