import type { RunRequest } from "./request.ts";

/** The names of all fields of a type; one that is missing or too much is a type error. */
export type Fields<Type> = Readonly<Record<keyof Type, true>>;

/** The fields of a request. */
export const REQUEST_FIELDS: Fields<RunRequest> = {
  prompt: true,
  messages: true,
  images: true,
  system: true,
  systemMode: true,
  mode: true,
  cwd: true,
  addDirs: true,
  permissions: true,
  trustProject: true,
  backgroundTasks: true,
  session: true,
  mcpServers: true,
  outputSchema: true,
  maxTurns: true,
  maxOutputTokens: true,
  effort: true,
  env: true,
  auth: true,
  strict: true,
  onPermissionDenied: true,
  timeouts: true,
  metadata: true,
  tools: true,
  hostTools: true,
  toolChoice: true,
  invalidCalls: true,
  threadEncoding: true,
  trustThread: true,
  marks: true,
  budget: true,
  maxWaitMs: true,
};
