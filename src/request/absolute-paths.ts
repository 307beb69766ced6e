import { resolve } from "node:path";
import type { RunRequest } from "../spec/request.ts";

/**
 * Makes the paths of a request absolute, because the CLI may run in another directory than the caller. Values of a wrong type are
 * left for validation.
 */
export function withAbsolutePaths(request: RunRequest): RunRequest {
  const { cwd, addDirs } = request;
  if (typeof cwd !== "string" && !Array.isArray(addDirs)) return request;
  const base = resolve(typeof cwd === "string" ? cwd : ".");
  return {
    ...request,
    ...(typeof cwd === "string" && { cwd: base }),
    ...(Array.isArray(addDirs) && {
      addDirs: addDirs.map((path) => (typeof path !== "string" || path === "" ? path : resolve(base, path))),
    }),
  };
}
