import { isDeepStrictEqual } from "node:util";
import type { Failure } from "../spec/failure/failure.ts";
import { createFailure } from "../spec/failure/failure.ts";
import { RunError } from "../spec/failure/run-error.ts";
import type { JsonObject } from "../spec/json.ts";
import { defined } from "../spec/json.ts";
import type { Targets } from "../spec/request.ts";
import type { Session } from "../spec/session.ts";
import { type AskedConversation, type AskedConversations, messagesOf } from "./asked-conversations.ts";
import { agentDirectory, type McpAnswer, type McpCall, type McpHost, type McpTool, requestOf, targetsOf } from "./mcp-host.ts";
import { contextOf, finish, logCall, ofOneMessage, promptOf } from "./run-tool.ts";
import { inputOf, SESSION_OUTPUT } from "./schemas.ts";
import { toAnswer, toFailedAnswer } from "./to-answer.ts";

export function sessionTool(host: McpHost, asked: AskedConversations): McpTool {
  return {
    name: "session",
    title: "Talk with another AI CLI",
    description:
      "Sends a message to a conversation with another AI CLI, which remembers the earlier messages. Without name and id a new conversation begins; target and system are used only then.",
    input: inputOf(["prompt", "target", "system", "schema", "timeoutSeconds", "name", "id"], ["prompt"]),
    output: SESSION_OUTPUT,
    isReadOnly: false,
    call: async (args, call) => {
      try {
        const opened = openSession(host, asked, args);
        if ("failure" in opened) return toFailedAnswer(opened.failure);
        const answer = await talk(host, opened, args, call);
        if (opened.before !== undefined && !answer.isError) asked.continuedBy(String(args["id"]), opened.session.id);
        return answer;
      } catch (error) {
        if (RunError.is(error)) return toFailedAnswer(error.failure);
        throw error;
      }
    },
  };
}

/** A session, and the answer of `ask` with which it begins. */
type Opened = { readonly session: Session; readonly before?: AskedConversation };

async function talk(host: McpHost, { session, before }: Opened, args: JsonObject, call: McpCall): Promise<McpAnswer> {
  const startedAt = performance.now();
  const request = requestOf(host, args);
  if ("failure" in request) return toFailedAnswer(request.failure);
  const prompt = promptOf(args);
  const said = before === undefined ? { prompt } : { messages: [...messagesOf(before), { role: "user" as const, text: prompt }] };
  const result = await finish(session.stream({ ...said, ...ofOneMessage(request) }, contextOf(call)), call);
  const { name, targets, turns } = session.record;
  logCall(host, { tool: "session", targets, startedAt, result });
  return toAnswer(result, defined({ sessionId: session.id, turns, name }));
}

function openSession(host: McpHost, asked: AskedConversations, args: JsonObject): Opened | { readonly failure: Failure } {
  const { name, id, system } = args;
  if (typeof name === "string" && typeof id === "string")
    return { failure: createFailure("options-conflict", "name and id contradict each other.") };
  const before = typeof id === "string" ? asked.find(id) : undefined;
  const word = before?.sessionId ?? (typeof id === "string" ? id : name);
  const stored = typeof word === "string" ? host.client.resume(word) : undefined;
  if (stored !== undefined) return agentRefusal(host, stored) ?? { session: stored };
  if (before !== undefined) {
    return { session: host.client.session(defined({ target: before.targets, system: before.system })), before };
  }
  if (typeof id === "string")
    return {
      failure: createFailure("session-unknown", `There is no session ${JSON.stringify(id)}.`, { hint: "Begin a new one." }),
    };
  const targets: Targets | { readonly failure: Failure } = targetsOf(host, args["target"]);
  if ("failure" in targets) return targets;
  const named = { ...(typeof name === "string" && { name }), ...(typeof system === "string" && { system }) };
  return { session: host.client.session({ target: targets, ...named }) };
}

/** A stored session may be that of an agent. It goes on only where agents may work, and only with the permissions that this server gives them. */
function agentRefusal(host: McpHost, { record }: Session): { readonly failure: Failure } | undefined {
  const { mode, permissions = {}, addDirs = [], trustProject = false } = record.settings;
  if (mode !== "agent") return undefined;
  const directory = agentDirectory(host, record.cwd);
  if (typeof directory !== "string") return directory;
  const isTrusted = !trustProject || host.agents?.trustProject === true;
  if (isDeepStrictEqual(permissions, host.agents?.permissions ?? {}) && addDirs.length === 0 && isTrusted) return undefined;
  const message = "The session belongs to an agent with other permissions than agents of this server have.";
  const hint = "Begin a new session. The user can start cox mcp with the permissions of the session.";
  return { failure: createFailure("session-invalid", message, { hint }) };
}
