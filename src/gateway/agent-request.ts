import { isAbsolute } from "node:path";
import { realPathInside } from "../files/path-inside.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import type { AgentAccess } from "./gateway-options.ts";
import { refusal } from "./refusal.ts";

/** The header with which a client asks for agent mode: `agent`. */
const MODE_HEADER = "x-coxswain-mode";
/** The header with the working directory of the agent. */
const DIRECTORY_HEADER = "x-coxswain-cwd";

/** What the headers of a request change in its run. */
export type AgentSettings = Pick<RunRequest, "mode" | "cwd" | "permissions" | "trustProject">;

/** Reads whether a request asks for agent mode; a failure if it may not, or names a directory outside of the allowed one. */
export function readAgentSettings({ headers }: Request, access: AgentAccess | undefined): AgentSettings | Failure {
  const [mode, directory] = [headers.get(MODE_HEADER) ?? "completion", headers.get(DIRECTORY_HEADER)];
  if (mode !== "agent" && mode !== "completion")
    return refusal(400, `${MODE_HEADER} is neither agent nor completion.`, "Correct the header, or leave it out.");
  if (mode === "completion" && directory === null) return {};
  if (mode === "completion")
    return refusal(400, `${DIRECTORY_HEADER} needs ${MODE_HEADER}: agent.`, "Add it, or leave both out.");
  if (access === undefined)
    return refusal(403, "Agent mode is off.", "Start the gateway with cox serve --allow-agent DIR to allow it there.");
  const cwd = agentDirectory(directory ?? access.directory, access);
  if (cwd === undefined)
    return refusal(
      403,
      "The agent may not work in this directory.",
      `${DIRECTORY_HEADER} must name a directory below the allowed one.`,
    );
  const { permissions, trustProject } = access;
  return { mode, cwd, ...(permissions !== undefined && { permissions }), ...(trustProject !== undefined && { trustProject }) };
}

/** The real path of a directory in which agents may work; undefined if it does not exist, is relative or leads outside. */
function agentDirectory(path: string, { directory }: AgentAccess): string | undefined {
  try {
    return isAbsolute(path) ? realPathInside(directory, path) : undefined;
  } catch {
    return undefined;
  }
}
