import type { JsonObject } from "../../spec/json.ts";
import type { TempFile } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts, ResidentTransport } from "../../spec/provider/provider.ts";
import type { PromptRequest } from "../../spec/request.ts";
import { tomlString } from "../shared/toml.ts";
import { codexAppServer } from "./app-server.ts";
import { connectionArguments } from "./connection.ts";
import { MOUNT_POINTS, NO_PHONE_HOME, NO_SNAPSHOT, OWN_TEMPORARY, pureSettings } from "./launch.ts";

/** The tools that an agent has, and those of its features. */
const OWN_TOOLS =
  /^(?:apply_patch|close_agent|create_goal|exec|exec_command|get_goal|list_mcp_resources|list_mcp_resource_templates|read_mcp_resource|request_user_input|resume_agent|send_input|shell|spawn_agent|tool_search|update_goal|update_plan|view_image|wait|wait_agent|web_search|write_stdin)$/;

/** `codex app-server`: one process for many turns; each turn without a session has a thread of its own. */
export const codexResident: ResidentTransport = {
  launch: launchAppServer,
  wire: codexAppServer,
  serves: ({ session, mcpServers }) =>
    mcpServers === undefined && (session === undefined || "keep" in session || "resume" in session),
  traits: { streaming: "token", usage: "turn", permissionRequests: true },
  stopSignal: "SIGTERM",
  nativeTools: {
    names: /^(?!mcp__|exec_command$)[a-zA-Z0-9_-]{1,64}$/,
    descriptionLength: 10_000,
    // With the token limit below, 100 KB are passed on whole (0.166.0).
    resultBytes: 100_000,
    takes: isTaken,
    canPark: true,
    ownNames: OWN_TOOLS,
  },
  keepsConversation: true,
  takesMessages: true,
  locksSessions: true,
};

/** `thread/start` fails on a list of schemas for `items` and on the old form of `required`. */
function isTaken(parameters: JsonObject): boolean {
  return !/"items":\[|"required":(?:true|false)/.test(JSON.stringify(parameters));
}

/**
 * The arguments of one process. What a thread can be told is not among them: system prompt, schema, images, effort, sandbox. A thread
 * takes no catalogue of models and no switch for the bundled skills (0.166.0).
 */
function launchAppServer(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const tempFiles: TempFile[] = [];
  const isAgent = request.mode === "agent";
  const args = [
    "app-server",
    ...(isAgent ? [] : pureSettings(options.model, tempFiles)),
    ...NO_PHONE_HOME,
    ...NO_SNAPSHOT,
    ...(isAgent ? OWN_TEMPORARY : []),
    ...connectionArguments(options),
    ...["-c", `approval_policy="${asksHost(request, options) ? "on-request" : "never"}"`],
    // Codex would keep each finished thread in memory for a minute, 0.9 MB each.
    ...["-c", "thread_unload_delay_secs=0"],
    // Codex cuts results of host tools at 48 KB otherwise.
    ...((request.nativeTools ?? []).length === 0 ? [] : ["-c", "tool_output_token_limit=1000000"]),
    ...(options.model === undefined ? [] : ["-c", `model=${tomlString(options.model)}`]),
  ];
  const makesMountPoints = request.permissions?.mode === "accept-edits";
  return { args, tempFiles, ...(isAgent && makesMountPoints && { leftovers: MOUNT_POINTS }) };
}

function asksHost({ mode, permissions }: PromptRequest, { answersPermissions }: LaunchOptions): boolean {
  const asking = permissions?.mode ?? "default";
  return mode === "agent" && answersPermissions && (asking === "default" || asking === "accept-edits");
}
