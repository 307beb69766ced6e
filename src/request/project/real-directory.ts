import { realpathSync } from "node:fs";
import type { PromptRequest } from "../../spec/request.ts";

/**
 * The request of an agent with the real path of its working directory. A process works there anyway, and a project is judged by the folders above it, which
 * the path of a link does not name.
 */
export function inRealDirectory(request: PromptRequest): PromptRequest {
  const { mode, cwd } = request;
  if (mode !== "agent" || typeof cwd !== "string") return request;
  try {
    const real = realpathSync(cwd);
    return real === cwd ? request : { ...request, cwd: real };
  } catch {
    // Validation says what is wrong with it.
    return request;
  }
}
